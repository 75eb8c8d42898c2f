import type { AnswerDraft } from '../answer-draft.ts';
import type { ChatEvent } from '../chat-event.ts';
import type { AnswerRun, GenerateEvents } from './answer-run.ts';

/** The answers that this process is generating. */
export interface RunningAnswers {
  /**
   * Starts an answer. At most 1,000 resumable answers run at once in a process. Other answers need no limit, because
   * they stop when their reader disconnects.
   *
   * @throws DomainError UNAVAILABLE when too many resumable answers are running.
   */
  start(isResumable: boolean, generate: GenerateEvents): AnswerRun;
  /**
   * Makes an answer findable by its message id and keeps its lease alive, so that any process can stop or resume it.
   * Stores the state of `draft` about once a second.
   */
  register(run: AnswerRun, answerRef: AnswerRef, draft: RegisteredAnswer['draft']): void;
  /** Stops writing an answer's events and returns those that must be stored with the final status. */
  detach(run: AnswerRun): Promise<EventBatch>;
  find(answerRef: AnswerRef): AnswerRun | null;
  /** Resolves when all current answers have finished, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
  /** Aborts all answers as failed and waits up to `shutdownTimeoutMs` until they are stored. */
  stop(): Promise<void>;
}

/** Identifies the message of an answer. */
export interface AnswerRef {
  readonly projectId: string;
  readonly messageId: string;
}

/** A running answer and its state so far. */
export interface RegisteredAnswer {
  readonly run: Pick<AnswerRun, 'stop' | 'abort'>;
  readonly draft: Pick<AnswerDraft, 'content' | 'usage' | 'embeddingTokens'>;
}

/** Consecutive events of an answer. */
export interface EventBatch {
  /** The `seq` of the first event. */
  readonly seq: number;
  readonly events: readonly ChatEvent[];
}
