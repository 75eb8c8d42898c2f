import type { AnswerPiece, PieceFilter } from './answer-piece.ts';
import { createCitationMarkerScanner } from './citation-marker-scanner.ts';
import type { ScannedPiece } from './scan-state.ts';

/**
 * Creates a filter that normalizes citation markers to `[n]` with 1 ≤ n ≤ `sourceCount`.
 *
 * Other spellings are rewritten; lists and ranges become `[1][2]`. Numbers out of range are removed with the space
 * before them. Bracketed numbers of four or more digits get round brackets. Brackets in code, around other text and in
 * links stay unchanged.
 */
export function createCitationMarkerFilter(sourceCount: number): PieceFilter {
  const scanner = createCitationMarkerScanner();
  // After removing a marker at the start of a line, drop the space after it.
  let skipsNextSpace = false;
  const write = (piece: ScannedPiece): AnswerPiece[] => {
    if (piece.type === 'text') {
      const text = skipsNextSpace ? piece.text.replace(/^[^\S\n]+/u, '') : piece.text;
      skipsNextSpace &&= text === '';
      return text === '' ? [] : [{ ...piece, text }];
    }
    const numbers = piece.numbers.filter((number) => number >= 1 && number <= sourceCount);
    if (numbers.length === 0) {
      skipsNextSpace ||= piece.isAtLineStart;
      return [];
    }
    const [spaces = ''] = /^\s*/u.exec(piece.raw) ?? [];
    const markers = numbers.map((number) => `[${number}]`).join('');
    const text = skipsNextSpace ? markers : spaces + markers;
    skipsNextSpace = false;
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
