import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type Erased, eraseBatch } from './erase-batch.ts';
import { stopAnswers } from './stop-answers.ts';

/** Someone who chats, by the name that the project's own system has for them. */
export interface EndUserInput {
  readonly projectId?: string | null;
  /** Exactly as it was given to their conversations. */
  readonly endUserId: string;
}

/** How much was removed. */
export type EraseReport = Erased;

/**
 * Removes everything that the database holds of an end user in a project: their conversations and whatever tells of
 * these. Usage counters stay. Answers that are being generated are stopped first. Runs in batches of whole
 * conversations, each of them atomic, and may be repeated; what they write later begins anew.
 * Throws what `requireProject` throws, and `UNAVAILABLE` where their requests do not end in time: repeat it then.
 */
export async function eraseEndUser(context: Context, input: EndUserInput): Promise<EraseReport> {
  const { id: projectId } = await requireProject(context, input.projectId, 'end-users:manage');
  const endUser = { projectId, endUserId: input.endUserId };
  const erased: Partial<Erased>[] = [];
  let patientUntil = performance.now() + patienceMs;
  for (;;) {
    context.signal.throwIfAborted();
    await stopAnswers(context, endUser);
    const batch = await eraseBatch(context, endUser);
    if (batch === 'EMPTY') return sum(erased);
    if (batch === 'BUSY') {
      if (performance.now() > patientUntil) throw stillBusy();
      await delay(pauseMs, undefined, { signal: context.signal });
    } else {
      erased.push(batch);
      patientUntil = performance.now() + patienceMs;
    }
  }
}

/** Answers stop within a second, wherever they are generated; a client that reads slowly takes longer. */
const patienceMs = 15_000;
const pauseMs = 100;

function sum(batches: readonly Partial<Erased>[]): EraseReport {
  const of = (name: keyof Erased) =>
    batches.reduce((total, batch) => total + (batch[name] ?? 0), 0);
  return {
    conversations: of('conversations'),
    messages: of('messages'),
    handoffs: of('handoffs'),
    inboxEvents: of('inboxEvents'),
    feedback: of('feedback'),
    streamEvents: of('streamEvents'),
    webhookEvents: of('webhookEvents'),
    webhookDeliveries: of('webhookDeliveries'),
    webhookAttempts: of('webhookAttempts'),
    jobs: of('jobs'),
    keptAnswers: of('keptAnswers'),
  };
}

function stillBusy(): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'Requests that may be of this end user are still running: erase again when they have ended',
    { retryable: true },
  );
}
