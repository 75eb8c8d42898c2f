import type { ProjectQuery } from '../request/read-input.ts';

export interface ProjectConfidenceQuery extends ProjectQuery {
  /**
   * Answers to measure: rated answers, answers of evaluation runs, or both. Default: both (`ALL`).
   * @example "ALL"
   */
  readonly basis?: 'ALL' | 'RATINGS' | 'QUESTION_SETS';
  /**
   * Maximum share of wrong answers to promise. Refusals do not count as answers. Default: 0.01, 0.02, 0.05, 0.1 and
   * 0.2.
   * @minimum 0.001
   * @maximum 0.5
   * @example 0.05
   */
  readonly maxWrong?: number;
}

/** One point of the map. */
export interface ConfidenceMapPointRecord {
  /**
   * Confidence of an answer, in steps of 0.05.
   * @minimum 0
   * @maximum 1
   * @example 0.8
   */
  readonly confidence: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.91
   */
  readonly accepted: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.88
   */
  readonly low: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.93
   */
  readonly high: number;
}

/** Map from the confidence of an answer to the share of accepted answers in the project. */
export interface ConfidenceMapRecord {
  /**
   * How the map was fitted. `LOGISTIC`: a logistic function of the log-odds of the confidence (Platt). `ISOTONIC`:
   * shares that never fall as the confidence rises. The service takes the method that is more accurate on answers that
   * it was not fitted to.
   */
  readonly method: 'LOGISTIC' | 'ISOTONIC';
  /** Points at confidences from 0 to 1. Interpolate between two points. */
  readonly points: ConfidenceMapPointRecord[];
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.14
   */
  readonly brierBefore: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.12
   */
  readonly brierAfter: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.11
   */
  readonly calibrationErrorBefore: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.03
   */
  readonly calibrationErrorAfter: number;
  /** Whether the map is more accurate than the confidence by more than chance. Never `TOO_FEW`. */
  readonly verdict: 'BETTER' | 'WORSE' | 'NO_DIFFERENCE' | 'TOO_FEW';
}

/** Answers that a threshold lets through, and what it costs in refusals. */
export interface ThresholdEffectRecord {
  /**
   * Lowest confidence with which the assistant answers.
   * @minimum 0
   * @maximum 1
   * @example 0.62
   */
  readonly threshold: number;
  readonly answers: number;
  readonly wrong: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.045
   */
  readonly wrongAtMost: number;
  readonly answerable: number;
  readonly answerableRefused: number;
  readonly questions: number;
  readonly questionsRefused: number;
}

/** The promise that at most the share `maxWrong` of the answers is wrong. Refusals do not count as answers. */
export interface ConfidencePromiseRecord {
  /**
   * Maximum share of wrong answers.
   * @minimum 0
   * @maximum 1
   * @example 0.05
   */
  readonly maxWrong: number;
  /**
   * @isInt
   * @minimum 1
   * @example 59
   */
  readonly answersNeeded: number;
  readonly kept: ThresholdEffectRecord | null;
}

/** Minimum numbers of answers for a map. */
export interface ConfidenceMapNeedsRecord {
  /**
   * Minimum number of rated or judged answers.
   * @isInt
   * @minimum 1
   * @example 100
   */
  readonly answers: number;
  /**
   * @isInt
   * @minimum 1
   * @example 10
   */
  readonly ofEach: number;
}

export interface ProjectConfidenceRecord {
  /** Answers that were measured. */
  readonly basis: 'ALL' | 'RATINGS' | 'QUESTION_SETS';
  readonly since: string;
  /** Number of answers that were rated or judged. */
  readonly answers: number;
  readonly accepted: number;
  readonly fromRatings: number;
  readonly fromQuestionSets: number;
  readonly mapNeeds: ConfidenceMapNeedsRecord;
  readonly map: ConfidenceMapRecord | null;
  readonly current: ThresholdEffectRecord;
  /** The promises, the strictest first. */
  readonly promises: ConfidencePromiseRecord[];
}

const effectFields =
  'threshold answers wrong wrongAtMost answerable answerableRefused questions questionsRefused' as const;

export const confidenceFields = `
  basis since answers accepted fromRatings fromQuestionSets mapNeeds { answers ofEach }
  map {
    method points { confidence accepted low high } brierBefore brierAfter calibrationErrorBefore
    calibrationErrorAfter verdict
  }
  current { ${effectFields} }
  promises { maxWrong answersNeeded kept { ${effectFields} } }
` as const;
