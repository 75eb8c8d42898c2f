import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import { takeOverConversationMutation } from '../inbox/handoff-operations.ts';
import { focusReplyOf } from '../inbox/reply-focus.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';

/** Takes over a conversation and opens it in the inbox. Works even if the end user did not ask for a person. */
export function TakeOverButton({
  conversationId,
  label = 'Take over',
}: {
  readonly conversationId: string;
  readonly label?: string;
}) {
  const { id: projectId } = useProject();
  const { refresh } = useLiveInbox();
  const [, navigate] = useLocation();
  const takeOver = useNotifyingMutation(
    takeOverConversationMutation,
    'The conversation was not taken over',
  );
  const run = async () => {
    focusReplyOf(conversationId);
    const taken = await takeOver.run({ projectId, conversationId });
    refresh();
    if (taken !== null) navigate(`/${projectId}/inbox/${conversationId}?show=mine`);
  };
  return (
    <Button size="compact-xs" w="fit-content" loading={takeOver.isRunning} onClick={run}>
      {label}
    </Button>
  );
}
