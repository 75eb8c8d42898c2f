import type { Context } from '../context.ts';
import { isOpenAt, storedBusinessHours } from '../handoff/business-hours.ts';
import { holdingTextAt } from '../handoff/holding-text.ts';
import { requestHandoff } from '../handoff/request-handoff.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireOwnConversation, requireVisitor } from './require-visitor.ts';

export interface VisitorHandoff {
  /** What the visitor is told outside of the team's hours; null within them. */
  readonly outOfHoursText: string | null;
}

/** Asks the team to take over a conversation of the visitor's own. Throws `NOT_FOUND` for any other. */
export async function requestVisitorHandoff(
  context: Context,
  input: {
    readonly conversationId: string;
    readonly name?: string | null;
    readonly email?: string | null;
    readonly reason?: string | null;
  },
): Promise<VisitorHandoff> {
  const { visitor, service } = requireVisitor(context);
  const { projectId } = visitor;
  await requireOwnConversation(context, visitor, input.conversationId);
  await requestHandoff(service, { ...input, projectId });
  const project = await requireProject(service, projectId, 'chat');
  const now = new Date();
  const hours = storedBusinessHours(project);
  const isTeamThere = hours === null || isOpenAt(hours, now);
  return { outOfHoursText: isTeamThere ? null : holdingTextAt(project, now) };
}
