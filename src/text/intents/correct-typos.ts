import { misspellingsOf } from '../misspellings.ts';

/** Real words that are one edit away from a word of small talk. They are not corrected. */
const otherWords = ['tanks', 'graze', 'operato', 'representatie'];

/** Frequent misspellings of those small talk words that users misspell most often. */
const misspellings = misspellingsOf(
  `
  thanks goodbye morning evening afternoon someone somebody representative operator useless terrible horrible
  question questions connect
  tschuss mitarbeiter menschen sprechen vielen nutzlos verbinden
  gracias buenos buenas hablar persona agente pregunta
  bonjour bonsoir beaucoup conseiller parler personne
  grazie buongiorno buonasera operatore parlare arrivederci domanda
  bedankt goedemorgen goedemiddag goedenavond medewerker spreken
  obrigado obrigada atendente`,
  otherWords,
);

const shortMisspellings: ReadonlyMap<string, string> = new Map([
  ['helo', 'hello'],
  ['hllo', 'hello'],
  ['hlelo', 'hello'],
  ['ehllo', 'hello'],
  ['helllo', 'hello'],
  ['hlalo', 'hallo'],
  ['ahllo', 'hallo'],
  ['dnake', 'danke'],
  ['danek', 'danke'],
  ['dake', 'danke'],
  ['dankee', 'danke'],
  ['mersi', 'merci'],
  ['mreci', 'merci'],
  ['byee', 'bye'],
  ['thnks', 'thanks'],
  ['thansk', 'thanks'],
  ['thak', 'thank'],
  ['thnak', 'thank'],
  ['tahnk', 'thank'],
  ['thankyu', 'thankyou'],
  ['yuo', 'you'],
  ['hmuan', 'human'],
  ['humna', 'human'],
  ['huamn', 'human'],
  ['humen', 'human'],
  ['perosn', 'person'],
  ['preson', 'person'],
  ['agnet', 'agent'],
  ['agetn', 'agent'],
  ['plase', 'please'],
  ['pleas', 'please'],
  ['plese', 'please'],
  ['hlep', 'help'],
  ['ehlp', 'help'],
  ['hepl', 'help'],
  ['teh', 'the'],
  ['waht', 'what'],
  ['cna', 'can'],
]);

/** Returns the small talk word that the user most likely meant. Returns `word` itself if there is none. */
export function correctTypo(word: string, known: ReadonlySet<string>): string {
  if (known.has(word)) return word;
  const corrected = shortMisspellings.get(word) ?? misspellings.get(word) ?? word;
  return known.has(corrected) ? corrected : word;
}
