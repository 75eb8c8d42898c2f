import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from '../../packages/client/src/index.ts';
import { Chat } from '../../packages/react/src/index.ts';

/** The page of a website with the chat. Its address may contain the id of a conversation to continue. */
const root = document.getElementById('root');
const conversationId = new URLSearchParams(location.search).get('conversation') ?? undefined;
const client = createClient({ baseUrl: '/support', maxRetries: 2 });
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Chat
        client={client}
        conversationId={conversationId}
        pollIntervalMs={300}
        onConversation={(id) => document.body.setAttribute('data-conversation', id)}
      />
    </StrictMode>,
  );
}
