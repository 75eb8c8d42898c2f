import { type Citation, citationFields } from '../chat/chat-response.ts';
import type { PageFields } from '../request/pagination.ts';
import {
  boundFields,
  type EvaluationFiguresRecord,
  type FailedBoundRecord,
  type FigureBoundsRecord,
  failedBoundFields,
  figureFields,
} from './figures-record.ts';
import { expectedTexts, type SetQuestionRecord } from './question-set-record.ts';

/** How many questions were asked. */
export interface EvaluationProgressRecord {
  /**
   * Questions that were asked.
   * @isInt
   * @minimum 0
   * @example 40
   */
  readonly done: number;
  /**
   * All questions.
   * @isInt
   * @minimum 1
   * @example 120
   */
  readonly total: number;
}

/**
 * How far the verdicts of the language model agree with the marks of people. Refusals do not count, because code decides
 * about them.
 */
export interface EvaluationAgreementRecord {
  /**
   * Number of answers with a verdict and a mark.
   * @isInt
   * @minimum 1
   * @example 20
   */
  readonly n: number;
  /**
   * Share of them with the same verdict and mark.
   * @minimum 0
   * @maximum 1
   * @example 0.9
   */
  readonly share: number;
  /**
   * Lower bound of its 95 % interval (Wilson).
   * @minimum 0
   * @maximum 1
   * @example 0.7
   */
  readonly low: number;
  /**
   * Upper bound of that interval.
   * @minimum 0
   * @maximum 1
   * @example 0.97
   */
  readonly high: number;
  /**
   * Cohen's kappa: 1 for full agreement, 0 for that of chance. Null if all verdicts and marks are the same.
   * @minimum -1
   * @maximum 1
   * @example 0.78
   */
  readonly kappa: number | null;
}

export interface EvaluationRunRecord {
  /**
   * Id of the run.
   * @format uuid
   * @example "01980a41-0b6c-7d4e-8f90-1a2b3c4d5e6f"
   */
  readonly id: string;
  /**
   * Id of the project whose assistant is asked.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
  /**
   * Id of the question set.
   * @format uuid
   * @example "01980a40-7d1a-7b52-9c1e-4b0f6a2d8e31"
   */
  readonly setId: string;
  /**
   * Version of the set that the run asks.
   * @isInt
   * @minimum 1
   * @example 3
   */
  readonly setVersion: number;
  /**
   * State of the run.
   * @example "DONE"
   */
  readonly status: 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';
  /**
   * Settings that differ from those of the project.
   * @example {"answerThreshold": 0.4}
   */
  readonly candidate: { [name: string]: unknown };
  readonly progress: EvaluationProgressRecord;
  /** Null unless the run is done. */
  readonly figures: EvaluationFiguresRecord | null;
  /**
   * Name of the language model that judges the answers, too. Null: only code does.
   * @maxLength 255
   * @example "gpt-5.4-mini"
   */
  readonly judgeModel: string | null;
  /** Agreement of its verdicts with the marks of people, now. Null without an answer that has both. */
  readonly agreement: EvaluationAgreementRecord | null;
  /**
   * Whether the schedule of the set has started the run.
   * @example false
   */
  readonly isScheduled: boolean;
  /** Bounds of the schedule when it started the run. */
  readonly bounds: FigureBoundsRecord;
  /** Figures that are worse than their bounds. Null unless the run is done. */
  readonly failedBounds: FailedBoundRecord[] | null;
  /**
   * Why the run has failed. Null otherwise.
   * @maxLength 500
   * @example "10 questions failed in a row: The model server cannot be reached"
   */
  readonly error: string | null;
  /**
   * Time of creation.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * Time at which the first question was asked. Null before.
   * @format date-time
   * @example "2026-11-21T09:30:01.000Z"
   */
  readonly startedAt: string | null;
  /**
   * Time of the end. Null before.
   * @format date-time
   * @example "2026-11-21T09:31:10.000Z"
   */
  readonly finishedAt: string | null;
}

export interface EvaluationRunPage extends PageFields {
  /** The runs, newest first. */
  readonly data: EvaluationRunRecord[];
}

