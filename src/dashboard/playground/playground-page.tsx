import { Button, Switch } from '@mantine/core';
import { useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useProjectChat } from '../chat/chat.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { useUrlParameter } from '../components/use-url-text-field.ts';
import { useProjectStore } from '../project/project-store.ts';
import { usePermissions } from '../project/use-permissions.ts';
import { Page } from '../shell/page.tsx';
import { ComparisonView } from './compare/comparison-view.tsx';
import { PlaygroundChat } from './playground-chat.tsx';

/** Chats with the assistant as an end user does, or asks a question with two settings side by side. */
export function PlaygroundPage() {
  const { canChat } = usePermissions();
  return canChat ? (
    <Playground />
  ) : (
    <Page title="Playground">
      <EmptyState
        title="Not available for your role"
        text="Viewers cannot chat. Ask an owner for the agent role."
      />
    </Page>
  );
}

function Playground() {
  const [params] = useSearchParams();
  const [mode, setMode] = useUrlParameter('mode');
  const isComparing = mode === 'compare';
  const chat = useProjectChat();
  const { turns } = useProjectStore(chat);
  const [message, setMessage] = useState(params.get('ask')?.slice(0, 4_000) ?? '');
  const inputRef = useRef<HTMLTextAreaElement>(null);
  const startNewConversation = () => {
    chat.startNewConversation();
    inputRef.current?.focus();
  };
  const View = isComparing ? ComparisonView : PlaygroundChat;
  return (
    <Page
      title="Playground"
      actions={
        <>
          <Switch
            label="Compare"
            checked={isComparing}
            onChange={(event) => setMode(event.currentTarget.checked ? 'compare' : null)}
          />
          {!isComparing && turns.length > 0 && (
            <Button variant="default" onClick={startNewConversation}>
              New conversation
            </Button>
          )}
        </>
      }
    >
      <View inputRef={inputRef} message={message} onChange={setMessage} />
    </Page>
  );
}
