import { Text, VisuallyHidden } from '@mantine/core';
import { useAgentName } from '../project/use-agent-name.ts';
import classes from './inbox.module.css';
import { useConversationActivity } from './use-conversation-activity.ts';

/**
 * One line that names other agents who type in the conversation or have it open, so that two agents do not reply at once.
 * Screen readers announce only agents who have just opened it. Otherwise they would announce each pause in the typing.
 */
export function ConversationActivity({ conversationId }: { readonly conversationId: string }) {
  const activities = useConversationActivity(conversationId);
  const nameOf = useAgentName();
  const agents = activities.flatMap(({ agent }) => (agent === null ? [] : nameOf(agent))).sort();
  return (
    <>
      <Text size="xs" c="dimmed" dir="auto" className={classes.activity}>
        {activities.map((activity) => textOf(activity, nameOf)).join(' · ')}
      </Text>
      <VisuallyHidden role="status">
        {agents.length > 0 && `Also here: ${agents.join(', ')}`}
      </VisuallyHidden>
    </>
  );
}

function textOf(
  { agent, isTyping }: ReturnType<typeof useConversationActivity>[number],
  nameOf: (agent: string) => string,
): string {
  if (agent === null) return 'The end user is typing…';
  const name = nameOf(agent);
  return isTyping ? `${name} is replying…` : `${name} has this conversation open`;
}
