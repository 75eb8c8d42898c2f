import type { Phrases } from './phrases.ts';

const person =
  '[een|n|de|jullie|uw|echt|iemand] [echte|echt|levende|menselijke] (mens|medewerker|medewerkster|persoon|iemand|agent|collega|adviseur|klantenservicemedewerker|supportmedewerker|operator|menselijke medewerker) [van (jullie|uw|het|de) [team|klantenservice|bedrijf]|van de klantenservice]';
const team =
  '[de|jullie|uw|het] (klantenservice|helpdesk|support|team|supportteam|servicedesk|klantendienst|personeel|ondersteuning|supportmedewerkers)';
const want =
  '[(ik|wij|we) (wil|willen|zou|zouden|moet|wens|kan|mag|heb liever|verkies) [graag|liever|nu|even|gewoon] [willen|met]|(kan|mag|kunnen|zou) (ik|we|wij|men|ik even) [hier|ook|even|graag|misschien|aub]|hoe kan ik|is het mogelijk om|graag|liever]';
const bot =
  '(bot|robot|chatbot|machine|computer|programma|ai|ki|kunstmatige intelligentie|mens|menselijk|echt|echte mens|echt mens|echt persoon|echte persoon|persoon|echt iemand|chatgpt|man|vrouw)';
const very =
  '[zo|heel|erg|echt|totaal|volledig|helemaal|een|gewoon|best|wel|te|nogal|ontzettend|super]';
const bad =
  '(nutteloos|waardeloos|slecht|vreselijk|verschrikkelijk|onzin|stom|dom|belachelijk|fout|verkeerd|onjuist|niet waar|niet juist|niet goed|niet nuttig|niet behulpzaam|niet (erg|echt|zo) (goed|nuttig|behulpzaam|handig)|geen hulp|tijdverspilling|irritant|frustrerend|een grap|grap|schande|onacceptabel|ruk|kut|shit|troep|een ramp|ramp|drama|schandalig|rommel|niks|prut)';
const good =
  '(goed|mooi|fijn|perfect|super|geweldig|prima|uitstekend|fantastisch|leuk|handig|duidelijk|aardig|nuttig|behulpzaam|cool|helder|tof|heerlijk|netjes|prachtig)';
const callDetails =
  '[graag|even|aub] [op phonenumber] [vandaag|morgen|nu|zo snel mogelijk|later] [terug] [op phonenumber]';

