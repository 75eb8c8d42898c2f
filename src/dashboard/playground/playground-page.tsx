import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useProjectChat } from '../chat/chat.ts';
import { TurnItem } from '../chat/turn-item.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { defaultSendKey, hintBelow, isSendKey, sendHints } from '../components/send-key.ts';
import { useProjectStore } from '../project/project-store.ts';
import { usePermissions } from '../project/use-permissions.ts';
import { Page } from '../shell/page.tsx';
import { CurlExample } from './curl-example.tsx';
import { SampleQuestions } from './sample-questions.tsx';

/** Chats with the assistant as an end user does, and shows sources, confidence and latency. */
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
  const { canManage } = usePermissions();
  const [params] = useSearchParams();
  const chat = useProjectChat();
  const { turns, conversationId } = useProjectStore(chat);
  const [message, setMessage] = useState(params.get('ask')?.slice(0, 4_000) ?? '');
  const latest = turns.at(-1);
  const isAnswering = latest?.state === 'answering';
  const input = useRef<HTMLTextAreaElement>(null);

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (message.trim() === '' || isAnswering) return;
    void chat.ask(message.trim());
    setMessage('');
  };
  const askSample = (question: string) => {
    void chat.ask(question);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    send();
  };
  const endRef = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: not at each token, so that a reader who scrolled up stays there
  useEffect(() => {
    if (latest !== undefined) endRef.current?.scrollIntoView({ block: 'nearest' });
  }, [latest?.id, latest?.state]);

  const trimmedMessage = message.trim();
  const exampleRequest =
    trimmedMessage === '' && latest !== undefined
      ? { message: latest.question, conversationId: latest.conversationId }
      : { message: trimmedMessage || 'Your question', conversationId };
  return (
    <Page
      title="Playground"
      actions={
        turns.length > 0 && (
          <Button
            variant="default"
            onClick={() => {
              chat.startNewConversation();
              input.current?.focus();
            }}
          >
            New conversation
          </Button>
        )
      }
    >
      <Stack maw={860}>
        {turns.length === 0 ? (
          <EmptyState
            title="Ask a question"
            text="The assistant answers from the project's documents and cites its sources."
          >
            {canManage && <SampleQuestions onAsk={askSample} />}
          </EmptyState>
        ) : (
          <Stack gap="md" component="ol" m={0} p={0} aria-live="polite" aria-label="Conversation">
            {turns.map((turn) => (
              <TurnItem
                key={turn.id}
                turn={turn}
                onRetry={() => chat.retry(turn)}
                onRated={(rating) => chat.setRating(turn.id, rating)}
              />
            ))}
          </Stack>
        )}
        <form onSubmit={send}>
          <Stack gap="xs">
            <Textarea
              ref={input}
              label="Message"
              description={sendHints[defaultSendKey]}
              inputWrapperOrder={hintBelow}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={4_000}
              value={message}
              onChange={(event) => setMessage(event.currentTarget.value)}
              onKeyDown={onKeyDown}
            />
            <Group justify="flex-end">
              {isAnswering ? (
                <Button variant="default" onClick={() => chat.stop()}>
                  Stop
                </Button>
              ) : (
                <Button type="submit" disabled={trimmedMessage === ''}>
                  Send
                </Button>
              )}
            </Group>
          </Stack>
        </form>
        <div ref={endRef} />
        <CurlExample {...exampleRequest} />
      </Stack>
    </Page>
  );
}
