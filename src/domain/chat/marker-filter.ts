import { markerScanner, type Piece } from './marker-scanner.ts';
import type { TextFilter } from './text-filter.ts';

/**
 * Leaves no markers in an answer but `[n]` with 1 ≤ n ≤ `sourceCount`: other spellings are rewritten, lists
 * and ranges become `[1][2]`, numbers out of range are removed with the space before them, and a number of
 * four and more digits gets round brackets. Brackets in code and around anything else stay as they are.
 */
export function createMarkerFilter(sourceCount: number): TextFilter {
  const scanner = markerScanner();
  // Where the first thing in a line is removed, the space behind it has nothing to separate.
  let isSpaceDue = false;
  const write = (piece: Piece): string => {
    if (piece.type === 'text') {
      const text = isSpaceDue ? piece.text.replace(/^[^\S\n]+/u, '') : piece.text;
      isSpaceDue &&= text === '';
      return text;
    }
    const numbers = piece.numbers.filter((number) => number >= 1 && number <= sourceCount);
    if (numbers.length === 0) {
      isSpaceDue ||= piece.isAtLineStart;
      return '';
    }
    const [spaces = ''] = /^\s*/u.exec(piece.raw) ?? [];
    const markers = numbers.map((number) => `[${number}]`).join('');
    const isFirst = isSpaceDue;
    isSpaceDue = false;
    return isFirst ? markers : spaces + markers;
  };
  return {
    push: (text) => scanner.push(text).map(write).join(''),
    flush: () => scanner.flush().map(write).join(''),
  };
}