export const nl: Phrases = {
  GREETING: [
    '(hallo|hoi|hey|hi|hello|hoihoi|dag|goedendag|goeiedag|heej|yo|gegroet|goeiemorgen|goedemorgen|goedemiddag|goeiemiddag|goedenavond|goeienavond|goedeavond|hallootjes)',
    '(goede|goeie|goeden) (morgen|middag|avond|dag)',
    '(hoe (gaat het|gaat t|is het|ist|gaat ie|gaat het met (je|jou|u|jullie))|alles goed) [vandaag]',
    '[is] [er] (iemand|hier iemand|daar iemand) [daar|hier|aanwezig|online|beschikbaar]',
    '(ben je|bent u|zijn jullie) (daar|er|er nog|online)',
    '(aangenaam|leuk je te ontmoeten|aangename kennismaking)',
    '(dit is|even|een) [even|gewoon|maar] [een] (test|testje|testbericht)',
  ],
  THANKS: [
    '[heel erg|super veel|heel|veel|hartelijk|harstikke|hartstikke|erg|ontzettend|nee|ok|vriendelijk|super|mijn|dikke] (bedankt|dank|dankjewel|dankuwel|dank je|dank u|dank je wel|dank u wel|danku|dankje|thanks|thx|thanx|merci|dankjulliewel|bedank|dank jullie wel)',
    '(ik (dank|waardeer|bedank) (je|u|jullie|dat|het))',
    'voor (je|uw|jullie|de|alle|het|dat|alles) [snelle|goede|fijne|duidelijke|vriendelijke] [hulp|antwoord|reactie|informatie|info|uitleg|moeite|tijd|beantwoorden|helpen]',
    '(dat|dit|het) (helpt|heeft [me|mij|ons] [goed|enorm|zeker] geholpen|hielp) [me|mij] [enorm|goed|zeker|heel erg|verder|goed verder]',
    `[(dat|dit|het) (is|was|klinkt)|je bent|u bent|wat|alles] ${very} ${good} [gedaan|antwoord|werk|geholpen|bot|om te weten]`,
    '(begrepen|snap ik|ik snap het|ik begrijp het|duidelijk|ok|oke|okay|okee|okidoki|in orde|akkoord|komt goed|is goed|helder|goed werk|goed gedaan|goed bezig|jazeker|precies)',
    '(dat (was|is) (alles|het)|verder niets|niets anders|geen verdere vragen|geen vragen meer)',
  ],
  GOODBYE: [
    '(doei|doeg|doeidoei|tot ziens|tot (later|snel|morgen|straks|gauw|de volgende keer|dan|kijk)|bye|bye bye|dag dag|dagdag|ciao|houdoe|ajuus|slaap lekker|welterusten|goede nacht|goedenacht|de groeten|groetjes|ik moet gaan|ik moet ervandoor|ik ben klaar)',
    '[ik wens (je|u|jullie)|nog] [een|n] [hele] (fijne|prettige|mooie|leuke) (dag|avond|weekend|week|middag|dag nog|nacht|dag verder|avond nog)',
    '(prettig|fijn|goed|goede) (weekend|week)',
  ],
  IDENTITY: [
    '[en|maar] (wie|wat) (ben|bent|zijn|bn) (jij|je|u|jullie) [eigenlijk|precies|dan|nou]',
    '(hoe heet (je|jij|u)|wat is (je|jouw|uw) naam|hoe is (je|jouw|uw) naam|heb je een naam|heeft u een naam)',
    '(met wie) (spreek|praat|chat|heb|ben) ik [hier|eigenlijk|nu|te maken] [te maken|aan het praten|aan het chatten]',
    `(ben|bent|is|zijn) (je|jij|u|dit|het|dat|jullie) [echt|nou|eigenlijk|gewoon|misschien|wel|nu] [een|n] [echte|echt] ${bot} [of] [een|n] [${bot}]`,
    `(praat|spreek|chat) ik [hier|nu|eigenlijk|met] [nu] [met] [een|n] [echte|echt] ${bot} [of] [met] [een] [${bot}]`,
    '(wie heeft (je|jou|u) (gemaakt|gebouwd|ontwikkeld|geprogrammeerd)|stel (je|jezelf|u) [eens] voor|vertel [iets|wat|eens iets] over (jezelf|je zelf|uzelf))',
    '(welk|wat voor) (model|taalmodel|ai|bot) (ben je|bent u|gebruik je|is dit)',
  ],
  HELP: [
    '[ik|wij|we] [heb|hebben|wil|zoek|nodig] [wat|je|uw|even|graag] (hulp|help) [nodig|graag|aub]',
    '(ik|wij|we) (heb|hebben) [wat] (ondersteuning|assistentie) nodig',
    '(help|helpt) [me|mij|ons] [even|eens|aub|alstublieft]',
    '(kun|kan|kunt|zou|kunnen) (je|jij|u|jullie) (me|mij|ons) [even|misschien|hier|ook] [kunnen] [ergens mee|verder] (helpen|verder helpen|assisteren)',
    '(wat|waarmee|waar|hoe) (kun|kan|kunt) (je|jij|u) [allemaal|me|mij|voor me|voor mij|mij mee|me mee] [mee|allemaal|voor mij|voor me] [helpen|doen|beantwoorden|verder helpen]',
    'wat (doe|weet|doet) (je|jij|u) [allemaal|precies|eigenlijk]',
    '(wat|welke vragen|waarover) (kan|mag|kun) (ik|je|men) [je|u|jou|hier|allemaal] [allemaal|hier] (vragen|stellen|doen)',
    'hoe (werk je|werkt u|werk jij|werkt (deze|dit|de) (chat|bot|chatbot|assistent))',
    '[ik|wij|we] (heb|had|hebben) [nog|even|alleen] [een|een paar|wat|nog een|enkele] [korte|kleine|andere|snelle] (vraag|vraagje|vragen)',
    '(mag|kan) ik [je|u|jullie|even] [even|wat|iets|een] [iets|wat|vraag|een vraag] (vragen|stellen)',
    '[even|een] [korte|snelle] (vraagje|vraag)',
    'ik heb een probleem',
  ],
  HUMAN: [
    `${want} [even|direct] [met|door] (${person}|${team}) [even|direct|kunnen] (spreken|praten|chatten|bellen|communiceren|doorverbonden worden|verbonden worden|contact|in contact komen|contact hebben|te spreken|te praten|overleggen) [opnemen|komen]`,
    `${want} [graag] (praten|spreken|chatten|contact|in contact komen|doorverbonden worden|doorgeschakeld worden) [opnemen] (met|naar) (${person}|${team})`,
    `[kun je|kunt u|kan je|kan u|wil je|wilt u] (verbind|verbindt|schakel|geef|koppel) [u] [me|mij] [aub|even|graag|door] [door] [met|naar|aan] (${person}|${team}) [door]`,
    `(kun|kan|kunt|wil|wilt) (je|jij|u|jullie) (me|mij) [even|aub|graag] [met|door] [naar] (${person}|${team}) (doorverbinden|verbinden|doorschakelen|doorsturen)`,
    `(kun|kan|kunt|wil|wilt) (je|jij|u|jullie) (me|mij) [even|aub] (doorverbinden|verbinden|doorschakelen|doorsturen) (met|naar) (${person}|${team})`,
    '(ik|wij|we) (wil|willen|zoek|eis|heb liever|heb) [graag|nu] [een] [echt|echte] (mens|medewerker|echt mens|echt persoon|echte medewerker|menselijke medewerker|persoon) [spreken|nodig|aub]',
    '(is er|zijn er|hebben jullie|heeft u|werken er) [ook|hier|een|echte] [een|echte] [echte|echt] (mens|mensen|medewerker|medewerkers|persoon|echt iemand) [hier|beschikbaar|aanwezig] [met wie ik kan (praten|spreken|chatten)|die (me|mij) kan helpen]',
    '(kan|kunnen|zou) (een mens|een medewerker|iemand van jullie|een echt persoon|een echte medewerker) [me|mij|ons] [even] (helpen|bellen|terugbellen|contacteren|antwoorden)',
    'kan iemand (me|mij|ons) (bellen|terugbellen|contacteren)',
    '[een] [echte|echt] (mens|medewerker|echt mens|echte mens|echt persoon|echte persoon|menselijke medewerker|livechat|live chat|klantenservice)',
    'ik (wil|wens|ga) [hier] (niet|geen) [met] [een|deze|dit] [domme|stomme] (bot|robot|machine|computer|chatbot|ai) [praten|spreken|chatten]',
    'geen (bot|robot|chatbot|machine)',
    `(bel|belt) [u] (me|mij|ons) ${callDetails}`,
    `(kun|kan|kunt|wil|wilt|kunnen|willen|zou|zouden) (je|jij|u|jullie) (me|mij|ons) ${callDetails} (bellen|terugbellen|opbellen) ${callDetails}`,
    `(kan|kunnen|zou) ${person} (me|mij|ons) ${callDetails} (bellen|terugbellen|opbellen) ${callDetails}`,
    `((ik|wij|we) (wil|willen|zou|wens|word|worden) [graag|liever]|graag|kan ik) ${callDetails} (gebeld|teruggebeld) [willen] [worden] ${callDetails}`,
    `(gelieve|graag) (me|mij|ons) ${callDetails} [terug] te bellen`,
  ],
  COMPLAINT: [
    `(dit|dat|het|je|jij|u|deze bot|de bot|deze chat|deze chatbot|je antwoord|jouw antwoord|uw antwoord|het antwoord|dit antwoord|jullie service|de service|jullie) (is|bent|zijn|was) [echt|toch|allemaal] ${very} ${bad} [antwoord|bot|service]`,
    `${very} (nutteloos|waardeloos|onzin|belachelijk|tijdverspilling|verschrikkelijk|wat een onzin|wat een grap|wat een (ramp|troep|tijdverspilling|schande)|niet behulpzaam|schandalig|niet nuttig|slechte service|flauwekul) [bot|antwoord|service]`,
    '(verkeerd|fout|slecht|dom) antwoord',
    '(slechte|domme|stomme|waardeloze) (bot|chatbot|service|robot|klantenservice)',
    '(dit|dat|het|je antwoord) (helpt|klopt|beantwoordt|is|slaat) [me|mij|mijn vraag] (niet|niks|niets|nergens|helemaal niet|totaal niet|geen antwoord|nergens op|niet mijn vraag|niet wat ik (vroeg|bedoel|bedoelde)) [op|wat ik vroeg|op mijn vraag]',
    '(je|jij|u) (begrijpt|snapt|weet|helpt|kan|kunt|begrijp|beantwoordt) [er|me|mij|mijn vraag|het] [me|mij] (niks|niets|niet|geen moer) [van|helpen]',
    'daar heb ik niks aan',
    '(ik ben|wij zijn) [erg|heel|zeer|echt|ontzettend] (boos|gefrustreerd|teleurgesteld|ontevreden|kwaad|woedend|geirriteerd) [over (jullie|dit)|op jullie]',
    '(ik haat (dit|deze bot|bots)|hou je mond|hou je bek|idioot|klootzak|rot op|sukkel|godverdomme|eikel)',
  ],
  filler: [
    '(alsjeblieft|alstublieft|aub|ajb|svp|graag|en|dus|nu|dan|even|er|hier|daar|allemaal|iedereen|team|mensen|jullie|jongens|opnieuw|nog|nogmaals|nog een keer|weer|vandaag|oh|ah|uh|hmm|ja|nee|maar|ook|jij ook|u ook|hetzelfde|insgelijks|meneer|mevrouw|beste|vriend|bot|robot|chatbot|assistent|bij voorbaat|alvast|zeer|hoor|sorry|excuses|pardon|haha|hahaha|lol|direct|meteen|onmiddellijk|spoed|toch)',
  ],
};
