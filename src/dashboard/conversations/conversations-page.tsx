import { useParams } from 'wouter';
import { Page } from '../shell/page.tsx';
import { ConversationList } from './conversation-list.tsx';
import { ConversationPanel } from './conversation-panel.tsx';

export function ConversationsPage() {
  const openId = useParams()['*'] || null;
  return (
    <Page title="Conversations">
      {openId === null ? (
        <ConversationList />
      ) : (
        <ConversationPanel key={openId} conversationId={openId} />
      )}
    </Page>
  );
}
