import type { AnswerSegment } from './answer-segment.ts';

export interface CitationNumbering {
  push(segments: readonly AnswerSegment[]): AnswerSegment[];
  /** Numbers of the cited sources, from 1. The marker `[n]` in the output refers to the n-th element. */
  readonly citedSources: readonly number[];
  /** From now on, removes all markers. */
  removeMarkers(): void;
}

/**
 * Creates a filter that numbers citation markers by first appearance, so the list of cited sources has no gaps. Changes
 * only the text of a marker. Its `numbers` remain positions in the list of all sources.
 */
export function createCitationNumbering(): CitationNumbering {
  const citedSources: number[] = [];
  let isRemoving = false;
  const renumber = (marker: string): string => {
    const source = Number(marker.slice(1, -1));
    if (!citedSources.includes(source)) citedSources.push(source);
    return `[${citedSources.indexOf(source) + 1}]`;
  };
  return {
    citedSources,
    removeMarkers() {
      isRemoving = true;
    },
    push: (segments) =>
      segments.flatMap((segment): AnswerSegment[] => {
        if (segment.type !== 'marker') return [segment];
        if (isRemoving) return [];
        return [{ ...segment, text: segment.text.replace(/\[\d+\]/g, renumber) }];
      }),
  };
}
