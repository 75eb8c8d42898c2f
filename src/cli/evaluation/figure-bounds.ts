import { type Bound, highestBound, isBeyondBound } from '../../domain/evaluation/figure-bounds.ts';
import { type FigureName, figureNames, lowerIsBetter } from '../../domain/evaluation/figures.ts';
import { UsageError } from '../command.ts';

export interface CheckedBound extends Bound {
  /** Null: no question asks for the figure. */
  readonly value: number | null;
  /** False if the value is null. */
  readonly isMet: boolean;
}

const shortNames: ReadonlyMap<string, FigureName> = new Map([
  ['recall1', 'recallAt1'],
  ['recall5', 'recallAt5'],
]);

/**
 * Reads a list such as `recall5=.95,refusedWrongly=.05`.
 * @throws UsageError when a figure is unknown or repeated, or its bound is not a possible value
 */
export function parseBounds(text: string): Bound[] {
  const bounds = text.split(',').map(parseBound);
  const names = bounds.map(({ figure }) => figure);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new UsageError(`--fail-under has ${repeated} twice`);
  return bounds;
}

function parseBound(text: string): Bound {
  const [name = '', value = '', ...surplus] = text.split('=').map((part) => part.trim());
  const figure = shortNames.get(name) ?? figureNames.find((other) => other === name);
  if (figure === undefined) {
    const known = figureNames.join(', ');
    throw new UsageError(`--fail-under has the unknown figure "${name}". Figures: ${known}`);
  }
  const bound = value === '' || surplus.length > 0 ? Number.NaN : Number(value);
  const max = highestBound(figure);
  if (bound >= 0 && bound <= max) return { figure, bound };
  const range = max === 1 ? 'from 0 to 1' : 'of at least 0';
  throw new UsageError(`--fail-under needs a number ${range}: ${figure}=…`);
}

/** Compares the figures of a run with their bounds. A figure without a value does not meet its bound. */
export function checkBounds(
  bounds: readonly Bound[],
  figures: Readonly<Record<FigureName, number | null>>,
): CheckedBound[] {
  return bounds.map((bound) => {
    const value = figures[bound.figure];
    return { ...bound, value, isMet: value !== null && !isBeyondBound(bound, value) };
  });
}

/** Describes a bound that is not met. */
export function describeMissedBound({ figure, bound, value }: CheckedBound): string {
  if (value === null) {
    return `${figure} has no value, because no question of the set asks for it. Its bound is ${bound}.`;
  }
  const shown = Number(value.toPrecision(6));
  return `${figure} is ${shown}, ${lowerIsBetter.has(figure) ? 'above' : 'below'} its bound ${bound}.`;
}
