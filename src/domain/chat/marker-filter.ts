import type { AnswerPiece, PieceFilter } from './answer-piece.ts';
import { markerScanner, type Piece } from './marker-scanner.ts';

/**
 * Leaves no markers in an answer but `[n]` with 1 ≤ n ≤ `sourceCount`: other spellings are rewritten, lists
 * and ranges become `[1][2]`, numbers out of range are removed with the space before them, and a number of
 * four and more digits gets round brackets. Brackets in code and around anything else stay as they are,
 * and so do links.
 */
export function createMarkerFilter(sourceCount: number): PieceFilter {
  const scanner = markerScanner();
  // Where the first thing in a line is removed, the space behind it has nothing to separate.
  let isSpaceDue = false;
  const write = (piece: Piece): AnswerPiece[] => {
    if (piece.type === 'text') {
      const text = isSpaceDue ? piece.text.replace(/^[^\S\n]+/u, '') : piece.text;
      isSpaceDue &&= text === '';
      return text === '' ? [] : [{ ...piece, text }];
    }
    const numbers = piece.numbers.filter((number) => number >= 1 && number <= sourceCount);
    if (numbers.length === 0) {
      isSpaceDue ||= piece.isAtLineStart;
      return [];
    }
    const [spaces = ''] = /^\s*/u.exec(piece.raw) ?? [];
    const markers = numbers.map((number) => `[${number}]`).join('');
    const text = isSpaceDue ? markers : spaces + markers;
    isSpaceDue = false;
    return [{ type: 'marker', text, numbers }];
  };
  return {
    push: (pieces) =>
      pieces.flatMap((piece) =>
        piece.type === 'text'
          ? scanner.push(piece.text).flatMap(write)
          : [...scanner.interrupt().flatMap(write), piece],
      ),
    flush: () => scanner.flush().flatMap(write),
  };
}
