import type { Context } from '../context.ts';
import { type EventSpan, storeEvents } from './answer-events.ts';
import type { AnswerRun } from './answer-run.ts';

/** Stores the events of running answers, those of all together, every now and then: nobody waits for it. */
export interface EventWriter {
  add(run: AnswerRun, messageId: string): void;
  /** There are new events of an answer that was added. */
  notice(): void;
  /** Leaves an answer's events from now on to its end; says which are not stored yet. */
  release(run: AnswerRun): Promise<EventSpan>;
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
      await storeEvents({ pool }, batch);
      for (const { answer, seq, events } of batch) answer.stored = seq + events.length;
    } catch (error) {
      log.warn({ err: error }, 'the events of answers could not be stored yet');
    }
  };

  return {
    add: (run, messageId) => answers.set(run, { messageId, stored: 0 }),
    notice: schedule,
    async release(run) {
      const answer = answers.get(run);
      if (answer === undefined) return { seq: 0, events: [] };
      answers.delete(run);
      await writing;
      return { seq: answer.stored, events: run.events.slice(answer.stored) };
    },
  };
}

interface WrittenAnswer {
  readonly messageId: string;
  /** How many of its events are stored. */
  stored: number;
}

/** What does not fit stays where it is, in the answers, which readers need anyway. */
function nextBatch(answers: ReadonlyMap<AnswerRun, WrittenAnswer>) {
  let room = maxBatchEvents;
  return [...answers].flatMap(([run, answer]) => {
    const { messageId, stored: seq } = answer;
    const events = run.events.slice(seq, seq + room);
    room -= events.length;
    return events.length === 0 ? [] : [{ answer, messageId, seq, events }];
  });
}
