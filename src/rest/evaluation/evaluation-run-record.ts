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

/** Progress of a run. */
export interface EvaluationProgressRecord {
  /** Questions asked so far, including those without an answer. */
  readonly done: number;
  /**
   * Questions of the set when the run started.
   * @isInt
   * @minimum 1
   * @example 120
   */
  readonly total: number;
}

/**
 * Agreement of the verdicts of the language model with the marks of people. Refusals do not count, because code decides
 * about them.
 */
export interface EvaluationAgreementRecord {
  /**
   * @isInt
   * @minimum 1
   * @example 20
   */
  readonly n: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.9
   */
  readonly share: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.7
   */
  readonly low: number;
  /**
   * @minimum 0
   * @maximum 1
   * @example 0.97
   */
  readonly high: number;
  /**
   * @minimum -1
   * @maximum 1
   * @example 0.78
   */
  readonly kappa: number | null;
}

export interface EvaluationRunRecord {
  readonly id: string;
  readonly projectId: string;
  readonly setId: string;
  /**
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
  /** @example {"answerThreshold": 0.4} */
  readonly candidate: { [name: string]: unknown };
  readonly progress: EvaluationProgressRecord;
  readonly figures: EvaluationFiguresRecord | null;
  /**
   * @maxLength 255
   * @example "gpt-5.4-mini"
   */
  readonly judgeModel: string | null;
  /** Agreement of its verdicts with the marks of people, now. Null without an answer that has both. */
  readonly agreement: EvaluationAgreementRecord | null;
  readonly isScheduled: boolean;
  readonly bounds: FigureBoundsRecord;
  readonly failedBounds: FailedBoundRecord[] | null;
  /**
   * Why the run has failed. Null otherwise.
   * @maxLength 500
   * @example "10 questions failed in a row: The model server cannot be reached"
   */
  readonly error: string | null;
  readonly createdAt: string;
  /** Time at which the first question was asked. Null before. */
  readonly startedAt: string | null;
  /** Time of the end. Null before. */
  readonly finishedAt: string | null;
}

export interface EvaluationRunPage extends PageFields {
  /** The runs, newest first. */
  readonly data: EvaluationRunRecord[];
}

/** A question as it was when the run started, with the answer and its judgement. */
export interface EvaluationResultRecord extends Omit<SetQuestionRecord, 'id' | 'conversationId'> {
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
   * @minimum 0
   * @maximum 1
   * @example 0.9
   */
  readonly retrievalConfidence: number | null;
  readonly isDocumentMissing: boolean;
  /**
   * @isInt
   * @minimum 1
   * @maximum 10
   * @example 1
   */
  readonly rank: number | null;
  /** Whether the first citation is of the expected document. Null if none is expected. */
  readonly firstCitationRight: boolean | null;
  /** Whether the answer contains the expected texts. Null if none are expected. */
  readonly containsExpected: boolean | null;
  readonly refused: boolean | null;
  /** Time of the answer in milliseconds. Null if the question failed. */
  readonly latencyMs: number | null;
  /** Input tokens of the chat model. */
  readonly inputTokens: number;
  /** Output tokens of the chat model. */
  readonly outputTokens: number;
  /** Tokens of the embedding model. */
  readonly embeddingTokens: number;
  readonly modelVerdict: 'RIGHT' | 'WRONG' | null;
  /**
   * @maxLength 500
   * @example "The passage says that the sauna opens at noon."
   */
  readonly modelReason: string | null;
  readonly judgeInputTokens: number;
  readonly judgeOutputTokens: number;
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
