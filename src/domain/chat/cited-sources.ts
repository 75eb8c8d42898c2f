import { markerScanner } from './marker-scanner.ts';

/** The numbers of the sources an answer cites, in the order they are first cited. Markers in code count not. */
export function citedSources(answer: string): number[] {
  const scanner = markerScanner();
  const pieces = [...scanner.push(answer), ...scanner.flush()];
  return [...new Set(pieces.flatMap((piece) => (piece.type === 'marker' ? piece.numbers : [])))];
}
