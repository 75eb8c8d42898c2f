import { markerScanner, type Piece } from './marker-scanner.ts';

/** The numbers of the sources an answer cites, in the order they are first cited. Markers in code count not. */
export function citedSources(answer: string): number[] {
  return [...new Set(piecesOf(answer).flatMap((p) => (p.type === 'marker' ? p.numbers : [])))];
}

/** The answer as it reads without its markers. */
export function withoutMarkers(answer: string): string {
  return piecesOf(answer)
    .map((piece) => (piece.type === 'text' ? piece.text : ''))
    .join('');
}

function piecesOf(answer: string): Piece[] {
  const scanner = markerScanner();
  return [...scanner.push(answer), ...scanner.flush()];
}
