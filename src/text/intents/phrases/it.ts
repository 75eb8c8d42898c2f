import type { Phrases } from './phrases.ts';

const person =
  '[un|una|uno|il|la|qualche|vero|vera] [vero|vera|altro|altra] (umano|umana|persona|operatore|operatrice|essere umano|agente|consulente|qualcuno|addetto|addetta|impiegato|rappresentante|responsabile|assistente umano|collega) [reale|umano|umana|vero|vera|in carne e ossa|del (vostro|tuo|suo) (team|staff)|dello staff|del team]';
const team =
  '[il|con il|al|col] [vostro|tuo|suo] (servizio clienti|assistenza|assistenza clienti|supporto|team|customer care|servizio assistenza|staff|personale|personale di supporto|personale di assistenza|personale di servizio|team di supporto|team di assistenza|staff di supporto)';
const want =
  '[(voglio|vorrei|vogliamo|vorremmo|desidero|preferisco|preferirei|ho bisogno di|devo|posso|potrei|possiamo|e possibile|si puo|come (posso|faccio a|si fa a|potrei)|mi piacerebbe|ce modo di|fatemi|fammi|mi fai|mi fate|pretendo di)]';
const bot =
  '(bot|robot|chatbot|macchina|computer|programma|ia|ai|intelligenza artificiale|umano|umana|persona|persona vera|persona reale|vera persona|essere umano|reale|vero|vera|chatgpt|uomo|donna|assistente virtuale|operatore)';
const very =
  '[molto|cosi|davvero|veramente|totalmente|completamente|un|una|troppo|proprio|piuttosto|assolutamente]';
const bad =
  '(inutile|inutili|terribile|orribile|pessimo|pessima|schifo|merda|spazzatura|stupido|stupida|scemo|ridicolo|ridicola|sbagliato|sbagliata|errato|falso|falsa|assurdo|patetico|vergogna|vergognoso|perdita di tempo|frustrante|disastro|inaccettabile|idiota|per niente (utile|chiaro)|di nessun aiuto|scandaloso|presa in giro|scarso|incapace)';
const good =
  '(bene|buono|perfetto|ottimo|ottima|fantastico|eccellente|bravo|brava|bravissimo|utile|magnifico|splendido|meraviglioso|gentile|gentilissimo|gentilissima|benissimo|esatto|corretto)';
const callDetails = '[al phonenumber] [oggi|domani|appena possibile|il prima possibile]';

