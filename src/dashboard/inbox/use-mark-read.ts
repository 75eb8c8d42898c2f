import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect } from 'react';
import { useMutation } from 'urql';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { markConversationReadMutation } from './handoff-operations.ts';

/** Stores that the operator has read the conversation up to `messageId`, as soon as the page is visible. */
export function useMarkRead(conversationId: string, messageId: string | null): void {
  const { refreshLists } = useLiveInbox();
  const [, markRead] = useMutation(markConversationReadMutation);
  const isVisible = useDocumentVisibility() === 'visible';
  useEffect(() => {
    if (messageId === null || !isVisible) return;
    markRead({ conversationId, messageId }).then(refreshLists);
  }, [conversationId, messageId, isVisible, markRead, refreshLists]);
}
