/** Letters outside ASCII that a language writes, in lower case. */
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

/** Share of the letters outside ASCII that counts as wrong if they are not all of one language of the encoding. */
const mixedLanguageShare = 0.3;

/**
 * Returns the encoding in which a text that is not Unicode reads best: `guess`, or one for Latin letters. Statistics of
 * letters fail for short texts, in which a few are foreign to the encoding: `café` is no Cyrillic `cafй`. If several
 * encodings read equally well, windows-1252 is usually right.
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

/** Counts the characters that a text in one of the languages does not contain at their place. */
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

/** Controls, replacement characters, private characters, and the lines of boxes. */
const unwritten = /[\x80-\x9f\ufffd\ue000-\uf8ff\u2500-\u259f]/g;
/** An accent without a letter, or a sign of currency that no keyboard has. */
const looseAccent = /[¨¯¸´ˆ˜˘˙˚˝˛ˇ¤¦]/g;
/** A sign of mathematics next to a letter. */
const mathNearLetter = /(?<=\p{L})(?![\0-\x7f×±])\p{Sm}|(?![\0-\x7f×±])\p{Sm}(?=\p{L})/gu;
/** In the encoding of Turkish, which more people write, the bytes are `ı`, `ş` and `ğ`. */
const icelandicLetter = /[ýþð]/gi;
/** Nearly all French words with this letter have `œu`. */
const ligature = /œ(?!u)/gi;
/** A symbol between two letters, but for apostrophes, hyphens, and the dot of Catalan. */
const symbolInWord = /(?<=\p{L})(?![’‘ʼ·\xad])[^\p{L}\p{M}\p{Zs}\p{Pd}\0-\x7f](?=\p{L})/gu;
/** A raised digit after letters that are no unit. */
const raisedDigit = /(?<=\p{L})(?<!(?<!\p{L})(?:[cdkm]?m|ft|in|yd|mi))[¹²³]/gu;
/** A capital outside ASCII after a small letter. */
const capitalInWord = /(?<=\p{Ll})(?![A-Z])\p{Lu}/gu;
/** A letter of another script next to a Latin one. */
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
