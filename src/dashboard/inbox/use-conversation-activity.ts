import type { ResultOf } from 'gql.tada';
import { useEffect, useState } from 'react';
import { graphql } from '../graphql/graphql.ts';
import { useProject } from '../project/project.tsx';
import { useSession } from '../session/session-gate.tsx';
import { runWhileVisible } from '../subscriptions/leader-tab.ts';
import { subscribeAcrossTabs } from '../subscriptions/subscribe-across-tabs.ts';

const activitySubscription = graphql(`
  subscription ConversationActivity($projectId: ID!, $conversationId: ID!) {
    conversationActivity(projectId: $projectId, conversationId: $conversationId) {
      agent
      isTyping
    }
  }
`);

/** Other people in a conversation. Those who are typing come first. `agent` is null for the end user. */
type Activities = ResultOf<typeof activitySubscription>['conversationActivity'];

const nobody: Activities = [];

/**
 * Returns the other people who type in the conversation or have it open. Returns none while the connection is lost.
 * While the page is visible, other agents see that this operator has the conversation open.
 */
export function useConversationActivity(conversationId: string): Activities {
  const session = useSession();
  const { id: projectId } = useProject();
  const [shown, setShown] = useState({ conversationId, activities: nobody });
  useEffect(() => {
    const controller = new AbortController();
    const show = (activities: Activities) => setShown({ conversationId, activities });
    const name = `ConversationActivity ${projectId} ${conversationId}`;
    runWhileVisible(controller.signal, (signal) =>
      subscribeAcrossTabs(session, name, activitySubscription, {
        signal,
        variables: () => ({ projectId, conversationId }),
        onEvent: ({ conversationActivity }) => show(conversationActivity),
        onConnection: (isConnected) => isConnected || show(nobody),
      }),
    )
      // The page stays usable without this information.
      .catch(() => {});
    return () => controller.abort();
  }, [session, projectId, conversationId]);
  return shown.conversationId === conversationId ? shown.activities : nobody;
}
