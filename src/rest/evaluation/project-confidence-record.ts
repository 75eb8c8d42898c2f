import type { ProjectQuery } from '../request/read-input.ts';

export interface ProjectConfidenceQuery extends ProjectQuery {
  /**
   * Answers to measure: rated ones, those of evaluation runs, or both (the default).
   * @example "ALL"
   */
  readonly basis?: 'ALL' | 'RATINGS' | 'QUESTION_SETS';
  /**
   * The promise: at most this share of the given answers is wrong. Default: 0.01, 0.02, 0.05, 0.1 and 0.2.
   * @minimum 0.001
   * @maximum 0.5
   * @example 0.05
   */
  readonly maxWrong?: number;
}

/** The map at one confidence. */
export interface ConfidenceMapPointRecord {
  /**
   * Confidence of an answer, in steps of 0.05.
   * @minimum 0
   * @maximum 1
   * @example 0.8
   */
  readonly confidence: number;
  /**
   * Share of accepted answers.
   * @minimum 0
   * @maximum 1
   * @example 0.91
   */
  readonly accepted: number;
  /**
   * Lower bound of its 95 % interval.
   * @minimum 0
   * @maximum 1
   * @example 0.88
   */
  readonly low: number;
  /**
   * Upper bound of that interval.
   * @minimum 0
   * @maximum 1
   * @example 0.93
   */
  readonly high: number;
}

/** Map from the confidence of an answer to the share of accepted answers in the project. */
export interface ConfidenceMapRecord {
  /**
   * How the map was fitted: by a logistic function of the log-odds (Platt), or by shares that never fall as the
   * confidence rises. The more accurate one for answers that it was not fitted to.
   * @example "ISOTONIC"
   */
  readonly method: 'LOGISTIC' | 'ISOTONIC';
  /** The map at confidences from 0 to 1. Interpolate between them. */
  readonly points: ConfidenceMapPointRecord[];
  /**
   * Mean squared error of the confidence.
   * @minimum 0
   * @maximum 1
   * @example 0.14
   */
  readonly brierBefore: number;
  /**
   * Mean squared error of the map, for answers that it was not fitted to.
   * @minimum 0
   * @maximum 1
   * @example 0.12
   */
  readonly brierAfter: number;
  /**
   * Expected calibration error of the confidence.
   * @minimum 0
   * @maximum 1
   * @example 0.11
   */
  readonly calibrationErrorBefore: number;
  /**
   * Expected calibration error of the map, for answers that it was not fitted to.
   * @minimum 0
   * @maximum 1
   * @example 0.03
   */
  readonly calibrationErrorAfter: number;
  /**
   * Whether the map is more accurate than the confidence by more than chance.
   * @example "BETTER"
   */
  readonly verdict: 'BETTER' | 'WORSE' | 'NO_DIFFERENCE';
}

/** Answers that a threshold lets through, and what it costs in refusals. */
export interface ThresholdEffectRecord {
  /**
   * The threshold.
   * @minimum 0
   * @maximum 1
   * @example 0.62
   */
  readonly threshold: number;
  /**
   * Number of rated or judged answers with at least this confidence.
   * @isInt
   * @minimum 0
   * @example 412
   */
  readonly answers: number;
  /**
   * Number of those that were not accepted.
   * @isInt
   * @minimum 0
   * @example 11
   */
  readonly wrong: number;
  /**
   * Upper bound of the share of wrong answers, with 95 % certainty. 1 without answers.
   * @minimum 0
   * @maximum 1
   * @example 0.045
   */
  readonly wrongAtMost: number;
  /**
   * Number of questions of the sets that the documents answer.
   * @isInt
   * @minimum 0
   * @example 500
   */
  readonly answerable: number;
  /**
   * Number of those that would be refused.
   * @isInt
   * @minimum 0
   * @example 61
   */
  readonly answerableRefused: number;
  /**
   * Number of questions of end users, at most the latest 50,000.
   * @isInt
   * @minimum 0
   * @example 9120
   */
  readonly questions: number;
  /**
   * Number of those that would be refused.
   * @isInt
   * @minimum 0
   * @example 1740
   */
  readonly questionsRefused: number;
}

/** The promise that at most a share of the given answers is wrong. */
export interface ConfidencePromiseRecord {
  /**
   * The share.
   * @minimum 0
   * @maximum 1
   * @example 0.05
   */
  readonly maxWrong: number;
  /**
   * Number of answers, all of them right, from which the promise can be made.
   * @isInt
   * @minimum 1
   * @example 59
   */
  readonly answersNeeded: number;
  /** The lowest threshold that keeps the promise with 95 % certainty. Null if no threshold does. */
  readonly kept: ThresholdEffectRecord | null;
}

/** Number of answers from which there is a map. */
export interface ConfidenceMapNeedsRecord {
  /**
   * Number of all answers.
   * @isInt
   * @minimum 1
   * @example 100
   */
  readonly answers: number;
  /**
   * Number of accepted answers, and of answers that were not accepted.
   * @isInt
   * @minimum 1
   * @example 10
   */
  readonly ofEach: number;
}

export interface ProjectConfidenceRecord {
  /**
   * Answers that were measured.
   * @example "ALL"
   */
  readonly basis: 'ALL' | 'RATINGS' | 'QUESTION_SETS';
  /**
   * Start of the period: 90 days ago.
   * @format date-time
   * @example "2026-08-23T09:30:00.000Z"
   */
  readonly since: string;
  /**
   * Number of answers that were rated or judged.
   * @isInt
   * @minimum 0
   * @example 530
   */
  readonly answers: number;
  /**
   * Number of accepted answers.
   * @isInt
   * @minimum 0
   * @example 471
   */
  readonly accepted: number;
  /**
   * Number of rated answers.
   * @isInt
   * @minimum 0
   * @example 130
   */
  readonly fromRatings: number;
  /**
   * Number of answers to questions of sets.
   * @isInt
   * @minimum 0
   * @example 400
   */
  readonly fromQuestionSets: number;
  readonly mapNeeds: ConfidenceMapNeedsRecord;
  /** Null if there are not enough answers: see `mapNeeds`. */
  readonly map: ConfidenceMapRecord | null;
  /** Effect of the threshold that the project has now. */
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
