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

/** Whether the source reads an item. `matches` compares the item with one pattern. */
export function isSelected(
  {
    include,
    exclude,
  }: { readonly include: readonly string[]; readonly exclude: readonly string[] },
  matches: (pattern: string) => boolean,
): boolean {
  return (include.length === 0 || include.some(matches)) && !exclude.some(matches);
}
