import { createCitationMarkerScanner } from '../../output-filter/citation-marker-scanner.ts';

/** Returns the numbers of the sources that an answer cites, in order of first citation. Ignores markers in code. */
export function citedSources(answer: string): number[] {
  const scanner = createCitationMarkerScanner();
  const segments = [...scanner.push(answer), ...scanner.flush()];
  return [
    ...new Set(segments.flatMap((segment) => (segment.type === 'marker' ? segment.numbers : []))),
  ];
}
