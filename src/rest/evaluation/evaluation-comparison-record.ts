import type { EvaluationResultRecord, EvaluationRunRecord } from './evaluation-run-record.ts';

/** A figure of two runs. Counts the questions that both runs answered and to which the figure applies. */
export interface FigureComparisonRecord {
  /**
   * Name of the figure.
   * @maxLength 40
   * @example "containsExpected"
   */
  readonly figure: string;
  /**
   * @isInt
   * @minimum 1
   * @example 120
   */
  readonly n: number;
  /**
   * @minimum 0
   * @maximum 1000000000000
   * @example 0.81
   */
  readonly before: number;
  /**
   * @minimum 0
   * @maximum 1000000000000
   * @example 0.88
   */
  readonly after: number;
  /**
   * @minimum -1000000000000
   * @maximum 1000000000000
   * @example 0.02
   */
  readonly low: number;
  /**
   * @minimum -1000000000000
   * @maximum 1000000000000
   * @example 0.12
   */
  readonly high: number;
  /** Whether the run `after` is better. `NO_DIFFERENCE`: the questions cannot show a difference. `TOO_FEW`: fewer than ten were compared. */
  readonly verdict: 'BETTER' | 'WORSE' | 'NO_DIFFERENCE' | 'TOO_FEW';
}

/** A question whose answers were judged differently in the two runs. */
export interface ChangedQuestionRecord {
  readonly questionId: string;
  /**
   * Text of the question, the same in both runs.
   * @maxLength 4000
   * @example "When does the sauna open?"
   */
  readonly question: string;
  /** Whether the answer of the run `after` is better. Null if it is better in one respect and worse in another. */
  readonly isBetter: boolean | null;
  readonly before: EvaluationResultRecord;
  readonly after: EvaluationResultRecord;
}

export interface EvaluationComparisonRecord {
  /** The run `runId`. */
  readonly before: EvaluationRunRecord;
  /** The run `otherRunId`. */
  readonly after: EvaluationRunRecord;
  /** The figures that can be compared. */
  readonly figures: FigureComparisonRecord[];
  readonly changedCount: number;
  readonly changed: ChangedQuestionRecord[];
}
