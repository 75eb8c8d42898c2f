import type { PageQuery } from '../request/pagination.ts';
import type { ProjectBody } from '../request/read-input.ts';

/**
 * Settings of the assistant to try. Omitted settings are those of the project.
 * @example {"answerThreshold": 0.4}
 */
export interface EvaluationCandidateRequest {
  /**
   * Instructions of the assistant.
   * @maxLength 10000
   * @example "Answer in one sentence."
   */
  readonly instructions?: string;
  /**
   * Confidence from which the assistant answers.
   * @minimum 0
   * @maximum 1
   * @example 0.4
   */
  readonly answerThreshold?: number;
  /**
   * Maximum number of chunks that the language model receives. Needs a language model.
   * @isInt
   * @minimum 1
   * @maximum 1000
   * @example 8
   */
  readonly contextChunks?: number;
  /**
   * Another chat model of the same model server. A model that the server does not have is refused.
   * @minLength 1
   * @maxLength 255
   * @example "gpt-5.4"
   */
  readonly chatModel?: string;
  /**
   * Another embedding model: `built-in/all-MiniLM-L6-v2`, or a model of the model server. The run first embeds all chunks
   * of the project, at most 20,000. Searches of end users do not change.
   * @minLength 1
   * @maxLength 255
   * @example "text-embedding-3-large"
   */
  readonly embeddingModel?: string;
  /**
   * Documents to leave out.
   * @maxItems 100
   * @example ["01980a3d-5a77-7c1e-9f6b-2b1d4e8a6c35"]
   */
  readonly withoutDocumentIds?: string[];
}

export interface StartEvaluationRequest extends ProjectBody {
  /**
   * Id of the question set to ask.
   * @format uuid
   * @example "01980a40-7d1a-7b52-9c1e-4b0f6a2d8e31"
   */
  readonly setId: string;
  readonly candidate?: EvaluationCandidateRequest;
  /**
   * Whether the language model of the installation judges the answers, too. Needs a language model. Default: false.
   * @example false
   */
  readonly judgeByModel?: boolean;
}

export interface MarkResultRequest extends ProjectBody {
  /**
   * What you think of the answer. Null removes the mark.
   * @example "RIGHT"
   */
  readonly mark: 'RIGHT' | 'WRONG' | null;
}

export interface EvaluationListQuery extends PageQuery {
  /**
   * Lists only runs of this set.
   * @maxLength 36
   * @example "01980a40-7d1a-7b52-9c1e-4b0f6a2d8e31"
   */
  readonly setId?: string;
}
