import type { AnswerSegment, SegmentFilter } from './answer-segment.ts';
import { createCitationMarkerScanner } from './citation-marker-scanner.ts';
import { type CountFiltered, ignoreFiltered } from './filtered-parts.ts';
import type { ScannedSegment } from './scan-state.ts';

/**
 * Creates a filter that normalizes citation markers to `[n]` with 1 ≤ n ≤ `sourceCount`.
 *
 * Rewrites other spellings; lists and ranges become `[1][2]`. Removes numbers out of range, and the space before them.
 * Numbers of four or more digits get round brackets instead of square brackets. Does not change brackets in code, in
 * links and around other text.
 */
export function createCitationMarkerFilter(
  sourceCount: number,
  countFiltered: CountFiltered = ignoreFiltered,
): SegmentFilter {
  const scanner = createCitationMarkerScanner();
  // If a marker at the start of a line is removed, the space after it is also removed.
  let skipsNextSpace = false;
  const write = (segment: ScannedSegment): AnswerSegment[] => {
    if (segment.type === 'text') {
      const text = skipsNextSpace ? segment.text.replace(/^[^\S\n]+/u, '') : segment.text;
      skipsNextSpace &&= text === '';
      return text === '' ? [] : [{ ...segment, text }];
    }
    const numbers = segment.numbers.filter((number) => number >= 1 && number <= sourceCount);
    if (numbers.length === 0) {
      countFiltered('CITATION_MARKER');
      skipsNextSpace ||= segment.isAtLineStart;
      return [];
    }
    const [spaces = ''] = /^\s*/u.exec(segment.raw) ?? [];
    const markers = numbers.map((number) => `[${number}]`).join('');
    const text = skipsNextSpace ? markers : spaces + markers;
    skipsNextSpace = false;
    return [{ type: 'marker', text, numbers }];
  };
  return {
    push: (segments) =>
      segments.flatMap((segment) => {
        if (segment.type === 'text') return scanner.push(segment.text).flatMap(write);
        const before = scanner.interrupt().flatMap(write);
        return [...before, scanner.isInFencedCode ? { ...segment, isInCode: true } : segment];
      }),
    flush: () => scanner.flush().flatMap(write),
  };
}