export const it: Phrases = {
  GREETING: [
    '(ciao|salve|hey|ehi|hello|hi|buondi|saluti|ehila|ciaoo)',
    '(buongiorno|buonasera|buon giorno|buona sera|buon pomeriggio|buona giornata a tutti|buond)',
    '(come (stai|sta|state|va|butta)|come va la vita) [oggi]',
    '(ce|c e) (qualcuno|nessuno) [qui|li|in linea|online|disponibile]',
    '(sei|siete|qualcuno) (li|qui|la|online|in linea)',
    '(piacere|piacere di (conoscerti|conoscerla)|che si dice)',
    '(questo e|solo) [un|una] (test|prova)',
  ],
  THANKS: [
    '[molte|tante|mille|ok|no|va bene] (grazie|grz|thanks|thx|grazie (mille|tante|infinite|davvero)|graziee)',
    '(ti|la|vi) ringrazio [molto|tanto|infinitamente]',
    '(per|dell|della) (il|la|l|tutto|questo|laiuto|avermi|lassistenza|linformazione|le) [tuo|suo|vostro|tua|sua|vostra|rapida|veloce] [aiuto|risposta|tempo|disponibilita|informazioni|supporto|aiutato|spiegazione|risposto|gentilezza]',
    '(mi) (e|ha|sei|e stato|sei stato) (stato utile|aiutato|utile|stato daiuto|di aiuto|servito|daiuto) [molto]',
    `[(e|era|tutto|sei|e stato|e tutto|che) [stato]] ${very} ${good} [lavoro|risposta]`,
    '(capito|ho capito|va bene|ok|okay|daccordo|chiaro|capisco|inteso|ricevuto|tutto chiaro|perfetto|ottimo lavoro|ben fatto|bel lavoro|okey)',
    '(e tutto|questo e tutto|nientaltro|niente altro|non ho altre domande|basta cosi)',
  ],
  GOODBYE: [
    '(arrivederci|arrivederla|addio|a presto|a dopo|a domani|ci vediamo|ci sentiamo|alla prossima|bye|bye bye|ciao ciao|buonanotte|buona notte|devo andare|stammi bene)',
    '[le auguro|ti auguro|vi auguro|auguro] [una|un] (buona|buon|bella|splendida) (giornata|serata|fine settimana|weekend|settimana|notte|continuazione|proseguimento)',
  ],
  IDENTITY: [
    '[e|ma] [tu|lei] (chi|cosa|che cosa) (sei|e lei|siete|e) [tu|lei|voi|esattamente]',
    '(come ti chiami|come si chiama|qual e il (tuo|suo) nome|hai un nome|ha un nome|il tuo nome)',
    '(con chi) (parlo|sto parlando|sto chattando|ho il piacere|ho a che fare)',
    `(sei|lei e|siete|parlo con|sto parlando con|sto chattando con|e|questo e) [davvero|solo|veramente|tu|per caso] [un|una] [vero|vera] ${bot} [o] [un|una|con un|con una] [${bot}]`,
    '(chi ti ha (creato|fatto|programmato|sviluppato)|presentati|si presenti|parlami di te|raccontami di te|dimmi qualcosa di te)',
    'che (modello|modello linguistico|ia|intelligenza artificiale) (sei|usi|usate)',
  ],
  HELP: [
    '[ho bisogno|avrei bisogno|mi serve|serve|abbiamo bisogno|voglio|vorrei] [di|un|d|del tuo|del vostro] (aiuto|daiuto|help) [per favore]',
    '(ho bisogno di|mi serve) assistenza',
    '(aiutami|aiutatemi|mi aiuti|mi aiuta|mi aiutate|(puoi|puo|potete|potresti|potrebbe) aiutarmi|mi (puoi|puo|potete|potresti|potrebbe) aiutare) [per favore]',
    '(cosa|che cosa|che|in cosa|come) (puoi|sai|puo|potete|sapete|sa) (fare|aiutarmi|offrire|rispondere|fare per me|dirmi) [per me]',
    '(come|in cosa) (mi puoi|mi potete|mi puo) aiutare',
    '(cosa) (fai|sai|offri)',
    '(cosa|che cosa) (posso|si puo|potrei) (chiedere|chiederti|chiederle|chiedervi|domandare|fare) [qui]',
    'come (funzioni|funziona (questa|la|questo|il) (chat|bot|chatbot|assistente))',
    '(ho|avrei|avevo|abbiamo) [solo] (una|unaltra|delle|alcune|qualche|un paio di|altra) [altra] (domanda|domande)',
    '(posso|potrei) (farti|farle|fare|farvi|chiedere|chiederti|chiederle) (una|qualche|delle|unaltra|una cosa|qualcosa) [domanda|domande]',
    '[solo] una domanda [veloce]',
    'ho un problema',
  ],
  HUMAN: [
    `${want} (parlare|chattare|comunicare|essere messo in contatto|contattare|scrivere|avere|parlo|essere trasferito|discutere|mettermi in contatto|conversare|interagire) [direttamente] [con|a|ad] (${person}|${team})`,
    `[puoi|puo|potete|potresti|potrebbe] (mi passi|mi passa|mi passate|passami|passatemi|passarmi|mi metta|mi metti|mettimi|mettetemi|mettermi|collegami|collegarmi|mi colleghi|trasferiscimi|trasferirmi|mi trasferisca|mi trasferisci|connettimi) [in (contatto|comunicazione)] [con|a|ad] (${person}|${team})`,
    '(voglio|vorrei|ho bisogno di|mi serve|pretendo|preferisco|cerco|datemi|dammi) (un|una) [vero|vera] (umano|persona|operatore|operatrice|essere umano|agente|consulente|persona vera|persona reale|operatore umano)',
    '(ce|c e|avete|ci sono) [un|una|qualche|qui] [vero|vera] (umano|persona vera|persona reale|operatore|essere umano|persone vere|operatore umano|operatori) [qui|disponibile|con cui parlare|disponibili]',
    '(puo|potrebbe|puoi) (contattarmi|aiutarmi|chiamarmi|richiamarmi|rispondermi) (un operatore|una persona|qualcuno|un umano|un consulente)',
    '(posso essere (richiamato|contattato)) [da (un operatore|qualcuno)]',
    '[un|una] (operatore|operatrice|umano|operatore umano|persona vera|persona reale|essere umano|agente umano|vera persona|servizio clienti|assistenza clienti)',
    'non voglio (parlare|chattare|avere a che fare) con [un|una|questo|questa] (bot|robot|macchina|chatbot|computer|ia)',
    '(no|non voglio|niente) [un] (bot|robot|chatbot|macchina|macchine)',
    `(mi (puo|puoi|potete|potrebbe|potreste) (chiamare|richiamare)|(puo|puoi|potete|potrebbe|potreste) (chiamarmi|richiamarmi)) ${callDetails}`,
    `(${person} (puo|potrebbe) (chiamarmi|richiamarmi)|${person} mi (puo|potrebbe) (chiamare|richiamare)|mi puo (chiamare|richiamare) ${person}) ${callDetails}`,
    `(richiamatemi|richiamami|chiamatemi|chiamami|mi (richiami|chiami) [pure]) ${callDetails}`,
    `((vorrei|voglio|desidero|preferisco|preferirei|posso|potrei) essere (chiamato|chiamata|richiamato|richiamata|contattato telefonicamente)) ${callDetails}`,
    `(vorrei|voglio|desidero) [ricevere|richiedere|essere|chiedere] (una (chiamata|telefonata|richiamata)|che mi (richiamiate|chiamiate|richiamaste|chiamaste)) ${callDetails}`,
  ],
  COMPLAINT: [
    `(questo|questa|sei|siete|e|che|questo bot|il bot|questa chat|la risposta|la tua risposta|questa risposta|il servizio|questo servizio|il vostro servizio|tutto questo|tutto|lei) [e|sono|fa|non e] [e] ${very} [uno|una|un|molto|per niente] ${bad} [bot|risposta|servizio]`,
    '(inutile|ridicolo|patetico|vergogna|vergognoso|pessimo|schifo|merda|assurdo|inaccettabile|non e utile|che (schifo|vergogna|merda|perdita di tempo|disastro|pessimo servizio)|fai schifo|fate schifo|pessimo servizio) [bot|risposta|servizio|per niente]',
    '(risposta) (sbagliata|inutile|errata)',
    'non (mi aiuta|mi aiuti|aiuta|serve|servi|e vero|e corretto|e giusto|e utile|capisci|capisce|hai capito|mi hai aiutato|sai niente|rispondi|risponde|mi e utile|mi serve|e quello che (ho chiesto|volevo)) [a niente|a nulla|niente|per niente|nulla|alla mia domanda|affatto]',
    '(questo|cosi|questa risposta) non (mi aiuta|aiuta|serve|e vero|e corretto|e giusto|e utile|risponde|mi e utile|mi serve|e quello che (ho chiesto|volevo)) [a niente|a nulla|per niente|alla mia domanda|affatto]',
    '(sono) [molto|davvero|veramente|piuttosto] (arrabbiato|arrabbiata|frustrato|frustrata|deluso|delusa|insoddisfatto|insoddisfatta|stufo|stufa|furioso|furiosa|scontento) [di (voi|questo)|del servizio|con voi]',
    '(odio (questo|questo bot|i bot)|stai zitto|idiota|stronzo|vaffanculo|cretino|imbecille|cazzo)',
  ],
  filler: [
    '(per favore|perfavore|per piacere|per cortesia|pf|e|allora|quindi|adesso|ora|subito|qui|li|a tutti|tutti|team|ragazzi|di nuovo|ancora|oggi|oh|ah|ehm|hmm|si|no|ma|anche|anche a te|anche a lei|altrettanto|signore|signora|signori|gentile|gentili|amico|amica|bot|robot|chatbot|assistente|molto|mille|tanto|in anticipo|scusa|scusi|scusate|mi scusi|mi dispiace|haha|ahah|ahahah|lol|urgente|immediatamente)',
  ],
};
