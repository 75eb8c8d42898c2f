/** The least good value that each figure may have. Null: the figure has no bound. */
export interface FigureBoundsRecord {
  /**
   * Lowest value of `recallAt1`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.85
   */
  readonly recallAt1: number | null;
  /**
   * Lowest value of `recallAt5`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.95
   */
  readonly recallAt5: number | null;
  /**
   * Lowest value of `mrr`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.9
   */
  readonly mrr: number | null;
  /**
   * Lowest value of `firstCitationRight`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.85
   */
  readonly firstCitationRight: number | null;
  /**
   * Lowest value of `containsExpected`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.8
   */
  readonly containsExpected: number | null;
  /**
   * Lowest value of `refusedRight`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.9
   */
  readonly refusedRight: number | null;
  /**
   * Highest value of `refusedWrongly`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.05
   */
  readonly refusedWrongly: number | null;
  /**
   * Lowest value of `modelRight`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.8
   */
  readonly modelRight: number | null;
  /**
   * Lowest value of `auroc`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.9
   */
  readonly auroc: number | null;
  /**
   * Highest value of `calibrationError`. Null: no bound.
   * @minimum 0
   * @maximum 1
   * @example 0.1
   */
  readonly calibrationError: number | null;
  /**
   * Highest value of `latencyP50Ms`. Null: no bound.
   * @minimum 0
   * @maximum 1000000000000
   * @example 500
   */
  readonly latencyP50Ms: number | null;
  /**
   * Highest value of `latencyP95Ms`. Null: no bound.
   * @minimum 0
   * @maximum 1000000000000
   * @example 2000
   */
  readonly latencyP95Ms: number | null;
  /**
   * Highest value of `tokens`. Null: no bound.
   * @minimum 0
   * @maximum 1000000000000
   * @example 200000
   */
  readonly tokens: number | null;
}

/** A figure that is worse than its bound. */
export interface FailedBoundRecord {
  /**
   * Name of the figure.
   * @maxLength 40
   * @example "recallAt5"
   */
  readonly figure: string;
  /**
   * The least good value that it may have.
   * @minimum 0
   * @maximum 1000000000000
   * @example 0.95
   */
  readonly bound: number;
  /**
   * Value of the figure in the run.
   * @minimum 0
   * @maximum 1000000000000
   * @example 0.91
   */
  readonly value: number;
}

const figureNames =
  'recallAt1 recallAt5 mrr firstCitationRight containsExpected refusedRight refusedWrongly modelRight auroc calibrationError latencyP50Ms latencyP95Ms tokens';

export const boundFields = `bounds { ${figureNames} }` as const;
export const failedBoundFields = 'failedBounds { figure bound value }';
