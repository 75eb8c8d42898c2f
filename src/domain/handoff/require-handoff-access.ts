import type { Context } from '../context.ts';
import { findMembership } from '../organizations/members.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';

/** A conversation that the caller may work on, and the name stored as the author of the caller's changes. */
export interface HandoffAccess {
  readonly organizationId: string;
  readonly projectId: string;
  readonly conversationId: string;
  /** The member's e-mail address, which is unique in the organization, or `service`. */
  readonly operator: string;
}

/**
 * Returns the conversation of a handoff if the caller may work on it.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the handoff does not exist.
 */
export async function requireHandoffAccess(context: Context, id: string): Promise<HandoffAccess> {
  return requireAccess(context, { what: 'Handoff', id }, (id) =>
    context.db.handoff.findUnique({
      where: { id },
      select: { projectId: true, conversationId: true },
    }),
  );
}

/**
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the conversation does not exist.
 */
export async function requireConversationAccess(
  context: Context,
  id: string,
): Promise<HandoffAccess> {
  return requireAccess(context, { what: 'Conversation', id }, async (id) => {
    const where = { id };
    const found = await context.db.conversation.findUnique({ where, select: { projectId: true } });
    return found === null ? null : { projectId: found.projectId, conversationId: id };
  });
}

async function requireAccess(
  context: Context,
  target: { readonly what: string; readonly id: string },
  find: (id: string) => Promise<Pick<HandoffAccess, 'projectId' | 'conversationId'> | null>,
): Promise<HandoffAccess> {
  const { resource: found, project } = await requireProjectResource(
    context,
    'handoffs:work',
    target,
    find,
  );
  const { organizationId } = project;
  const member = await findMembership(context, organizationId);
  return { ...found, organizationId, operator: member?.email ?? context.caller.type };
}
