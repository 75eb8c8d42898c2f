import { requirePermission } from '../caller.ts';
import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { findMembership } from '../organizations/members.ts';
import { requireProject } from '../organizations/require-project.ts';

/** A conversation that the caller may work on, and the name the caller works under. */
export interface Work {
  readonly organizationId: string;
  readonly projectId: string;
  readonly conversationId: string;
  /** The member's e-mail address, which is unique in the organization, or `service`. */
  readonly operator: string;
}

/** The conversation of a handoff. Throws what `requireProject` throws, and `NOT_FOUND` for the handoff. */
export async function requireWorkOnHandoff(context: Context, id: string): Promise<Work> {
  return requireWork(context, 'Handoff', id, () =>
    context.db.handoff.findUnique({
      where: { id },
      select: { projectId: true, conversationId: true },
    }),
  );
}

/** Throws what `requireProject` throws, and `NOT_FOUND` for the conversation. */
export async function requireWorkOnConversation(context: Context, id: string): Promise<Work> {
  return requireWork(context, 'Conversation', id, async () => {
    const where = { id };
    const found = await context.db.conversation.findUnique({ where, select: { projectId: true } });
    return found === null ? null : { projectId: found.projectId, conversationId: id };
  });
}

async function requireWork(
  context: Context,
  what: string,
  id: string,
  find: () => Promise<Pick<Work, 'projectId' | 'conversationId'> | null>,
): Promise<Work> {
  requirePermission(context.caller, 'handoffs:work');
  const found = isId(id) ? await find() : null;
  if (found === null) throw notFound(what);
  try {
    const project = await requireProject(context, found.projectId, 'handoffs:work');
    const member = await findMembership(context, project.organizationId);
    const operator = member?.email ?? context.caller.type;
    return { ...found, organizationId: project.organizationId, operator };
  } catch (error) {
    const isForeign = error instanceof DomainError && error.code === 'NOT_FOUND';
    throw isForeign ? notFound(what) : error;
  }
}
