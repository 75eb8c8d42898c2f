export interface TrainingExample {
  readonly features: readonly number[];
  readonly isTrue: boolean;
  readonly weight: number;
}

/**
 * Fits a ridge logistic regression with Newton's method (Hastie, Tibshirani and Friedman 2009, section 4.4). Returns
 * the intercept, which is not penalized, followed by one coefficient per feature. No coefficient is below its value in
 * `lowerBounds`.
 */
export function fitLogisticRegression(
  examples: readonly TrainingExample[],
  lowerBounds: readonly number[],
): number[] {
  const size = (examples[0]?.features.length ?? 0) + 1;
  const fixed = new Array<number | null>(size).fill(null);
  for (;;) {
    const coefficients = fitByNewton(examples, fixed);
    const wrong = coefficients.findIndex(
      (value, index) => index > 0 && value < (lowerBounds[index - 1] ?? Number.NEGATIVE_INFINITY),
    );
    if (wrong === -1) return coefficients;
    fixed[wrong] = lowerBounds[wrong - 1] ?? 0;
  }
}

export function predict(coefficients: readonly number[], features: readonly number[]): number {
  const logit = [1, ...features].reduce(
    (sum, value, index) => sum + value * (coefficients[index] ?? 0),
    0,
  );
  return 1 / (1 + Math.exp(-logit));
}

const ridge = 1;

function fitByNewton(
  examples: readonly TrainingExample[],
  fixed: readonly (number | null)[],
): number[] {
  const free = fixed.flatMap((value, index) => (value === null ? [index] : []));
  const coefficients = fixed.map((value) => value ?? 0);
  for (let round = 0; round < 50; round += 1) {
    const gradient = free.map((index): number =>
      index === 0 ? 0 : ridge * (coefficients[index] ?? 0),
    );
    const hessian = free.map((row) =>
      free.map((column): number => (row === column && row !== 0 ? ridge : 0)),
    );
    for (const { features, isTrue, weight } of examples) {
      const values = free.map((index) => (index === 0 ? 1 : (features[index - 1] ?? 0)));
      const p = predict(coefficients, features);
      values.forEach((left, row) => {
        gradient[row] = (gradient[row] ?? 0) + weight * (p - Number(isTrue)) * left;
        const line = hessian[row] ?? [];
        values.forEach((right, column) => {
          line[column] = (line[column] ?? 0) + weight * p * (1 - p) * left * right;
        });
      });
    }
    const step: readonly number[] = solve(hessian, gradient);
    free.forEach((index, place) => {
      coefficients[index] = (coefficients[index] ?? 0) - (step[place] ?? 0);
    });
    if (Math.max(...step.map(Math.abs)) < 1e-8) break;
  }
  return coefficients;
}

/** Solves a linear system by Gaussian elimination with pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index] ?? 0]);
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let pivot = 0; pivot < rows.length; pivot += 1) {
    const best = rows.reduce(
      (top, _, row) =>
        row > pivot && Math.abs(at(row, pivot)) > Math.abs(at(top, pivot)) ? row : top,
      pivot,
    );
    [rows[pivot], rows[best]] = [rows[best] ?? [], rows[pivot] ?? []];
    if (at(pivot, pivot) === 0) throw new Error('A feature depends on the others');
    for (let row = 0; row < rows.length; row += 1) {
      if (row === pivot) continue;
      const factor = at(row, pivot) / at(pivot, pivot);
      rows[row] = rows[row]?.map((value, column) => value - factor * at(pivot, column)) ?? [];
    }
  }
  return rows.map((row, index) => (row[rows.length] ?? 0) / at(index, index));
}
