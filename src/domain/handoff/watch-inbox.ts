import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Watch } from '../events/events.ts';
import { requireStillAllowed } from '../events/still-allowed.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { requireProject } from '../organizations/require-project.ts';
import { findInboxPosition } from './inbox-cursor.ts';

/** Something that happened to a handoff; `position` numbers a project's in the order of their commits. */
export type InboxEvent = Prisma.InboxEventGetPayload<object>;

/**
 * The project's inbox events, each once and in order: with `after`, from the one behind that cursor on; without it
 * from now on. Ends with `FORBIDDEN` or `UNAUTHENTICATED` when the caller may read them no longer, and with
 * `UNAVAILABLE` when the service stops. `query` says what is read beside each. Throws what `requireProject` throws,
 * `VALIDATION_FAILED` for a cursor that is none of this inbox, and `CURSOR_EXPIRED` for one behind which events have
 * been removed for their age.
 */
export async function watchInbox(
  context: Context,
  input: { readonly projectId?: string | null; readonly after?: string | null },
  query: Prisma.InboxEventDefaultArgs = {},
): Promise<AsyncGenerator<InboxEvent, void, undefined>> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  const watch = context.events.watch({ topic: 'inbox', projectId }, context.signal);
  try {
    const position = await startOf(context, projectId, input.after);
    return follow(context, watch, { projectId, position, query });
  } catch (error) {
    watch.close();
    throw error;
  }
}

async function startOf(
  { db }: Context,
  projectId: string,
  after: string | null | undefined,
): Promise<bigint> {
  const { inboxPosition: latest, inboxRemovedPosition: removed } =
    await db.project.findFirstOrThrow({ where: { id: projectId } });
  if (after == null) return latest;
  const position = findInboxPosition(after);
  if (position === null || position > latest) {
    throw new DomainError('VALIDATION_FAILED', 'after must be a cursor of this inbox');
  }
  if (position < removed) {
    const message = 'Events behind this cursor are gone: read the handoffs, and watch without it';
    throw new DomainError('CURSOR_EXPIRED', message);
  }
  return position;
}

interface Place {
  readonly projectId: string;
  readonly position: bigint;
  readonly query: Prisma.InboxEventDefaultArgs;
}

const pageSize = 100;

async function* follow(
  context: Context,
  watch: Watch,
  { projectId, position, query }: Place,
): AsyncGenerator<InboxEvent, void, undefined> {
  let last = position;
  try {
    for (;;) {
      await requireStillAllowed(context, projectId, 'conversations:read');
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
      if (page.length < pageSize && (await watch.next()) === null) return;
    }
  } finally {
    watch.close();
  }
}
