import type { AnswerDraft } from '../answer-draft.ts';
import type { ChatEvent } from '../chat-event.ts';
import type { AnswerRun, GenerateEvents } from './answer-run.ts';

/** The answers that this process is generating now. */
export interface RunningAnswers {
  /**
   * Starts an answer. At most 1,000 resumable answers run at once in a process. Other answers need no limit, because
   * they stop when their reader disconnects.
   *
   * @throws DomainError UNAVAILABLE when too many resumable answers are running.
   */
  start(isResumable: boolean, generate: GenerateEvents): AnswerRun;
  /**
   * Registers an answer under its message id and renews its lease, so that any process can stop or resume it. Stores
   * the state of its draft about once a second.
   */
  register(run: AnswerRun, answerRef: AnswerRef, answer: Omit<RegisteredAnswer, 'run'>): void;
  /** Stops writing an answer's events and returns the events that must be stored with the final status. */
  detach(run: AnswerRun): Promise<EventBatch>;
  find(answerRef: AnswerRef): AnswerRun | null;
  /** Resolves when all current answers have finished, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
  /** Aborts all answers, which marks them as failed. Waits up to `shutdownTimeoutMs` until they are stored. */
  stop(): Promise<void>;
}

/** Identifies an answer by its message. */
export interface AnswerRef {
  readonly projectId: string;
  readonly messageId: string;
}

/** A running answer and its state so far. */
export interface RegisteredAnswer {
  readonly run: Pick<AnswerRun, 'stop' | 'abort'>;
  readonly draft: Pick<AnswerDraft, 'content' | 'usage' | 'chatModel' | 'searchTokens'>;
  /** Returns the trace until now in its stored form. Null: stores none. */
  readonly readTrace: () => Buffer | null;
}

/** Consecutive events of an answer, with the `seq` of the first. */
export interface EventBatch {
  /** The `seq` of the first event. */
  readonly seq: number;
  readonly events: readonly ChatEvent[];
}
