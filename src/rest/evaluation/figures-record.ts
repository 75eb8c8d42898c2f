/** Names of the figures. The OpenAPI document has their descriptions from the GraphQL schema. */
type FigureName =
  | 'recallAt1'
  | 'recallAt5'
  | 'mrr'
  | 'firstCitationRight'
  | 'containsExpected'
  | 'refusedRight'
  | 'refusedWrongly'
  | 'modelRight'
  | 'auroc'
  | 'calibrationError'
  | 'latencyP50Ms'
  | 'latencyP95Ms'
  | 'tokens';

/** Number of questions to which each figure applies. */
export interface FigureCounts extends Readonly<Record<FigureName, number>> {}

/** Questions whose confidence is in the same tenth. */
export interface ReliabilityRecord {
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.8
   */
  readonly from: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.9
   */
  readonly to: number;
  /**
   * @isInt
   * @minimum 1
   * @example 34
   */
  readonly n: number;
  /**
   * Mean confidence of the answers in this range.
   * @minimum 0
   * @maximum 1
   * @example 0.84
   */
  readonly meanConfidence: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.88
   */
  readonly right: number;
}

/** Figures of a run, over the questions that were answered. A figure is null if it applies to no question of the run. */
export interface EvaluationFiguresRecord extends Readonly<Record<FigureName, number | null>> {
  readonly calibrationErrorLow: number | null;
  readonly calibrationErrorHigh: number | null;
  readonly reliability: ReliabilityRecord[];
  readonly n: FigureCounts;
}

/** The least good value that each figure may have. Null: the figure has no bound. */
export interface FigureBoundsRecord extends Readonly<Record<FigureName, number | null>> {}

/**
 * The least good value that each figure may have. `refusedWrongly`, `calibrationError`, the latencies and the tokens
 * fail above their bound, the other figures below. A figure without a bound, or without a value in a run, cannot fail.
 * @example {"recallAt5": 0.95, "refusedWrongly": 0.05}
 */
export interface FigureBoundsRequest extends Readonly<Partial<Record<FigureName, number | null>>> {}

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
   * @minimum 0
   * @maximum 1000000000000
   * @example 0.91
   */
  readonly value: number;
}

const names =
  'recallAt1 recallAt5 mrr firstCitationRight containsExpected refusedRight refusedWrongly modelRight auroc calibrationError latencyP50Ms latencyP95Ms tokens';

export const figureFields =
  `figures { ${names} calibrationErrorLow calibrationErrorHigh reliability { from to n meanConfidence right } n { ${names} } }` as const;
export const boundFields = `bounds { ${names} }` as const;
export const failedBoundFields = 'failedBounds { figure bound value }';
