import { createCitationMarkerScanner } from '../output-filter/citation-marker-scanner.ts';

/** Returns the numbers of the sources that an answer cites, in order of first citation. Ignores markers in code. */
export function citedSources(answer: string): number[] {
  const scanner = createCitationMarkerScanner();
  const pieces = [...scanner.push(answer), ...scanner.flush()];
  return [...new Set(pieces.flatMap((piece) => (piece.type === 'marker' ? piece.numbers : [])))];
}
