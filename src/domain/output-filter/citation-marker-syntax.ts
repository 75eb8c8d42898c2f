import { fold } from '../../text/tokenize.ts';

/** A complete bracket. It contains source numbers, another number, or other text. */
export type Bracket =
  | { readonly type: 'marker'; readonly numbers: readonly number[]; readonly length: number }
  | { readonly type: 'number'; readonly digits: string; readonly length: number }
  | { readonly type: 'other' };

/**
 * Parses the bracket at the start of `text`. Returns null if more text is needed and `isComplete` is false.
 *
 * Models write markers in many forms: `[1]`, `[[1]]`, `[1, 2]`, `[1-3]`, `[^1]`, `[source 2]`, `[#1]`, `[١]`, `【1】`,
 * `【1†source】`. A number of four or more digits, such as a year, is not a marker.
 */
export function readBracket(text: string, isComplete: boolean): Bracket | null {
  const [whole, opening = '', inside = '', closing = ''] = wholeBracket.exec(text) ?? [];
  if (whole !== undefined) {
    const isSecondCloserPending =
      opening.length === 2 && closing.length === 1 && whole.length === text.length;
    if (isSecondCloserPending && !isComplete) {
      return null;
    }
    return classifyBracket(
      inside,
      opening.length === 1 ? whole.length - closing.length + 1 : whole.length,
    );
  }
  const canBecomeMarker = text.length <= maxLength && !isComplete && partialMarker.test(text);
  return canBecomeMarker ? null : { type: 'other' };
}

/** Maximum marker length in UTF-16 units. */
const maxLength = 64;
// `(?=(x*))\1` matches all of x and never backtracks. So the next part cannot match the same text in a second way.
const wholeBracket = /^([[［【]{1,2})([^[\]［］【】\n`]{1,60})([\]］】]{1,2})/u;
const partialMarker =
  /^[[［【]{1,2}(?=([\s^]*))\1(?:\p{L}{1,12}(?=([\s.:]*))\2)?(?:[#\p{Nd}\s,;、，；&/–—~〜.:-]|and|und|et|y|to|bis|source)*\p{L}{0,6}(?:†[^\]】\n]*)?$/iu;
// A separator is never empty. Otherwise adjacent digits could match in several ways (catastrophic backtracking).
const separator = String.raw`(?:\s*(?:[,;、，；&/–—~〜-]|and|und|et|y|to|bis)\s*|\s+)`;
const label = String.raw`(?:(?:sources?|src|ref(?:erence)?s?|doc(?:ument)?s?|cit(?:ation)?s?|quellen?|fuentes?|来源|來源|出典|источники?)[\s.:]*)?#?`;
const markerInside = new RegExp(
  String.raw`^\^?\s*${label}\d{1,3}(?:${separator}${label}\d{1,3})*\s*(?:†.*)?$`,
  'u',
);

function classifyBracket(inside: string, length: number): Bracket {
  const folded = fold(inside).trim();
  if (/^\d{4,}$/.test(folded)) {
    return { type: 'number', digits: inside.trim(), length };
  }
  if (!markerInside.test(folded)) {
    return { type: 'other' };
  }
  const list = folded.replace(/†.*/su, '');
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
