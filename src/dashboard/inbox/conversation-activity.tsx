import { Text, VisuallyHidden } from '@mantine/core';
import classes from './inbox.module.css';
import { useConversationActivity } from './use-conversation-activity.ts';

/**
 * One line that names other agents who type in the conversation or have it open, so that two agents do not reply at once.
 * Screen readers announce only agents who have just opened it. Otherwise they would announce each pause in the typing.
 */
export function ConversationActivity({ conversationId }: { readonly conversationId: string }) {
  const activities = useConversationActivity(conversationId);
  const agents = activities.flatMap(({ agent }) => agent ?? []).sort();
  return (
    <>
      <Text size="xs" c="dimmed" dir="auto" className={classes.activity}>
        {activities.map(textOf).join(' · ')}
      </Text>
      <VisuallyHidden role="status">
        {agents.length > 0 && `Also here: ${agents.join(', ')}`}
      </VisuallyHidden>
    </>
  );
}

function textOf({ agent, isTyping }: ReturnType<typeof useConversationActivity>[number]): string {
  if (agent === null) return 'The end user is typing…';
  return isTyping ? `${agent} is replying…` : `${agent} has this conversation open`;
}
