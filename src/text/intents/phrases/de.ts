import type { Phrases } from './phrases.ts';

const person =
  '[ein|einem|einen|einer|eine|eines|dem|den|der|ihrem|ihren|eurem|irgend|nem|nen] [echt|echte|echten|echter|echtem|richtigen|richtiger|richtige|realen|reale|lebenden|menschlichen|menschlicher|wirklichen] (mensch|menschen|mitarbeiter|mitarbeitern|mitarbeiterin|person|berater|beraterin|jemand|jemandem|jemanden|irgendjemand|irgendjemandem|kollege|kollegen|kollegin|ansprechpartner|ansprechpartnerin|kundenberater|kundenberaterin|sachbearbeiter|agent|agenten|servicemitarbeiter|supportmitarbeiter) [aus (ihrem|eurem|dem) team|von (ihnen|euch)]';
const team =
  '[dem|den|der|ihrem|eurem|ihrer|eurer|ihnen|euch] (kundenservice|kundendienst|kundensupport|support|team|serviceteam|supportteam|service|kundenbetreuung|kundenberatung|hotline|personal|servicepersonal|supportpersonal)';
const want =
  '[(ich|wir) (mochte|moechte|mocht|will|muss|wurde|wuerde|wollen|mochten|moechten) [gern|gerne|bitte|jetzt|lieber|einfach|nur]|(kann|konnte|koennte|konnten|darf|durfte) (ich|wir|man) [bitte|mal|hier|auch|nicht]|wie kann (ich|man)|gibt es die moglichkeit|bitte|lieber|mochte|will]';
const bot =
  '(bot|roboter|chatbot|maschine|computer|programm|ki|ai|kunstliche intelligenz|mensch|menschlich|echt|echter mensch|echte person|person|real|chatgpt|gpt|automat|mann|frau|chatbot oder ein mensch|mensch oder [ein|eine] (bot|roboter|maschine|ki)|bot oder [ein] mensch)';
const very =
  '[so|sehr|echt|wirklich|total|vollig|komplett|absolut|einfach|ja|ziemlich|leider|nur|ganz|auch|alles|richtig]';
const bad =
  '(nutzlos|unnutz|sinnlos|schlecht|schrecklich|furchtbar|mist|scheisse|schrott|quatsch|blodsinn|unsinn|mull|dumm|doof|blod|lacherlich|falsch|nicht hilfreich|keine hilfe|wenig hilfreich|nicht richtig|nicht wahr|unbrauchbar|nervig|ein witz|eine frechheit|frechheit|zeitverschwendung|eine zumutung|zumutung|inakzeptabel|frustrierend|katastrophal|eine katastrophe|miserabel|ein saftladen|unverschamt|nicht gut|nicht (sehr|besonders|gerade|wirklich) (hilfreich|gut)|gar nicht gut)';
const good =
  '(super|toll|prima|klasse|perfekt|gut|sehr gut|hilfreich|genial|wunderbar|cool|ausgezeichnet|hervorragend|schon|schoen|nett|verstandlich|grossartig)';
const callDetails =
  '[bitte|doch|doch bitte|mal|gern|gerne] [heute|morgen|jetzt|sofort|bald|spater|nachher|umgehend|baldmoglichst|schnellstmoglich|so (schnell|bald) wie moglich] [fruh|vormittag|mittag|nachmittag|abend] [[unter|auf|meine (nummer|telefonnummer) ist|unter der nummer] phonenumber] [bitte]';
const callMe = '(anrufen|zuruckrufen|zurueckrufen|telefonisch kontaktieren)';
const callback = '[einen] [telefonischen|baldigen] (ruckruf|rueckruf|anruf)';
const wishForCall =
  '((ich|wir) (mochte|moechte|mochten|will|wollen|hatte|haette|hatten|wunsche|wunsche mir|brauche|benotige|wurde|wuerde) [gern|gerne|bitte|lieber|jetzt]|(kann|konnte|koennte|konnten) (ich|wir) [bitte|auch])';

