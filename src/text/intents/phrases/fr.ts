import type { Phrases } from './phrases.ts';

const person =
  '[un|une|le|la|quelquun|des|votre|a un|a une] [vrai|vraie|veritable|autre] (humain|humaine|personne|agent|conseiller|conseillere|operateur|operatrice|etre humain|employe|employee|quelquun|representant|interlocuteur|collaborateur|technicien|responsable|agent humain|conseiller clientele) [reel|reelle|humain|humaine|physique|de chez vous|de (votre|l) equipe|en chair et en os]';
const team =
  '[le|votre|au|lequipe|du|a lequipe|a votre] (service client|service clients|service clientele|support|equipe|service apres vente|sav|support technique|equipe support|personnel|personnel du support|personnel de support|personnel du service|personnel du service client|equipe de support|lassistance)';
const want =
  '[(je|nous|on) (veux|voudrais|souhaite|souhaiterais|desire|prefere|prefererais|peux|pourrais|dois|aimerais|voulons|souhaitons|peut|pourrait) [bien|plutot|juste]|jaimerais [bien]|(puis|pourrais|peux|peut) (je|on|tu)|est ce que je (peux|pourrais)|est il possible de|il est possible de|comment (puis je|faire pour|je peux|peut on)|jai besoin de|besoin de|laissez moi]';
const bot =
  '(bot|robot|chatbot|machine|ordinateur|programme|ia|intelligence artificielle|humain|humaine|personne|vraie personne|vrai humain|personne reelle|etre humain|reel|reelle|chatgpt|homme|femme|assistant virtuel)';
const very =
  '[tres|si|vraiment|totalement|completement|trop|un|une|assez|absolument|plutot|du|de la|tellement]';
const bad =
  '(inutile|inutiles|nul|nulle|nuls|mauvais|mauvaise|terrible|horrible|merde|stupide|bete|idiot|idiote|ridicule|faux|fausse|incorrect|incorrecte|pourri|pourrie|debile|honte|blague|perte de temps|frustrant|catastrophe|catastrophique|inacceptable|lamentable|pathetique|scandaleux|pas (bien|clair|juste|terrible)|pas (tres|vraiment) (utile|bon|clair|bien)|pas utile|nimporte quoi|pas vrai|pas correct|pas bon|pas ca|con|absurde)';
const good =
  '(bien|bon|bonne|parfait|parfaite|genial|super|excellent|excellente|top|cool|formidable|merveilleux|impeccable|utile|gentil|sympa|magnifique)';
const callMe =
  '((me|nous) (rappeler|appeler|telephoner|passer un coup de (fil|telephone)) [par telephone]|mappeler)';
const called = '(rappele|rappelee|rappeles|rappelees|appele|appelee)';

