/** The terms of one word of a text. The first term is the whole word. */
export type Token = readonly string[];

/**
 * Returns the overlapping pairs of characters in a text. A character includes its combining marks. If the text has only
 * one character, returns this character.
 */
export function characterBigrams(run: string): Token[] {
  const characters = [...run.matchAll(/\P{M}\p{M}*/gu)].map(([letter]) => letter);
  if (characters.length < 2) return [[run]];
  return characters.slice(1).map((letter, index) => [`${characters[index]}${letter}`]);
}

/** Splits a text in a script without spaces, such as Thai, into words. Uses the dictionaries of ICU. */
export function segmentWords(run: string): Token[] {
  return [...new Intl.Segmenter('th', { granularity: 'word' }).segment(run)].map(({ segment }) => [
    segment,
  ]);
}

/**
 * Returns the tokens of a text without white space. `XJ-9000` has two tokens: one with the terms `xj9000` and `xj`, and
 * one with `9000`. `l'ete` becomes `ete`. `v2.4.1` also gets the term `2.4.1`.
 */
export function splitCompound(run: string): Token[] {
  if (/^(?:[\p{L}\p{M}]+|\p{N}+)$/u.test(run)) return [[run]];
  const word = run.replace(/['’]s$/u, '');
  const parts = word.split(partBoundary).filter((part) => part.length > 1 || /\p{N}/u.test(part));
  if (/^[\p{L}\p{M}'’]+$/u.test(word)) return parts.map((part) => [part]);
  const [first, ...rest] = parts;
  const whole = joinedTerm(word);
  if (first === undefined || first === whole) return [[whole]];
  const version = /^v(\p{N}+(?:\.\p{N}+)+)$/u.exec(word)?.[1];
  return [[whole, ...(version ? [version] : []), first], ...rest.map((part) => [part])];
}

/** Matches the boundaries of parts: separators, and positions between letters and digits. */
const partBoundary = /[^\p{L}\p{M}\p{N}]+|(?<=\p{N})(?=\p{L})|(?<=\p{L}\p{M}?)(?=\p{N})/u;

/**
 * Returns the normalized form of a word that contains separators. If the word contains letters, removes all separators.
 * In a number, removes thousands separators and replaces other separators with dots: `10,000.50` becomes `10000.50`,
 * `3,5` becomes `3.5`, `12/08/2007` becomes `12.08.2007`.
 */
function joinedTerm(word: string): string {
  if (/\p{L}/u.test(word)) return word.replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
  const ungrouped = word.replace(
    /(?<=^\p{N}{1,3}|['’,.]\p{N}{3})['’,.](?=\p{N}{3}(?!\p{N}))/gu,
    '',
  );
  return ungrouped.replace(/\P{N}+/gu, '.');
}
