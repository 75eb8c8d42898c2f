import type { Replies } from './replies.ts';

export const nl: Replies = {
  GREETING: 'Hallo! Hoe kan ik u helpen? Stel een vraag, dan zoek ik het antwoord.',
  THANKS: 'Graag gedaan! Als u nog een vraag hebt, stel die gerust.',
  GOODBYE: 'Tot ziens! Kom gerust terug als u nog een vraag hebt.',
  IDENTITY:
    'Ik ben een automatische assistent, geen mens. Ik beantwoord vragen uit de documenten die ons team beschikbaar heeft gesteld.',
  HELP: 'Ik beantwoord vragen uit onze documenten en laat u de bronnen zien. Stel uw vraag in een hele zin, bijvoorbeeld hoe iets werkt of wat het kost.',
  HUMAN:
    'Ik ben een automatische assistent. Kies in deze chat ‘Met een medewerker praten’ om een mens te bereiken, of neem rechtstreeks contact op met ons team.',
  COMPLAINT:
    'Het spijt me dat ik u niet kon helpen. Beschrijf in andere woorden wat u zoekt, of vraag om een gesprek met een medewerker.',
  GIBBERISH: 'Sorry, dat heb ik niet begrepen. Stel uw vraag in andere woorden.',
  fallback:
    'Dat weet ik niet. De beschikbare documenten lijken geen antwoord op deze vraag te bevatten.',
  handoffRequested: 'Ons team is op de hoogte en antwoordt u hier.',
};
