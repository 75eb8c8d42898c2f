import type { Context } from '../../context.ts';
import { storeAnswerEvents } from './answer-events.ts';
import type { AnswerRun } from './answer-run.ts';
import type { EventBatch } from './running-answers.ts';

/** Writes the events of all running answers to the database in batches, in the background. */
export interface EventWriter {
  add(run: AnswerRun, messageId: string): void;
  /** Schedules the next write. Call it when an answer that was added has new events. */
  scheduleWrite(): void;
  /** Stops writing an answer's events and returns the events that are not stored yet. */
  detach(run: AnswerRun): Promise<EventBatch>;
}

const intervalMs = 150;
const maxBatchEvents = 1_000;

export function createEventWriter({ pool, log }: Pick<Context, 'pool' | 'log'>): EventWriter {
  const answers = new Map<AnswerRun, WrittenAnswer>();
  let isScheduled = false;
  let writing: Promise<void> | undefined;

  const schedule = () => {
    if (isScheduled || writing !== undefined) return;
    isScheduled = true;
    setTimeout(start, intervalMs);
  };
  const start = () => {
    isScheduled = false;
    writing = write().finally(() => {
      writing = undefined;
      if (nextBatch(answers).length > 0) schedule();
    });
  };
  const write = async () => {
    const batch = nextBatch(answers);
    if (batch.length === 0) return;
    try {
      await storeAnswerEvents({ pool }, batch);
      for (const { answer, seq, events } of batch) answer.storedCount = seq + events.length;
    } catch (error) {
      log.warn({ err: error }, 'failed to store answer events, retrying');
    }
  };

  return {
    add: (run, messageId) => answers.set(run, { messageId, storedCount: 0 }),
    scheduleWrite: schedule,
    async detach(run) {
      const answer = answers.get(run);
      if (answer === undefined) return { seq: 0, events: [] };
      answers.delete(run);
      await writing;
      return { seq: answer.storedCount, events: run.events.slice(answer.storedCount) };
    },
  };
}

interface WrittenAnswer {
  readonly messageId: string;
  /** Number of events already stored. */
  storedCount: number;
}

/**
 * Returns the next events to write, at most `maxBatchEvents`. Further events wait for the next batch. Waiting events
 * need no additional memory, because an answer keeps all its events for its readers anyway.
 */
function nextBatch(answers: ReadonlyMap<AnswerRun, WrittenAnswer>) {
  let remaining = maxBatchEvents;
  return [...answers].flatMap(([run, answer]) => {
    const { messageId, storedCount: seq } = answer;
    const events = run.events.slice(seq, seq + remaining);
    remaining -= events.length;
    return events.length === 0 ? [] : [{ answer, messageId, seq, events }];
  });
}
