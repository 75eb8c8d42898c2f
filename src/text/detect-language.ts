import { fold } from './tokenize.ts';

/** The languages of the widget. The built-in replies have the same languages. */
export const languages = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'] as const;

export type Language = (typeof languages)[number];

/**
 * Guesses the language of a text by its function words and letters. Returns null if no language is clearly the most
 * likely one, or if the language is not in `languages`.
 */
export function detectLanguage(text: string): Language | null {
  const start = text.slice(0, maxLength);
  const scores = new Map<Language, number>();
  const add = (language: Language, points: number) =>
    scores.set(language, (scores.get(language) ?? 0) + points);
  for (const word of new Set(fold(start).match(/\p{L}+/gu) ?? [])) {
    const known = wordLanguages.get(word) ?? [];
    // A word of several languages is weaker evidence for each of them.
    for (const language of known) add(language, 1 / known.length);
  }
  for (const [language, letters] of typicalLetters) if (letters.test(start)) add(language, 1);
  const [best, next] = [...scores].sort(([, a], [, b]) => b - a);
  if (best === undefined) return null;
  const [language, points] = best;
  return points >= minPoints && points >= (next?.[1] ?? 0) * minLead ? language : null;
}

/** Whether a text is in English, or in a language that is not clear. */
export function mayBeEnglish(text: string): boolean {
  return (detectLanguage(text) ?? 'en') === 'en';
}

/** Whether a text is clearly in another language. Either its detected language is another one, or its script is. */
export function isForeignTo(text: string, language: Language): boolean {
  const start = text.slice(0, maxLength);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  const latin = start.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters >= minLetters && 2 * latin < letters) return true;
  const detected = detectLanguage(text);
  return detected !== null && detected !== language;
}

const minLetters = 4;

/** Maximum length of the text that is examined, in UTF-16 units. */
const maxLength = 1_000;
const minPoints = 1.5;
const minLead = 1.5;

/** Letters that only one of the languages uses, and a few letters that are typical of it. */
const typicalLetters: readonly (readonly [Language, RegExp])[] = [
  ['de', /[äöüß]/iu],
  ['es', /[ñ¿¡]/iu],
  ['fr', /[œêèçû]|\b(?:qu|[cdjlmnst])['’]/iu],
  ['pt', /[ãõ]/iu],
  ['nl', /\bij|ijk\b|(?<![\p{L}\p{N}.])['’]s\b/iu],
];

/** Function words and question words of each language, normalized with `fold`. */
const functionWords: Readonly<Record<Language, string>> = {
  en: `the a an is are was were be been do does did has have had can could will would should may must i you he she it we
    they my your his her our their me him us them this that these those what which who whom whose when where why how much
    many and or but if not no of to in on at by for with from about as than then there here please any some long cost get find make`,
  de: `der die das den dem des ein eine einen einem einer eines ist sind war waren wird werden wurde hat haben hatte
    kann koennen konnen muss mussen soll darf ich du er sie es wir ihr mein meine meinen mein dein ihre ihren sein mich
    dich mir uns was wer wie wo wann warum wieso welche welcher welches wieviel viel viele und oder aber wenn nicht kein
    keine von zu zum zur im in am an auf bei mit nach aus uber unter fur bitte gibt man noch auch lange gilt kostet kosten bekomme finde geht mache heisst moglich`,
  es: `el la los las un una unos unas es son era fue ser estar esta estan hay ha han tiene tengo tienen puedo puede pueden
    debo yo tu usted ellos ella nosotros mi mis su sus me te se le les nos que cual cuales quien cuando donde como cuanto
    cuanta cuantos cuantas porque por para con sin de del al en y o pero si no muy mas este esta ese esa hacer cuesta dura tengo`,
  fr: `le la les un une des est sont etait etre a ai as ont avez avoir peut peux puis pouvez doit je tu il elle on nous vous
    ils elles mon ma mes ton ta tes son sa ses votre vos notre nos me te se que qui quoi quel quelle quels quelles quand ou
    comment combien pourquoi et mais si ne pas de du au aux en dans sur sous pour par avec sans ce cet cette ces y est combien coute dure faire`,
  it: `il lo la i gli le un uno una e sono era essere ha hanno ho hai posso puo possono devo deve io tu lui lei noi voi loro
    mio mia miei suo sua mi ti si ci vi che chi cosa quale quali quando dove come quanto quanta quanti quante perche e o ma
    se non di del della dei delle degli da dal dalla in nel nella su sul sulla per con senza questo questa questi costa dura fare`,
  nl: `de het een is zijn was waren wordt worden heeft hebben had kan kunnen mag moet moeten zal wil ik jij je u hij zij ze
    wij we jullie mijn jouw uw hun haar me mij ons wat wie waar wanneer hoe hoeveel welke welk waarom en of maar als niet
    geen van te in op aan bij met naar uit over voor door er dit dat deze die ook nog alstublieft lang kost duurt krijg vind`,
  pt: `o a os as um uma uns umas e sao era foi ser estar esta estao ha tem tenho posso pode podem devo eu tu voce voces ele
    ela eles nos meu minha meus seu sua seus me te se lhe que qual quais quem quando onde como quanto quanta quantos
    quantas porque por para com sem de do da dos das ao no na nos nas em e ou mas se nao muito mais este esta esse essa isso custa dura fazer`,
};

const wordLanguages = new Map<string, Language[]>();
for (const language of languages) {
  for (const word of new Set(functionWords[language].split(/\s+/))) {
    wordLanguages.set(word, [...(wordLanguages.get(word) ?? []), language]);
  }
}
