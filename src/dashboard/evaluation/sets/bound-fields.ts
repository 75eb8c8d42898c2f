import { type FigureName, figureTexts } from '../runs/figure-texts.ts';
import type { SetSchedule } from './set-operations.ts';

/** The bounds as entered: shares in percent, '' without a bound. */
export type EnteredBounds = Record<FigureName, number | string>;

interface BoundField {
  /** Divisor from the entered to the stored number, such as 100 for percent. */
  readonly scale: number;
  readonly max: number;
  readonly suffix: string;
}

const share: BoundField = { scale: 100, max: 100, suffix: ' %' };
const milliseconds: BoundField = { scale: 1, max: 1e9, suffix: ' ms' };
const fields: { readonly [Name in FigureName]?: BoundField } = {
  mrr: { scale: 1, max: 1, suffix: '' },
  latencyP50Ms: milliseconds,
  latencyP95Ms: milliseconds,
  tokens: { scale: 1, max: 1e12, suffix: '' },
};

export const boundNames = Object.keys(figureTexts) as FigureName[];
export const boundField = (name: FigureName): BoundField => fields[name] ?? share;

export function enteredBounds(bounds: SetSchedule['bounds'] | undefined): EnteredBounds {
  const entries = boundNames.map((name) => {
    const bound = bounds?.[name] ?? null;
    return [name, bound === null ? '' : round(bound * boundField(name).scale)];
  });
  return Object.fromEntries(entries) as EnteredBounds;
}

export function boundsInput(entered: EnteredBounds) {
  const entries = boundNames.map((name) => {
    const bound = entered[name];
    return [name, typeof bound === 'number' ? round(bound / boundField(name).scale) : null];
  });
  return Object.fromEntries(entries) as Record<FigureName, number | null>;
}

/** Removes the rounding error of a factor of 100. */
const round = (value: number) => Number(value.toFixed(6));
