import { patternProblems, type SourceConfigInput } from './source-config.ts';

/** Patterns that select what a source reads. A type alias, because Prisma's JSON type does not accept interfaces. */
export type Selection = {
  /** Patterns of items that are read. Empty: all items. */
  readonly include: string[];
  readonly exclude: string[];
};

/** Returns the patterns of `input`. If patterns are absent in `input`, returns those of `current`, or none. */
export function selectionOf(
  { include, exclude }: SourceConfigInput,
  current: Partial<Selection>,
): Selection {
  return {
    include: [...(include ?? current.include ?? [])],
    exclude: [...(exclude ?? current.exclude ?? [])],
  };
}

export function selectionProblems({ include, exclude }: Selection): string[] {
  return [
    ...patternProblems('config.include', include),
    ...patternProblems('config.exclude', exclude),
  ];
}

/**
 * Returns a function that decides whether the source reads an item. `compile` is called once for each pattern, and
 * returns a function that compares items with this pattern.
 */
export function createSelector<Item>(
  { include, exclude }: Selection,
  compile: (pattern: string) => (item: Item) => boolean,
): (item: Item) => boolean {
  const [included, excluded] = [include.map(compile), exclude.map(compile)];
  return (item) =>
    (included.length === 0 || included.some((matches) => matches(item))) &&
    !excluded.some((matches) => matches(item));
}
