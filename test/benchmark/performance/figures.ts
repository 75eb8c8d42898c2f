/** A measured value: the median of all rounds. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** Null if the floor has nothing to compare with. */
  readonly floor: number | null;
  readonly service: number;
  /** Ratio of the service's value to the floor's value in the same round. The median of all rounds. */
  readonly ratio: number | null;
}

/** Each row contains the values of one round: floor, then service. */
export function figure(name: string, unit: string, rows: readonly (readonly number[])[]): Figure {
  return {
    ...{ name, unit },
    floor: median(rows.map(([floor = 0]) => floor)),
    service: median(rows.map(([, service = 0]) => service)),
    ratio: median(rows.map(([floor = 1, service = 0]) => service / floor)),
  };
}

/** A figure of the service only. `values` has one value for each round. */
export function serviceFigure(name: string, unit: string, values: readonly number[]): Figure {
  return { ...{ name, unit }, floor: null, service: median(values), ratio: null };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** Returns the smallest value that is not below this share of the values, or NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
