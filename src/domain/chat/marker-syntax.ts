import { fold } from '../knowledge/tokenize.ts';

/** What a bracket that was read to its end is: numbers of sources, another number, or no number at all. */
export type Bracket =
  | { readonly type: 'marker'; readonly numbers: readonly number[]; readonly length: number }
  | { readonly type: 'number'; readonly digits: string; readonly length: number }
  | { readonly type: 'other' };

/**
 * Reads the bracket at the start of `text`; null when more text is needed to tell.
 * Models write markers in many ways: `[1]`, `[[1]]`, `[1, 2]`, `[1-3]`, `[^1]`, `[source 2]`, `[#1]`, `[١]`,
 * `【1】`, `【1†source】`. A number of four and more digits, such as a year, is no marker.
 */
export function readBracket(text: string, isComplete: boolean): Bracket | null {
  const [whole, opening = '', inside = '', closing = ''] = wholeBracket.exec(text) ?? [];
  if (whole !== undefined) {
    const isCloserDue =
      opening.length === 2 && closing.length === 1 && whole.length === text.length;
    if (isCloserDue && !isComplete) {
      return null;
    }
    return meaningOf(
      inside,
      opening.length === 1 ? whole.length - closing.length + 1 : whole.length,
    );
  }
  const canBecomeMarker = text.length <= maxLength && !isComplete && partOfMarker.test(text);
  return canBecomeMarker ? null : { type: 'other' };
}

/** UTF-16 units of the longest marker. */
const maxLength = 64;
const wholeBracket = /^([[［【]{1,2})([^[\]［］【】\n`]{1,60})([\]］】]{1,2})/u;
const partOfMarker =
  /^[[［【]{1,2}[\s^]*(?:\p{L}{1,12}[\s.:]*)?(?:[#\p{Nd}\s,;、，；&/–—~〜.:-]|and|und|et|y|to|bis|source)*\p{L}{0,6}(?:†[^\]】\n]*)?$/iu;
// A separator is never empty: digits beside digits must match in one way only.
const separator = String.raw`(?:\s*(?:[,;、，；&/–—~〜-]|and|und|et|y|to|bis)\s*|\s+)`;
const label = String.raw`(?:(?:sources?|src|ref(?:erence)?s?|doc(?:ument)?s?|cit(?:ation)?s?|quellen?|fuentes?|来源|來源|出典|источники?)[\s.:]*)?#?`;
const markerInside = new RegExp(
  String.raw`^\^?\s*${label}\d{1,3}(?:${separator}${label}\d{1,3})*\s*(?:†.*)?$`,
  'u',
);

function meaningOf(inside: string, length: number): Bracket {
  const folded = fold(inside).trim();
  if (/^\d{4,}$/.test(folded)) {
    return { type: 'number', digits: inside.trim(), length };
  }
  if (!markerInside.test(folded)) {
    return { type: 'other' };
  }
  const list = folded.replace(/†.*$/u, '');
  const numbers = [...list.matchAll(/(\d+)(?:\s*(?:[–—~〜-]|\bto\b|\bbis\b)\s*(\d+))?/gu)];
  return {
    type: 'marker',
    numbers: [
      ...new Set(numbers.flatMap(([, from, to]) => range(Number(from), Number(to ?? from)))),
    ],
    length,
  };
}

function range(from: number, to: number): number[] {
  return to > from
    ? Array.from({ length: to - from + 1 }, (_, step) => from + step)
    : [...new Set([from, to])];
}
