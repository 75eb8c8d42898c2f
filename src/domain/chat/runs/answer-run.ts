import type { DomainError } from '../../../platform/errors.ts';
import { lostAccessReason, serviceAbortReason } from '../../../platform/errors.ts';
import type { ChatEvent } from '../chat-event.ts';
import { createEventLog } from './event-log.ts';

/**
 * A running answer and all its events so far. Generation does not depend on how many readers there are or how fast they
 * read.
 */
export interface AnswerRun {
  /** Whether generation continues after the client disconnects, so that the client can resume the answer. */
  readonly isResumable: boolean;
  /** Aborts when generation must stop immediately. */
  readonly signal: AbortSignal;
  /** Whether `stop` was called. */
  readonly isStopped: boolean;
  /**
   * Events so far; the index of an event is its `seq`. If the answer is not resumable, events that were already read
   * are removed.
   */
  readonly events: readonly ChatEvent[];
  /** Resolves when generation has finished and the result is stored. Never rejects. */
  readonly finished: Promise<void>;
  /**
   * Reads the events with `seq` ≥ `from` until the last event, or until `signal` aborts because the reader
   * disconnected. An answer that is not resumable can be read only once, from 0. If `signal` aborts because the service
   * is stopping, the answer is aborted and the reader receives the final error event. If `signal` aborts because this
   * reader lost access, a resumable answer continues for other readers. An answer that is not resumable is aborted and
   * stored when its reader leaves.
   *
   * @throws the error of `generate` when generation failed.
   * @throws DomainError UNAUTHENTICATED or FORBIDDEN when this reader of a resumable answer lost access.
   */
  read(from: number, signal: AbortSignal): AsyncGenerator<ChatEvent, void, undefined>;
  /** Stops generation because the end user requested it. The partial answer is kept. */
  stop(): void;
  /**
   * Aborts generation. With a `reason`, the answer fails. Without a `reason`, the answer counts as abandoned by its
   * reader.
   */
  abort(reason?: DomainError): void;
}

/** Generates the events of a run and passes each to `emit`. */
export type GenerateEvents = (run: AnswerRun, emit: (event: ChatEvent) => void) => Promise<void>;

/** Starts an answer: runs `generate` and calls `onEvent` after each event. */
export function startAnswerRun(
  isResumable: boolean,
  generate: GenerateEvents,
  onEvent: () => void,
): AnswerRun {
  const controller = new AbortController();
  const { signal } = controller;
  const log = createEventLog<ChatEvent>({ keepsEvents: isResumable });
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  let isStopped = false;

  const run: AnswerRun = {
    isResumable,
    signal,
    get isStopped() {
      return isStopped;
    },
    events: log.events,
    finished,
    async *read(from, readerSignal) {
      const readerController = new AbortController();
      const lostAccess = () => (isResumable ? lostAccessReason(readerSignal) : null);
      const onReaderAbort = () => {
        const reason = serviceAbortReason(readerSignal);
        if (reason === null || lostAccess() !== null) readerController.abort();
        else controller.abort(reason);
      };
      readerSignal.addEventListener('abort', onReaderAbort);
      if (readerSignal.aborted) onReaderAbort();
      try {
        yield* log.read(from, readerController.signal);
        const denied = lostAccess();
        if (denied !== null) throw denied;
      } finally {
        readerSignal.removeEventListener('abort', onReaderAbort);
        if (!isResumable) {
          controller.abort();
          await finished;
        }
      }
    },
    stop() {
      if (signal.aborted) return;
      isStopped = true;
      controller.abort();
    },
    abort: (reason) => controller.abort(reason),
  };

  const emit = (event: ChatEvent) => {
    log.push(event);
    onEvent();
  };
  generate(run, emit)
    .then(
      () => log.close(),
      (error: unknown) => log.close({ error }),
    )
    .finally(finish);
  return run;
}
