import { DomainError } from '../../platform/errors.ts';
import type { Subscription } from '../../platform/events/events.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { reauthorizeSubscription } from '../subscriptions/reauthorize-subscription.ts';
import { subscribeCaller } from '../subscriptions/subscribe-caller.ts';
import { decodeInboxCursor } from './inbox-cursor.ts';

/**
 * A change of a handoff, or a new message in its conversation. `position` is the number of the event in the project.
 * Numbers follow the order of commits.
 */
export type InboxEvent = Prisma.InboxEventGetPayload<object>;

/**
 * Subscribes to the project's inbox. Yields each event once and in order. Starts with the events after the cursor
 * `after`. Without `after`, yields only new events. `query` selects relations of the events.
 *
 * The stream closes with FORBIDDEN or UNAUTHENTICATED when the caller loses access, and with UNAVAILABLE when the
 * service stops.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError VALIDATION_FAILED when `after` is not a cursor of this inbox.
 * @throws DomainError CURSOR_EXPIRED when events after the cursor have been deleted.
 */
export async function watchInbox(
  context: Context,
  input: { readonly projectId?: string | null; readonly after?: string | null },
  query: Prisma.InboxEventDefaultArgs = {},
): Promise<AsyncGenerator<InboxEvent, void, undefined>> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  const subscription = subscribeCaller(context, { topic: 'inbox', projectId });
  try {
    const position = await requireStartPosition(context, projectId, input.after);
    return streamInboxEvents(context, subscription, { projectId, position, query });
  } catch (error) {
    subscription.close();
    throw error;
  }
}

async function requireStartPosition(
  { db }: Context,
  projectId: string,
  after: string | null | undefined,
): Promise<bigint> {
  const { inboxPosition: latest, inboxRemovedPosition: removed } =
    await db.project.findFirstOrThrow({ where: { id: projectId } });
  if (after == null) return latest;
  const position = decodeInboxCursor(after);
  if (position === null || position > latest) {
    throw new DomainError('VALIDATION_FAILED', 'after must be a cursor of this inbox');
  }
  if (position < removed) {
    const message =
      'Events after this cursor have been deleted. Read the handoffs and subscribe without a cursor';
    throw new DomainError('CURSOR_EXPIRED', message);
  }
  return position;
}

interface StreamStart {
  readonly projectId: string;
  readonly position: bigint;
  readonly query: Prisma.InboxEventDefaultArgs;
}

const pageSize = 100;

async function* streamInboxEvents(
  context: Context,
  subscription: Subscription,
  { projectId, position, query }: StreamStart,
): AsyncGenerator<InboxEvent, void, undefined> {
  let last = position;
  try {
    for (;;) {
      await reauthorizeSubscription(context, projectId, 'conversations:read');
      const page = await context.db.inboxEvent.findMany({
        ...query,
        where: { projectId, position: { gt: last } },
        orderBy: { position: 'asc' },
        take: pageSize,
      });
      for (const event of page) {
        last = event.position;
        yield event;
      }
      if (page.length < pageSize && (await subscription.next()) === null) return;
    }
  } finally {
    subscription.close();
  }
}