export const fr: Phrases = {
  GREETING: [
    '(bonjour|bonsoir|salut|coucou|hello|hey|hi|bjr|bsr|slt|allo|salutations|yo|rebonjour|bonjours)',
    '(bonne|bon) (matinee|apres midi|matin)',
    '[comment] (ca va|vas tu|allez vous|tu vas|vous allez|sa va) [bien] [aujourdhui]',
    '(quoi de neuf|enchante|enchantee|ravi de vous rencontrer)',
    '[est ce quil] [y] [a] [til] (quelquun|vous etes la|tu es la|etes vous la|es tu la|il y a quelquun|quelquun est la) [ici|la|de disponible]',
    '(cest|ceci est|juste) [juste] [un] (test|essai)',
  ],
  THANKS: [
    '[un grand|grand|mille|ok|non|bien|encore|un tout grand] (merci|mercii|thanks|thx|remerciements|merci bien|merci beaucoup|merci bcp|mille mercis)',
    'je (vous|te) remercie [beaucoup|bien|infiniment|vivement]',
    '(pour|de) (votre|ton|cette|la|ces|vos|tout|cela|ca|lavoir|mavoir|l) [excellente|rapide|bonne|precieuse] [aide|reponse|temps|informations|information|infos|explication|explications|reponses|soutien|patience|aide]',
    '(ca|cela) (maide|ma aide|ma (beaucoup|bien) aide|ma ete utile|a ete utile) [beaucoup]',
    `[(cest|cetait|ca a lair)|vous etes|tu es|tout est|quelle] ${very} ${good} [reponse|travail|boulot|idee]`,
    '(daccord|dac|compris|entendu|je vois|je comprends|ca marche|ok|okay|oki|cest (note|compris|clair|bon)|tres bien|jai compris|bien recu|bon travail|beau travail|bien joue)',
    '(cest tout|ce sera tout|rien dautre|je nai plus de questions|plus de questions) [pour (moi|aujourdhui)]',
  ],
  GOODBYE: [
    '(au revoir|aurevoir|bye|bye bye|adieu|a bientot|a plus|a plus tard|a demain|a la prochaine|ciao|tchao|bonne nuit|salut a bientot|a tout a lheure|prenez soin de vous|je dois y aller|je men vais)',
    '[je vous souhaite|passez|je te souhaite|passe] [une|un] (bonne|bon|belle|excellente|agreable) (journee|soiree|fin de journee|weekend|week end|apres midi|semaine|nuit|continuation)',
  ],
  IDENTITY: [
    '[mais] (qui|quoi) (es tu|etes vous|tes|es|etes) [tu|vous] [exactement|vraiment|donc]',
    '(tu es|vous etes|tes) (qui|quoi) [exactement]',
    '(quest ce que|quest ce) (tu es|vous etes|que tu es|que vous etes)',
    '(comment (tu tappelles|tappelles tu|vous appelez vous|vous vous appelez)|(quel est|cest quoi) (ton|votre) (nom|prenom)|(as tu|avez vous) un nom)',
    '(a qui|avec qui) (je parle|parle je|suis je en train de parler|ai je affaire|est ce que je parle|ai je lhonneur)',
    `[est ce que] (es tu|etes vous|tu es|vous etes|tes|je parle a|parle je a|je discute avec|cest|est ce|je parle avec|suis je avec) [vraiment|bien|juste|juste] [un|une] [vrai|vraie] ${bot} [ou] [un|une|a un|a une] [${bot}]`,
    '(qui ta (cree|fait|programme|developpe|concu)|qui vous a (cree|fait|programme|developpe|concu)|presente toi|presentez vous|parle moi de toi|parlez moi de vous)',
    'quel (modele|modele de langage|ia) (es tu|etes vous|utilises tu|utilisez vous)',
  ],
  HELP: [
    '[jai besoin|besoin|je veux|je voudrais|jaurais besoin|nous avons besoin] [d|de|dune|de votre|de ton] (aide|daide|help|dun coup de main) [svp]',
    '(jai besoin|besoin) [d|de votre] (dassistance|assistance)',
    'a laide',
    '(aidez moi|aide moi|aidez nous|pouvez vous maider|peux tu maider|pourriez vous maider|tu peux maider|vous pouvez maider|pourrais tu maider|pouvez vous nous aider)',
    '(que|quoi|en quoi|comment) (peux tu|pouvez vous|sais tu|savez vous|pourriez vous|pourrais tu) (faire|maider|aider|repondre|nous aider|faire pour moi) [pour moi]',
    '(quest ce que) (tu peux|vous pouvez|tu sais|vous savez) [faire|faire pour moi]',
    '(tu peux|vous pouvez|tu sais|vous savez) faire quoi',
    '(que|quoi|quest ce que) (puis je|je peux|peut on|on peut) (demander|te demander|vous demander|faire|vous poser comme questions) [ici]',
    '(comment) (fonctionnes tu|fonctionnez vous|tu fonctionnes|vous fonctionnez|fonctionne (ce|le) (chat|bot|chatbot))',
    '(jai|javais|jaurais|nous avons) [juste] (une|des|quelques|plusieurs|encore une|une autre) [petite|autre] (question|questions)',
    '(puis je|je peux|est ce que je peux|puis je vous|je peux vous|je peux te) [te|vous] (poser|demander) [une|des|quelque] (question|questions|chose)',
    '[juste] une [petite] question',
    'jai un (probleme|souci)',
  ],
  HUMAN: [
    `${want} (parler|discuter|echanger|chatter|tchatter|communiquer|etre mis en relation|etre mis en contact|contacter|joindre|avoir|ecrire|etre transfere|entrer en contact|voir) [directement] [a|avec|au|vers] (${person}|${team}) [au telephone|svp]`,
    `[pouvez vous|peux tu|pourriez vous] (mettez moi|mets moi|me mettre|me passer|passez moi|passe moi|transferez moi|transfere moi|me transferer|connectez moi|connecte moi|me connecter|dirigez moi|donnez moi|redirigez moi) [en (relation|contact|communication)] [avec|a|vers|au] (${person}|${team})`,
    `(je (veux|voudrais|souhaite|exige|prefere|cherche)|jai besoin|besoin|il me faut|jaimerais) [dun|dune|d|de] [un|une] [vrai|vraie] (humain|personne humaine|vrai humain|vraie personne|conseiller|agent|operateur|agent humain|conseiller humain|etre humain|interlocuteur)`,
    '(y a til|il y a|est ce quil y a|ya til|avez vous) [un|une|des] [vrai|vraie|vrais] (humain|humains|personne reelle|vraie personne|conseiller|agent|operateur|etre humain) [ici|disponible|derriere|la] [a qui parler]',
    '(est ce qu|est ce quun|un|une|quelquun|un conseiller|une personne) [un|une] [humain|conseiller|personne|agent] (peut|pourrait) [il] [me|m] (rappeler|contacter|aider|repondre|appeler|maider|mappeler)',
    '[un|une|le] [vrai|vraie] (humain|conseiller|agent|operateur|conseiller humain|agent humain|personne reelle|vraie personne|etre humain|vrai humain|conseiller clientele|service client|service clients|service clientele)',
    'je (ne veux pas|veux pas|ne souhaite pas|refuse de) (parler|discuter|parle|echanger) [a|avec] [un|une|ce|cette] (bot|robot|machine|chatbot|ia|ordinateur)',
    'pas [un|de] (bot|robot|chatbot|machine)',
    `(pouvez vous|peux tu|pourriez vous|pourrais tu|vous pouvez|merci de|est ce que vous (pouvez|pourriez)|(est ce que [quelquun]|quelquun|un conseiller|un agent) (peut|pourrait) [il|elle]|est ce quun conseiller (peut|pourrait)|est ce que quelquun (peut|pourrait)) ${callMe} [au phonenumber] [demain|aujourdhui|des que possible|rapidement]`,
    '[veuillez] (rappelez|rappelle|appelez|appelle|telephonez) (moi|nous) [au phonenumber] [demain|aujourdhui|des que possible|rapidement]',
    `((je|nous) (veux|voudrais|souhaite|souhaiterais|aimerais|prefere|voulons|souhaitons)|jaimerais [bien]|(puis|pourrais) je|est ce que je peux) etre ${called} [au phonenumber] [demain|aujourdhui|des que possible|rapidement]`,
    '((je|nous) (veux|voudrais|souhaite|souhaiterais|aimerais) [bien|avoir|recevoir|demander]|jaimerais [bien|avoir|recevoir]) un (rappel telephonique|appel telephonique|appel)',
    `((je (veux|voudrais|souhaite|souhaiterais|aimerais))|jaimerais) (quon|que quelquun|quun conseiller) (me rappelle|mappelle)`,
  ],
  COMPLAINT: [
    `(cest|ce nest|vous etes|tu es|tes|ce bot est|ce chat est|le bot est|ce chatbot est|ta reponse est|votre reponse est|la reponse est|cette reponse est|votre service est|le service est|ce service est|ca cest) ${very} [du|de la|une|un|pas|tres|tellement] ${bad} [bot|reponse|service|votre service|votre bot|du tout]`,
    '(inutile|nul|nulle|ridicule|lamentable|pathetique|nimporte quoi|merde|quelle (honte|blague|merde|perte de temps|catastrophe)|pas utile|honteux|scandaleux|inadmissible) [bot|reponse|service|du tout]',
    '(mauvaise|fausse) reponse',
    '(mauvais|stupide) (bot|service|chatbot|robot)',
    '(ca|cela) (ne maide|maide|ne sert|sert|nest|ne repond|ne ma|repond|ne maide) (pas|a rien|pas du tout) [aide|a rien|a ma question|utile|du tout|vrai|correct|ce que jai demande]',
    '(tu|vous|ca) (ne) (sers a rien|servez a rien|comprends rien|comprenez rien|comprends pas|comprenez pas|maides pas|maidez pas|sais rien|savez rien|sert a rien|reponds pas a ma question|repondez pas a ma question|repondez pas|reponds pas)',
    '(tu|vous|ca) (sers a rien|servez a rien|comprends rien|comprenez rien|sert a rien|racontes nimporte quoi|racontez nimporte quoi)',
    '(ce nest pas|cest pas) (ce que jai demande|ma question|la bonne reponse|ca|vrai|correct|bon|utile|ce que je (veux|demande))',
    '(je suis) [tres|vraiment|assez|tellement] (decu|decue|frustre|frustree|en colere|mecontent|mecontente|enerve|enervee|furieux|furieuse|fache|fachee|insatisfait) [de (vous|votre service|ca)]',
    '(je deteste (ca|ce bot|les bots)|ta gueule|ferme la|va te faire foutre|vas te faire foutre|connard|idiot|imbecile|jen ai marre|ras le bol|putain)',
  ],
  filler: [
    '(sil vous plait|sil te plait|s il vous plait|s il te plait|svp|stp|et|alors|donc|maintenant|la|ici|tous|tout le monde|a tous|a toutes|lequipe|encore|aujourdhui|oh|ah|euh|hmm|oui|non|ouais|mais|aussi|egalement|monsieur|madame|messieurs|mademoiselle|messieurs dames|cher|chere|lami|mon ami|bot|robot|chatbot|assistant|a vous|a toi|a vous aussi|vous aussi|beaucoup|bcp|davance|par avance|bien|pardon|desole|desolee|excusez moi|excuse moi|haha|lol|mdr|immediatement|vite|tout de suite|urgent|infiniment|du tout|cordialement)',
  ],
};