/** A question as it was when the run started, with the answer and its judgement. */
export interface EvaluationResultRecord extends Omit<SetQuestionRecord, 'id' | 'conversationId'> {
  /**
   * Id of the question in the set.
   * @format uuid
   * @example "01980a40-7d1a-7b52-9c1e-4b0f6a2d8e32"
   */
  readonly questionId: string;
  /**
   * The answer. Null if the question failed: see `error`.
   * @example "The sauna opens at noon. [1]"
   */
  readonly answer: string | null;
  /** Chunks that the answer cites. */
  readonly citations: Citation[];
  /**
   * Confidence of the answer. Null if the question failed.
   * @minimum 0
   * @maximum 1
   * @example 0.87
   */
  readonly confidence: number | null;
  /**
   * Confidence before the answer was written, which is compared with the threshold. Null if the question failed.
   * @minimum 0
   * @maximum 1
   * @example 0.9
   */
  readonly retrievalConfidence: number | null;
  /**
   * Whether the expected document does not exist, or was left out. The question then does not count in recall and
   * citations.
   * @example false
   */
  readonly isDocumentMissing: boolean;
  /**
   * Rank of the expected document among the documents of ten search results, from 1. Null if it was not found, or none
   * is expected.
   * @isInt
   * @minimum 1
   * @maximum 10
   * @example 1
   */
  readonly rank: number | null;
  /**
   * Whether the first citation is of the expected document. Null if none is expected.
   * @example true
   */
  readonly firstCitationRight: boolean | null;
  /**
   * Whether the answer contains the expected texts. Null if none are expected.
   * @example true
   */
  readonly containsExpected: boolean | null;
  /**
   * Whether the assistant said that it does not know. Null if the question failed.
   * @example false
   */
  readonly refused: boolean | null;
  /**
   * Time of the answer in milliseconds. Null if the question failed.
   * @isInt
   * @minimum 0
   * @example 380
   */
  readonly latencyMs: number | null;
  /**
   * Input tokens of the chat model.
   * @isInt
   * @minimum 0
   * @example 1210
   */
  readonly inputTokens: number;
  /**
   * Output tokens of the chat model.
   * @isInt
   * @minimum 0
   * @example 48
   */
  readonly outputTokens: number;
  /**
   * Tokens of the embedding model.
   * @isInt
   * @minimum 0
   * @example 9
   */
  readonly embeddingTokens: number;
  /**
   * Verdict of the language model. Null if it was not asked, or gave none: see `modelReason`.
   * @example "RIGHT"
   */
  readonly modelVerdict: 'RIGHT' | 'WRONG' | null;
  /**
   * Reason of the verdict, or why there is none. Null if the model was not asked.
   * @maxLength 500
   * @example "The passage says that the sauna opens at noon."
   */
  readonly modelReason: string | null;
  /**
   * Input tokens of the verdict. They do not count in the figure `tokens`.
   * @isInt
   * @minimum 0
   * @example 640
   */
  readonly judgeInputTokens: number;
  /**
   * Output tokens of the verdict.
   * @isInt
   * @minimum 0
   * @example 21
   */
  readonly judgeOutputTokens: number;
  /**
   * What a person thinks of the answer. Null until someone has marked it.
   * @example "RIGHT"
   */
  readonly mark: 'RIGHT' | 'WRONG' | null;
  /**
   * Why there is no answer. Null if there is one.
   * @maxLength 500
   * @example "The model server cannot be reached"
   */
  readonly error: string | null;
}

export interface EvaluationResultPage extends PageFields {
  /** The results, in the order of the questions. */
  readonly data: EvaluationResultRecord[];
}

/** A figure over the questions that both runs have answered and that ask for it. */
export interface FigureComparisonRecord {
  /**
   * Name of the figure.
   * @maxLength 40
   * @example "containsExpected"
   */
  readonly figure: string;
  /**
   * Number of questions that were compared.
   * @isInt
   * @minimum 1
   * @example 120
   */
  readonly n: number;
  /**
   * Mean of the first run.
   * @minimum 0
   * @maximum 1000000000000
   * @example 0.81
   */
  readonly before: number;
  /**
   * Mean of the other run.
   * @minimum 0
   * @maximum 1000000000000
   * @example 0.88
   */
  readonly after: number;
  /**
   * Lower bound of the 95 % interval of the difference, from a paired bootstrap.
   * @minimum -1000000000000
   * @maximum 1000000000000
   * @example 0.02
   */
  readonly low: number;
  /**
   * Upper bound of that interval.
   * @minimum -1000000000000
   * @maximum 1000000000000
   * @example 0.12
   */
  readonly high: number;
  /**
   * Whether the other run is better. `NO_DIFFERENCE`: the questions cannot show a difference.
   * @example "BETTER"
   */
  readonly verdict: 'BETTER' | 'WORSE' | 'NO_DIFFERENCE';
}

/** A question that the two runs answered differently well. */
export interface ChangedQuestionRecord {
  /**
   * Id of the question in the set of the other run.
   * @format uuid
   * @example "01980a40-7d1a-7b52-9c1e-4b0f6a2d8e32"
   */
  readonly questionId: string;
  /**
   * The question.
   * @maxLength 4000
   * @example "When does the sauna open?"
   */
  readonly question: string;
  /**
   * Whether the other run answered it better. Null if it is better in one respect and worse in another.
   * @example true
   */
  readonly isBetter: boolean | null;
  readonly before: EvaluationResultRecord;
  readonly after: EvaluationResultRecord;
}

export interface EvaluationComparisonRecord {
  /** The first run. */
  readonly before: EvaluationRunRecord;
  /** The other run. */
  readonly after: EvaluationRunRecord;
  /** The figures that can be compared. */
  readonly figures: FigureComparisonRecord[];
  /**
   * Number of questions that were answered differently well.
   * @isInt
   * @minimum 0
   * @example 9
   */
  readonly changedCount: number;
  /** The first 200 of them, with at most 1 MB of texts, in the order of the set. */
  readonly changed: ChangedQuestionRecord[];
}

export const runFields =
  `id projectId setId setVersion status candidate progress { done total } ${figureFields} judgeModel agreement { n share low high kappa } isScheduled ${boundFields} ${failedBoundFields} error createdAt startedAt finishedAt` as const;
export const resultFields =
  `questionId question expected documentId documentName mustRefuse tags language answer citations { ${citationFields} } confidence retrievalConfidence isDocumentMissing rank firstCitationRight containsExpected refused latencyMs inputTokens outputTokens embeddingTokens modelVerdict modelReason judgeInputTokens judgeOutputTokens mark error` as const;

/** Returns a result whose expected texts are as the API writes them. */
export function resultRecord<
  Result extends Omit<EvaluationResultRecord, 'expected'> & { readonly expected: string[][] },
>(result: Result): EvaluationResultRecord {
  return { ...result, expected: expectedTexts(result.expected) };
}
