import type { Token } from './tokenize.ts';

/** Overlapping pairs of characters, each with its marks; a single one alone. */
export function pairsOf(run: string): Token[] {
  const letters = [...run.matchAll(/\P{M}\p{M}*/gu)].map(([letter]) => letter);
  if (letters.length < 2) return [[run]];
  return letters.slice(1).map((letter, index) => [`${letters[index]}${letter}`]);
}

/** The words that ICU's dictionary finds. */
export function unspacedWords(run: string): Token[] {
  return [...new Intl.Segmenter('th', { granularity: 'word' }).segment(run)].map(({ segment }) => [
    segment,
  ]);
}

/**
 * The tokens of a run without white space: `XJ-9000` is `xj9000` with `xj`, then `9000`; `l'ete` is `ete`; `v2.4.1` is
 * also `2.4.1`.
 */
export function wordsOf(run: string): Token[] {
  if (/^(?:[\p{L}\p{M}]+|\p{N}+)$/u.test(run)) return [[run]];
  const word = run.replace(/['’]s$/u, '');
  const parts = word.split(PARTS).filter((part) => part.length > 1 || /\p{N}/u.test(part));
  if (/^[\p{L}\p{M}'’]+$/u.test(word)) return parts.map((part) => [part]);
  const [first, ...rest] = parts;
  const whole = wholeTerm(word);
  if (first === undefined || first === whole) return [[whole]];
  const version = /^v(\p{N}+(?:\.\p{N}+)+)$/u.exec(word)?.[1];
  return [[whole, ...(version ? [version] : []), first], ...rest.map((part) => [part])];
}

/** At separators, and between letters and digits. */
const PARTS = /[^\p{L}\p{M}\p{N}]+|(?<=\p{N})(?=\p{L})|(?<=\p{L}\p{M}?)(?=\p{N})/u;

/** With letters, separators go. `10,000.50` is `10000.50`, `3,5` is `3.5`, `12/08/2007` is `12.08.2007`. */
function wholeTerm(word: string): string {
  if (/\p{L}/u.test(word)) return word.replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
  const ungrouped = word.replace(
    /(?<=^\p{N}{1,3}|['’,.]\p{N}{3})['’,.](?=\p{N}{3}(?!\p{N}))/gu,
    '',
  );
  return ungrouped.replace(/\P{N}+/gu, '.');
}
