import type { Activity } from '../../platform/events/activity-board.ts';
import type { Subscription } from '../../platform/events/events.ts';
import { newId } from '../../platform/ids.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { getConversation } from '../conversations/conversations.ts';
import { findMembership } from '../organizations/members.ts';
import { requireProject } from '../organizations/require-project.ts';
import { roleHasPermission } from '../permissions.ts';
import { reauthorizeSubscription } from '../subscriptions/reauthorize-subscription.ts';
import { subscribeCaller } from '../subscriptions/subscribe-caller.ts';
import { notifyActivitySql } from './notify-activity.ts';
import { resolveAgent } from './resolve-agent.ts';

/** A person who types in a conversation, or an agent who has the conversation open. */
export interface ConversationActivity {
  /** The agent, in the format of `Handoff.claimedBy`. Null: the end user. */
  readonly agent: string | null;
  /** True if the person is typing. False if the agent only has the conversation open. */
  readonly isTyping: boolean;
}

interface Watch {
  readonly projectId: string;
  readonly organizationId: string;
  readonly conversationId: string;
  readonly own: string;
}

/**
 * Yields what other people do in a conversation: immediately, and after each change. While a member who may work on
 * handoffs is subscribed, the others see that this member has the conversation open. The stream closes in the same
 * cases as `watchInbox`.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the conversation does not exist in the project.
 */
export async function watchConversationActivity(
  context: Context,
  input: { readonly projectId?: string | null; readonly conversationId: string },
): Promise<AsyncGenerator<readonly ConversationActivity[], void, undefined>> {
  const { id, organizationId } = await requireProject(
    context,
    input.projectId,
    'conversations:read',
  );
  const { conversationId } = input;
  await getConversation(context, { projectId: id, id: conversationId });
  const { operator: own } = await resolveAgent(context, organizationId, null);
  const target = { topic: 'activity', projectId: id, id: conversationId } as const;
  const watch = { projectId: id, organizationId, conversationId, own };
  return streamActivity(context, subscribeCaller(context, target), watch);
}

/** Longer than 30 s: a subscription without changes sends its next signal after 30 s. */
const viewingLifetimeMs = 45_000;
const viewingIntervalMs = 20_000;

async function* streamActivity(
  context: Context,
  subscription: Subscription,
  watch: Watch,
): AsyncGenerator<readonly ConversationActivity[], void, undefined> {
  const stream = newId();
  let signalledAt = Number.NEGATIVE_INFINITY;
  let emitted: string | null = null;
  try {
    for (;;) {
      if (performance.now() - signalledAt >= viewingIntervalMs && (await isAgent(context, watch))) {
        await signalViewing(context, watch, stream, viewingLifetimeMs);
        signalledAt = performance.now();
      }
      const others = othersOf(context.events.activity.list(watch), watch.own);
      if (JSON.stringify(others) !== emitted) {
        emitted = JSON.stringify(others);
        yield others;
      }
      if ((await subscription.next()) === null) return;
      await reauthorizeSubscription(context, watch.projectId, 'conversations:read');
    }
  } finally {
    subscription.close();
    // If this call fails, for example because the service stops, the signal expires by itself.
    if (signalledAt > 0) await signalViewing(context, watch, stream, 0).catch(() => {});
  }
}

/** Returns one entry for each other person. People who are typing come first. */
function othersOf(activities: readonly Activity[], own: string): readonly ConversationActivity[] {
  const byAgent = new Map<string | null, ConversationActivity>();
  for (const { actor, type } of activities) {
    if (actor === own) continue;
    const isTyping = type === 'TYPING' || byAgent.get(actor)?.isTyping === true;
    byAgent.set(actor, { agent: actor, isTyping });
  }
  return [...byAgent.values()].sort((a, b) => Number(b.isTyping) - Number(a.isTyping));
}

async function isAgent(context: Context, { organizationId }: Watch): Promise<boolean> {
  const member = await findMembership(context, organizationId);
  return member !== null && roleHasPermission(member.role, 'handoffs:work');
}

async function signalViewing(
  context: Context,
  { projectId, conversationId, own }: Watch,
  stream: string,
  lifetimeMs: number,
): Promise<void> {
  const values = [projectId, conversationId, own, 'VIEWING', stream, lifetimeMs];
  await runSql(context.pool, notifyViewing, values);
}

const notifyViewing = {
  name: 'notify-agent-viewing',
  text: `select ${notifyActivitySql({ isOwner: 'false' })}`,
};
