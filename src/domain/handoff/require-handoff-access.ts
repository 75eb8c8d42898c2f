import type { Context } from '../context.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import { type Agent, resolveAgent } from './resolve-agent.ts';

/** The handoff that a verb works on. */
export interface HandoffTarget {
  readonly handoffId: string;
  /** Project that the handoff must belong to. Default: any project in which the caller may work on handoffs. */
  readonly projectId?: string | null;
  /** E-mail address of the member for whom an API key acts. */
  readonly agent?: string | null;
}

/** A conversation that the caller may work on, and who works on it. */
export interface HandoffAccess extends Agent {
  readonly organizationId: string;
  readonly projectId: string;
  readonly conversationId: string;
}

/**
 * Returns the conversation of a handoff if the caller may work on it.
 *
 * @throws DomainError from `requireProject` and `resolveAgent`.
 * @throws DomainError NOT_FOUND when the handoff does not exist.
 */
export async function requireHandoffAccess(
  context: Context,
  { handoffId: id, projectId, agent }: HandoffTarget,
): Promise<HandoffAccess> {
  return requireAccess(context, { what: 'Handoff', id, projectId, agent }, (id) =>
    context.db.handoff.findUnique({
      where: { id },
      select: { projectId: true, conversationId: true },
    }),
  );
}

/**
 * Returns a conversation if the caller may work on its handoffs.
 *
 * @throws DomainError from `requireProject` and `resolveAgent`.
 * @throws DomainError NOT_FOUND when the conversation does not exist.
 */
export async function requireConversationAccess(
  context: Context,
  {
    conversationId: id,
    projectId,
    agent,
  }: Omit<HandoffTarget, 'handoffId'> & {
    readonly conversationId: string;
  },
): Promise<HandoffAccess> {
  return requireAccess(context, { what: 'Conversation', id, projectId, agent }, async (id) => {
    const where = { id };
    const found = await context.db.conversation.findUnique({ where, select: { projectId: true } });
    return found === null ? null : { projectId: found.projectId, conversationId: id };
  });
}

async function requireAccess(
  context: Context,
  target: Pick<HandoffTarget, 'projectId' | 'agent'> & {
    readonly what: string;
    readonly id: string;
  },
  find: (id: string) => Promise<Pick<HandoffAccess, 'projectId' | 'conversationId'> | null>,
): Promise<HandoffAccess> {
  const { resource: found, project } = await requireProjectResource(
    context,
    'handoffs:work',
    target,
    find,
  );
  const { organizationId } = project;
  const agent = await resolveAgent(context, organizationId, target.agent);
  return { ...found, ...agent, organizationId };
}
