import { endedFor } from '../context.ts';
import type { DomainError } from '../errors.ts';
import type { ChatEvent } from './chat-event.ts';
import { createEventLog } from './event-log.ts';

/**
 * An answer in the making, with all of its events so far. It goes on by itself, however many read it and however
 * fast, until it ends or is ended.
 */
export interface AnswerRun {
  /** It goes on when the one who asked leaves, and may be read by others. */
  readonly isResumable: boolean;
  /** Aborts when the answer is to end at once. */
  readonly signal: AbortSignal;
  /** Whether it was ended by `stop`. */
  readonly isStopped: boolean;
  /** The place of each is its `seq`. */
  readonly events: readonly ChatEvent[];
  /** Settles once nothing more happens and what there is has been stored. Never rejects. */
  readonly ended: Promise<void>;
  /**
   * The events with a `seq` from `from` on, to the last one or until `signal` aborts because its reader leaves. Where
   * it aborts because the service stops, that ends the answer, and the events go on to the one that says so. Throws
   * what the answer failed with where it could not begin.
   */
  read(from: number, signal: AbortSignal): AsyncGenerator<ChatEvent, void, undefined>;
  /** Ends it with what there is, as whoever it is for has asked. */
  stop(): void;
  /** Ends it as failed for this reason, or without one as given up by its reader. */
  abort(reason?: DomainError): void;
}

/** Draws all events from `generate`, and tells of each. */
export function startAnswerRun(
  isResumable: boolean,
  generate: (run: AnswerRun) => AsyncIterable<ChatEvent>,
  onEvent: () => void,
): AnswerRun {
  const controller = new AbortController();
  const { signal } = controller;
  const log = createEventLog<ChatEvent>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isStopped = false;

  const run: AnswerRun = {
    isResumable,
    signal,
    get isStopped() {
      return isStopped;
    },
    events: log.events,
    ended,
    async *read(from, reader) {
      const left = new AbortController();
      const leave = () => {
        const reason = endedFor(reader);
        if (reason === null) left.abort();
        else controller.abort(reason);
      };
      reader.addEventListener('abort', leave);
      if (reader.aborted) leave();
      try {
        yield* log.read(from, left.signal);
      } finally {
        reader.removeEventListener('abort', leave);
      }
    },
    stop() {
      if (signal.aborted) return;
      isStopped = true;
      controller.abort();
    },
    abort: (reason) => controller.abort(reason),
  };

  const draw = async () => {
    try {
      for await (const event of generate(run)) {
        log.push(event);
        onEvent();
      }
      log.close();
    } catch (error) {
      log.close({ error });
    } finally {
      end();
    }
  };
  void draw();
  return run;
}
