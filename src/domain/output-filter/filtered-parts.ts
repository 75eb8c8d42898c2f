/** What the output filter removes, or changes so that it has no effect. */
export const filteredKinds = [
  'LINK',
  'CITATION_MARKER',
  'HTML_TAG',
  'CONTROL_CHARACTER',
  'PROMPT_LEAK',
] as const;

export type FilteredKind = (typeof filteredKinds)[number];

/** Counts a part of an answer that was removed or changed. Default count: 1. */
export type CountFiltered = (kind: FilteredKind, count?: number) => void;

export interface FilteredCount {
  readonly kind: FilteredKind;
  /** At least 1. */
  readonly count: number;
}

/** Creates a counter of filtered parts. `list` returns the kinds that occurred. */
export function createFilteredParts(): {
  readonly count: CountFiltered;
  list(): readonly FilteredCount[];
} {
  const counts = new Map<FilteredKind, number>();
  return {
    count(kind, count = 1) {
      if (count > 0) counts.set(kind, (counts.get(kind) ?? 0) + count);
    },
    list: () => Array.from(counts, ([kind, count]) => ({ kind, count })),
  };
}

/** For filters whose counts nobody reads. */
export const ignoreFiltered: CountFiltered = () => {};