export const de: Phrases = {
  GREETING: [
    '(hallo|hallochen|halloechen|hi|hey|hello|servus|moin|moin moin|gruezi|grussgott|gruss gott|gruess gott|gruss dich|tach|hallo hallo|hallihallo|seid gegrusst|salve)',
    '[einen|wunsche einen|ich wunsche [ihnen|euch] einen] [wunderschonen|schonen] (guten|gute|schonen) (morgen|tag|abend|mittag|nachmittag)',
    '(morgen|mahlzeit|nabend|guden)',
    'wie (geht es|gehts|geht) [es] [dir|ihnen|euch] [denn|heute|so]',
    'alles (gut|klar) bei (dir|ihnen|euch)',
    'was geht [ab]',
    '[ist] [da|hier|dort] [jemand|wer|noch] (jemand da|wer da|jemand|jemand hier|jemand online)',
    '(bist du|sind sie|seid ihr|jemand|noch jemand) (da|hier|noch da|online)',
    '(freut mich|schon sie kennenzulernen|schon dich kennenzulernen)',
    '(das ist|nur|ein|dies ist) [nur] [ein|eine] (test|testnachricht)',
  ],
  THANKS: [
    '[vielen lieben|ganz lieben|vielen|besten|herzlichen|lieben|tausend|schonen|schoenen|recht herzlichen|ganz herzlichen|nein|ok|recht] (dank|danke|dankeschon|dankeschoen|danke schon|danke schoen|danke sehr|danke dir|danke ihnen|danke euch|dank dir|dank euch|dank ihnen|merci|thx|thanks|dankee)',
    '[ich] (danke|bedanke mich) [dir|ihnen|euch|mich] [sehr|herzlich|vielmals|ganz herzlich|recht herzlich]',
    'fur (die|deine|ihre|eure|das|alles|den) [schnelle|gute|tolle|nette|schnellen|guten|rasche] [hilfe|antwort|auskunft|info|infos|information|informationen|unterstutzung|muhe|erklarung|tipp|support|zeit]',
    '[das|dies|es] (hat|hilft) [mir|uns] [sehr|schon|gut|echt|wirklich|wirklich sehr] [weiter] (mir|geholfen|weitergeholfen|weiter)',
    `[(das|es) (ist|war|klingt)|du bist|sie sind|alles|das ist ja|na] ${very} ${good} [erklart|gemacht|antwort|arbeit|bot|danke|zu wissen]`,
    '[alles|na|ist|ach] (klar|verstanden|verstehe|ich verstehe|hab verstanden|habe verstanden|ich habe verstanden|ach so|achso|in ordnung|einverstanden|passt|geht klar|genau|stimmt|jawohl)',
    '(ok|okay|okey|oki|okidoki)',
    '(das (war|ist|ware) (alles|es)|mehr brauche ich nicht|keine weiteren fragen|keine fragen mehr|das wars)',
    '(gern geschehen|gute arbeit|gut gemacht|tolle arbeit|guter bot|ich liebe dich)',
  ],
  GOODBYE: [
    '(tschuss|tschuess|tschuessi|tschussi|tschau|ciao|bye|bye bye|ade|adieu|auf wiedersehen|auf wiederhoren|wiedersehen|bis (bald|spater|spaeter|dann|morgen|zum nachsten mal|demnachst)|man sieht sich|mach es gut|machs gut|machen sie es gut|machts gut|gute nacht|pfiat di|baba|servus bis bald)',
    '[ich wunsche|wunsche] [ihnen|dir|euch] [noch] (einen|ein|eine|n) (schonen|schoenen|schones|gutes|angenehmen|gute|schone) (tag|abend|nachmittag|wochenende|feierabend|woche|restwoche|zeit)',
    '(schonen|schoenen|schones|schoenes) (tag|abend|feierabend|wochenende) [noch]',
    '[ich] muss [jetzt|leider] (los|weg|gehen)',
    '(ich bin|bin) fertig',
  ],
  IDENTITY: [
    '(wer|was|wer oder was|wer genau|was genau) (bist|sind|seid) (du|sie|ihr) [eigentlich|denn|genau|uberhaupt]',
    '(wie (heisst|heissen|heist) (du|sie)|wie (ist|lautet) (dein|ihr) name|was ist (dein|ihr) name|(hast|haben) (du|sie) [auch|eigentlich] einen namen) [eigentlich|denn]',
    `(bist|sind|seid) (du|sie|ihr) [etwa|eigentlich|wirklich|nur|denn|ein|eine|auch] [ein|eine|echter|echt|echte|kein|keine] [echter|echte|richtiger|lebendiger] ${bot}`,
    '(mit wem|mit was) (schreibe|spreche|rede|chatte|habe) ich [hier|denn|eigentlich|gerade] [es] [zu tun|hier|gerade|denn]',
    `(schreibe|spreche|rede|chatte) ich [hier|gerade|jetzt|eigentlich|mit|etwa] [gerade|mit] [mit] (einem|einer|nem) [echten|richtigen|realen] (menschen|mensch|bot|roboter|chatbot|maschine|ki|computer|person) [oder] [mit|einem|einer] [einem|einer] [menschen|bot|roboter|maschine|ki]`,
    `(ist|bin) (das|hier|dies|ich hier) [hier|bei] [ein|eine|einem|einer] [echter|echte] ${bot}`,
    '(wer hat dich (gemacht|gebaut|erstellt|programmiert|entwickelt|erschaffen)|wer steckt (hinter dir|dahinter)|stell dich [bitte] vor|stellen sie sich [bitte] vor|erzahl [mir] [etwas|was|mehr] (uber|von) dir)',
    '(welches|was fur ein|welche) (sprachmodell|modell|ki|bot|chatbot) (bist du|ist das|sind sie|nutzt du)',
    '(du bist|sie sind|das ist) [doch|nur|ja|bestimmt] [nur] (ein|eine) (bot|roboter|chatbot|maschine|ki|computer)',
  ],
  HELP: [
    '[ich|wir] [brauche|brauchen|benotige|benoetige|benotigen|brauch] [bitte|deine|ihre|etwas|mal|eure|dringend] hilfe',
    'ich (brauche|benotige) [bitte] unterstutzung',
    '(hilf|helfen sie|helft) (mir|uns) [bitte|mal]',
    '(kannst|konnen|koennen|konntest|konnten|konnt) (du|sie|ihr) (mir|uns) [bitte|mal|vielleicht|auch|hier] [bitte] (helfen|weiterhelfen|behilflich sein)',
    '(was|wobei|womit|wie) (kannst|konnen|koennen) (du|sie|ihr) [alles|mir|denn|eigentlich|so|fur mich] [alles|mir|denn] [helfen|tun|machen|weiterhelfen|beantworten]',
    'was (weisst|wissen|machst|machen) (du|sie) [alles|denn|so|eigentlich]',
    '(was|welche fragen|was alles|worum|zu was) (kann|darf|soll) (ich|man) [dich|sie|hier|dir|euch|alles] [alles|hier] [fragen|stellen|machen]',
    '(wie|was) (funktionierst|funktionieren) (du|sie)',
    'wie funktioniert (dieser|der|das hier|dieser chat|der chat|der bot|dieser bot) [chat|bot|chatbot|assistent]',
    '[ich|wir] (habe|hatte|haben|hab|hatten) [da|mal|nur|noch|kurz] [eine|ne|ein paar|einige|noch eine|mehrere|mal eine|nur eine] [kurze|kleine|weitere|andere] (frage|fragen)',
    '(kann|darf|durfte|konnte) (ich|man) [dich|sie|dir|ihnen|euch|hier|mal|kurz] [kurz|mal|etwas|was|eine|noch] [etwas|was|frage|eine frage] (fragen|stellen)',
    '[nur|mal|kurz] [eine|ne] (kurze|kleine) frage',
    '(welche funktionen|was fur funktionen) (hast|haben) (du|sie)',
    'ich habe ein (problem|anliegen)',
    'help',
  ],
  HUMAN: [
    `${want} [hier] [direkt|personlich] [mit] (${person}|${team}) [direkt|personlich|hier] (sprechen|reden|chatten|schreiben|telefonieren|verbunden werden|kontaktieren|erreichen|haben|kommunizieren|unterhalten)`,
    `${want} [mal|bitte] [zu|mit] ${person} (weitergeleitet werden|verbunden werden|durchgestellt werden|verbunden|sprechen)`,
    `[bitte|kannst du|konnen sie|konnten sie|kannst du bitte|konnen sie bitte] (verbinden|verbinde|verbindet|leiten|leite|stellen) [sie|du] (mich|uns) [bitte|doch|direkt|sofort] [mit|an|zu] [(${person}|${team})] [weiter|durch]`,
    `[kannst du|konnen sie|konnten sie|bitte] (mich|uns) [bitte] (mit|an|zu) (${person}|${team}) (verbinden|weiterleiten|durchstellen|weitervermitteln)`,
    `(ich|wir) (brauche|brauchen|benotige|will|mochte|moechte|wunsche|suche|verlange) [bitte|jetzt|lieber|sofort|endlich] ${person} [haben|bitte|keinen bot|sprechen]`,
    `(geben|gib|holen|hol) [sie] mir [bitte] ${person}`,
    '(gibt es|habt ihr|haben sie|gibts) [hier|bei euch|bei ihnen|denn|auch] [auch] [einen|ein|jemanden|eine] [echten|echte|richtigen|menschlichen] (mensch|menschen|mitarbeiter|ansprechpartner|person|jemanden|berater|kundenberater) [hier|mit dem ich (sprechen|reden|schreiben) kann|der mir (helfen kann|hilft)]',
    'ist [da|hier|dort] [auch|denn] [ein|eine] [echter|echte|richtiger] (mensch|mitarbeiter|person)',
    '(kann|konnte|koennte) (mir|mich|uns) [bitte|hier] (ein mensch|ein mitarbeiter|eine person|ein echter mensch|ein berater|jemand aus (ihrem|eurem|dem) team) [bitte] (helfen|weiterhelfen|anrufen|kontaktieren|zuruckrufen|antworten|beraten)',
    '(kann|konnte|koennte) (mich|uns) [bitte] jemand [bitte] (anrufen|kontaktieren|zuruckrufen)',
    '[ein|einen|eine|echter|echten] (mensch|mitarbeiter|echter mensch|echten menschen|echte person|menschlicher mitarbeiter|kundenberater|live chat|livechat|menschlicher support|kundenservice|kundendienst|kundensupport)',
    '(ich|wir) (will|mochte|moechte|wollen|rede|spreche) [hier] [nicht|keinen|kein|keine|ungern] [mit] [einem|einer|dir|so einem|dem|diesem] [bloden|dummen] (bot|roboter|maschine|computer|ki|chatbot|dir) [sprechen|reden|chatten|schreiben|haben]',
    '(keinen|kein|keine) (bot|roboter|maschine|chatbot|ki)',
    `[bitte] (rufen sie|ruf|rufe|ruft) (mich|uns) ${callDetails} (an|zuruck|zurueck) ${callDetails}`,
    `((konnen|konnten|koennen|koennten|wurden|wuerden) sie|(kannst|konntest|wurdest) du|(konnt|konntet) ihr|(kann|konnte|koennte|soll|sollte) ${person}|${person} soll) (mich|uns) ${callDetails} ${callMe} ${callDetails}`,
    `(kann|konnte|koennte|wurde) (mich|uns) [bitte|mal] ${person} ${callDetails} ${callMe} ${callDetails}`,
    `${wishForCall} ${callDetails} (zuruckgerufen|zurueckgerufen|angerufen) werden ${callDetails}`,
    `${wishForCall} ${callback} [haben|erhalten|bekommen|vereinbaren|anfordern] ${callDetails}`,
    `[(ich|wir) [mochte|mochten]] (bitte|bitten) um ${callback} [bitten] ${callDetails}`,
    `(ich|wir) (mochte|moechte|will|wunsche) dass (mich|uns) ${person} ${callDetails} (anruft|zuruckruft|zurueckruft)`,
    `bitte [mich|uns] (anrufen|zuruckrufen|zurueckrufen) ${callDetails}`,
    '[einen] (ruckruf|rueckruf) bitte',
  ],
  COMPLAINT: [
    `(das|es|du|sie|dieser bot|der bot|dieser chat|der chat|dieser chatbot|deine antwort|die antwort|ihre antwort|diese antwort|ihr service|der service|euer service|ihr) (ist|bist|sind|war|waren|seid) [ja|doch|leider|echt|alles|hier] [alles] ${very} ${bad} [hier|bot]`,
    `${very} (nutzlos|unnutz|unbrauchbar|schrott|quatsch|blodsinn|unsinn|scheisse|lacherlich|schrecklich|furchtbar|zeitverschwendung|nicht hilfreich|wenig hilfreich|frechheit|eine frechheit|katastrophe|saftladen|schwachsinn|so ein mist|so ein quatsch|was fur ein mist|was fur ein schrott|sauerei) [bot|antwort|alles]`,
    '(falsche|schlechte|dumme|blode|doofe) (antwort|auskunft|antworten)',
    '(schlechter|dummer|bloder|doofer|nutzloser|mieser) (bot|chatbot|service|chat|roboter|support|kundenservice)',
    '(du|sie) (verstehst|verstehen|weisst|wissen|kannst|konnen|hilfst|helfen|lugst|nervst|nerven|beantwortest|taugst) [mich|mir|uns|meine frage|ja|doch|aber] [ja|doch|uberhaupt|gar|aber] [nicht|nichts|keine hilfe|gar nichts|mich nicht|mir nicht|meine frage nicht] [helfen|verstehen]',
    '(das|es|dies) (hilft|hat|beantwortet|stimmt|ist|war) [mir|uns|doch|aber|leider|meine frage|alles] [doch|aber|leider|mir] [uberhaupt|gar|so] (nicht|nichts|gar nicht|uberhaupt nicht|nicht hilfreich|keine antwort|keine antwort auf meine frage) [weiter|geholfen|weitergeholfen|beantwortet|richtig]',
    '(das|danach) (war|habe ich|hab ich|wollte ich) nicht [gefragt|gemeint|wissen|meine frage]',
    '(ich bin|bin|wir sind) [sehr|echt|wirklich|total|so|langsam] (verargert|sauer|frustriert|enttauscht|unzufrieden|genervt|wutend|stinksauer) [uber das|von dir|damit]',
    '(ich hasse (das|dich|bots|chatbots|diesen bot)|halt die klappe|halt den mund|halts maul|leck mich|fick dich|verdammt|idiot|du idiot|arschloch|so ein scheiss|scheiss bot|wtf)',
  ],
  filler: [
    '(bitte|und|also|na|ja|jo|nein|ne|nee|so|jetzt|dann|da|alle|alle zusammen|zusammen|leute|team|liebes team|ihr|ihr lieben|nochmal|nochmals|noch|mal|heute|oh|ah|ach|hmm|wow|sehr|sehr geehrte damen und herren|bot|chatbot|assistent|aber|auch|ebenfalls|gleichfalls|dir|dir auch|ihnen auch|euch auch|ihnen|euch|lieber|sofort|endlich|sorry|entschuldigung|vielmals|im voraus|haha|hahaha|lol|gerne|gern)',
  ],
};
