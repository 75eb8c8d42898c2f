import type { Context } from '../context.ts';
import { findMembership } from '../organizations/members.ts';
import { requireInProject } from '../organizations/require-in-project.ts';

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
  return requireWork(context, { what: 'Handoff', id }, (id) =>
    context.db.handoff.findUnique({
      where: { id },
      select: { projectId: true, conversationId: true },
    }),
  );
}

/** Throws what `requireProject` throws, and `NOT_FOUND` for the conversation. */
export async function requireWorkOnConversation(context: Context, id: string): Promise<Work> {
  return requireWork(context, { what: 'Conversation', id }, async (id) => {
    const where = { id };
    const found = await context.db.conversation.findUnique({ where, select: { projectId: true } });
    return found === null ? null : { projectId: found.projectId, conversationId: id };
  });
}

async function requireWork(
  context: Context,
  named: { readonly what: string; readonly id: string },
  find: (id: string) => Promise<Pick<Work, 'projectId' | 'conversationId'> | null>,
): Promise<Work> {
  const { found, project } = await requireInProject(context, 'handoffs:work', named, find);
  const { organizationId } = project;
  const member = await findMembership(context, organizationId);
  return { ...found, organizationId, operator: member?.email ?? context.caller.type };
}
