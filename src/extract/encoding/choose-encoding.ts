/** For each language: the letters outside ASCII that its texts contain, in lower case. */
const westernLanguages = [
  'äöüßé', // German
  'àâæçéèêëîïôœùûüÿ', // French
  'áéíñóúüªº', // Spanish
  'àáâãçéêíóôõúü', // Portuguese
  'àèéìòù', // Italian
  'áäéèêëïíóöúü', // Dutch
  'åäöé', // Swedish and Finnish
  'æøåéèêóòâô', // Danish and Norwegian
  'àçèéíïòóúü', // Catalan
  'áðéíóúýþæö', // Icelandic
];
const centralLanguages = [
  'ąćęłńóśźż', // Polish
  'áčďéěíňóřšťúůýž', // Czech
  'áäčďéíĺľňóôŕšťúýž', // Slovak
  'áéíóöőúüű', // Hungarian
  'čćđšž', // Croatian and Slovene
  'ăâîșşțţ', // Romanian
];
const languagesOf: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': westernLanguages,
  'iso-8859-15': westernLanguages,
  'windows-1250': centralLanguages,
  'iso-8859-2': centralLanguages,
  'windows-1254': ['çğıöşüâîûi̇'],
  'windows-1257': ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž'],
  macintosh: westernLanguages,
};

/** If no language of the encoding has all letters outside ASCII of a text, this share of them counts as wrong. */
const mixedLanguageShare = 0.3;

/**
 * Returns the encoding with which a text reads best. The candidates are `guess` and encodings for Latin letters. The
 * text must not be Unicode. Statistics of letters fail for short texts with few letters outside ASCII: `café` is not
 * Cyrillic `cafй`. If several encodings are equally good, windows-1252 is preferred, because it is usually right.
 */
export function chooseEncoding(sample: Uint8Array, guess: string): string {
  let best = { encoding: guess, flaws: Number.POSITIVE_INFINITY };
  for (const encoding of new Set(['windows-1252', guess, ...Object.keys(languagesOf)])) {
    const text = new TextDecoder(encoding).decode(sample);
    const flaws = countFlaws(text, languagesOf[encoding] ?? []);
    if (flaws < best.flaws) best = { encoding, flaws };
  }
  return best.encoding;
}

/** Counts the characters that are wrong at their place in a text in one of the languages. */
function countFlaws(text: string, languages: readonly string[]): number {
  return (
    count(text, unwritten) +
    count(text, looseAccent) +
    count(text, mathNearLetter) +
    count(text, ligature) +
    count(text, icelandicLetter) * 0.1 +
    count(text, symbolInWord) +
    count(text, raisedDigit) +
    count(text, capitalInWord) +
    count(text, foreignLetter) +
    countForeignLetters(text, languages)
  );
}

/** Characters that people do not write: controls, replacement characters, private characters, and lines of boxes. */
const unwritten = /[\x80-\x9f\ufffd\ue000-\uf8ff\u2500-\u259f]/g;
/** An accent without a letter, or a currency sign that no keyboard has. */
const looseAccent = /[¨¯¸´ˆ˜˘˙˚˝˛ˇ¤¦]/g;
/** A mathematical sign next to a letter. */
const mathNearLetter = /(?<=\p{L})(?![\0-\x7f×±])\p{Sm}|(?![\0-\x7f×±])\p{Sm}(?=\p{L})/gu;
/** Icelandic letters. The same bytes are `ı`, `ş` and `ğ` in the encoding of Turkish, which more people write. */
const icelandicLetter = /[ýþð]/gi;
/** `œ` that is not followed by `u`. Nearly all French words with `œ` contain `œu`. */
const ligature = /œ(?!u)/gi;
/** A symbol between two letters, except apostrophes, hyphens, and the middle dot of Catalan. */
const symbolInWord = /(?<=\p{L})(?![’‘ʼ·\xad])[^\p{L}\p{M}\p{Zs}\p{Pd}\0-\x7f](?=\p{L})/gu;
/** A superscript digit after letters that are not a unit. */
const raisedDigit = /(?<=\p{L})(?<!(?<!\p{L})(?:[cdkm]?m|ft|in|yd|mi))[¹²³]/gu;
/** A capital letter outside ASCII after a small letter. */
const capitalInWord = /(?<=\p{Ll})(?![A-Z])\p{Lu}/gu;
/** A letter of another script next to a Latin letter. */
const foreignLetter =
  /(?<=\p{Script=Latin})[^\P{L}\p{Script=Latin}ªº]|[^\P{L}\p{Script=Latin}ªº](?=\p{Script=Latin})/gu;

function countForeignLetters(text: string, languages: readonly string[]): number {
  const letters = new Map<string, number>();
  let total = 0;
  for (const [letter] of text.toLowerCase().matchAll(/(?![a-z])\p{Script=Latin}/gu)) {
    letters.set(letter, (letters.get(letter) ?? 0) + 1);
    total += 1;
  }
  const foreignTo = (language: string) =>
    [...letters].reduce((sum, [letter, n]) => sum + (language.includes(letter) ? 0 : n), 0);
  const ofOne = languages.map(foreignTo);
  return Math.min(total, ...ofOne, foreignTo(languages.join('')) + total * mixedLanguageShare);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
