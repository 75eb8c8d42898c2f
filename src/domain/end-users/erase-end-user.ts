import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../platform/errors.ts';
import { auditEndUser } from '../audit/audit-end-user.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type EraseCounts, eraseBatch } from './erase-batch.ts';
import { stopEndUserAnswers } from './stop-end-user-answers.ts';

/** Identifies an end user of a project. */
export interface EndUserInput {
  readonly projectId?: string | null;
  /** Must match the `endUserId` of the conversations exactly. */
  readonly endUserId: string;
}

/** Number of deleted rows of each kind. */
export type EraseReport = EraseCounts;

/**
 * Deletes all stored data of an end user in a project: the conversations and all records about them. Usage counters
 * stay. Stops running answers first. Deletes in batches of whole conversations, each in one transaction. Safe to
 * repeat. Later messages of the end user are stored as usual.
 * @throws DomainError from `requireProject`
 * @throws DomainError UNAVAILABLE when requests of the end user do not finish in time; the call can be repeated
 */
export async function eraseEndUser(context: Context, input: EndUserInput): Promise<EraseReport> {
  const project = await requireProject(context, input.projectId, 'end-users:manage');
  const { id: projectId } = project;
  await auditEndUser(context, 'END_USER_ERASED', project, input.endUserId);
  const endUser = { projectId, endUserId: input.endUserId };
  const erased: Partial<EraseCounts>[] = [];
  let busyDeadline = performance.now() + busyTimeoutMs;
  for (;;) {
    context.signal.throwIfAborted();
    await stopEndUserAnswers(context, endUser);
    const batch = await eraseBatch(context, endUser);
    if (batch === 'EMPTY') return sumCounts(erased);
    if (batch === 'BUSY') {
      if (performance.now() > busyDeadline) throw busyError();
      await delay(busyPollMs, undefined, { signal: context.signal });
    } else {
      erased.push(batch);
      busyDeadline = performance.now() + busyTimeoutMs;
    }
  }
}

/**
 * Maximum time to wait for running requests. Answers stop within one second on every node, but requests of clients that
 * read slowly need longer.
 */
const busyTimeoutMs = 15_000;
const busyPollMs = 100;

function sumCounts(batches: readonly Partial<EraseCounts>[]): EraseReport {
  const sum = (name: keyof EraseCounts) =>
    batches.reduce((total, batch) => total + (batch[name] ?? 0), 0);
  return {
    conversations: sum('conversations'),
    messages: sum('messages'),
    handoffs: sum('handoffs'),
    satisfaction: sum('satisfaction'),
    notes: sum('notes'),
    inboxEvents: sum('inboxEvents'),
    feedback: sum('feedback'),
    questions: sum('questions'),
    streamEvents: sum('streamEvents'),
    webhookEvents: sum('webhookEvents'),
    webhookDeliveries: sum('webhookDeliveries'),
    webhookAttempts: sum('webhookAttempts'),
    jobs: sum('jobs'),
    keptAnswers: sum('keptAnswers'),
  };
}

function busyError(): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'Requests that may belong to this end user are still running: erase again after they have finished',
    { retryable: true },
  );
}
