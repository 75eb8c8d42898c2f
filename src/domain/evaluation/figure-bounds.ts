import { type FigureName, figureNames, lowerIsBetter } from './figures.ts';

/** The least good value that a figure may have. */
export interface Bound {
  readonly figure: FigureName;
  readonly bound: number;
}

/** Bounds by name of the figure. Absent or null: the figure has no bound. */
export type FigureBounds = { readonly [Name in FigureName]?: number | null };

/** A bound that a run has failed. A type alias, because interfaces are not assignable to Prisma's JSON type. */
export type FailedBound = {
  readonly figure: FigureName;
  readonly bound: number;
  readonly value: number;
};

/** Figures that are not shares, and can exceed 1. */
const unlimited: ReadonlySet<FigureName> = new Set(['latencyP50Ms', 'latencyP95Ms', 'tokens']);

/** Returns the highest bound that the figure may have. The lowest is 0. */
export function highestBound(figure: FigureName): number {
  return unlimited.has(figure) ? 1e12 : 1;
}

/** Returns whether a value is worse than its bound. A value that equals its bound is not. */
export function isBeyondBound({ figure, bound }: Bound, value: number): boolean {
  return lowerIsBetter.has(figure) ? value > bound : value < bound;
}

/** Returns the bounds as a list, in the order of the figures. */
export function listBounds(bounds: FigureBounds): Bound[] {
  return figureNames.flatMap((figure) => {
    const bound = bounds[figure];
    return bound == null ? [] : [{ figure, bound }];
  });
}

/** Returns the bounds that the figures of a run fail. A figure without a value fails none. */
export function findFailedBounds(
  bounds: FigureBounds,
  figures: Readonly<Record<FigureName, number | null>>,
): FailedBound[] {
  return listBounds(bounds).flatMap((bound) => {
    const value = figures[bound.figure];
    return value !== null && isBeyondBound(bound, value) ? [{ ...bound, value }] : [];
  });
}
