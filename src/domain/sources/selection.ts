import { patternProblems, type SourceConfigInput } from './source-config.ts';

/** Patterns that select what a source reads. Declared as a type alias for Prisma's JSON type. */
export type Selection = {
  /** Empty: everything. */
  readonly include: string[];
  readonly exclude: string[];
};

/** Returns the patterns of `input`. Absent ones stay as in `current`, or are empty. */
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
 * Returns a function that says whether the source reads an item. `compile` makes a pattern a function that compares the
 * item with it. It is called once for each pattern.
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
