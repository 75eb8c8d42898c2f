import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { EmptyState } from '../shell/empty-state.tsx';
import { Page } from '../shell/page.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useStore } from '../shell/store.ts';
import { useKeptChat } from './chat.ts';
import { SameAsCurl } from './same-as-curl.tsx';
import { TurnItem } from './turn-item.tsx';

/** Ask the assistant as an end user would, and see what it goes by. */
export function PlaygroundPage() {
  const { canChat } = usePermissions();
  return canChat ? (
    <Playground />
  ) : (
    <Page title="Playground">
      <EmptyState
        title="Not for your role"
        text="Viewers read. Ask an owner for the role of an agent to chat here."
      />
    </Page>
  );
}

function Playground() {
  const [params] = useSearchParams();
  const chat = useKeptChat();
  const { turns, conversationId } = useStore(chat);
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever reads above is not taken away by each word
  useEffect(() => {
    if (latest !== undefined) end.current?.scrollIntoView({ block: 'nearest' });
  }, [latest?.id, latest?.state]);

  const typed = message.trim();
  const asked =
    typed === '' && latest !== undefined
      ? { message: latest.question, conversationId: latest.continues }
      : { message: typed || 'Your question', conversationId };
  return (
    <Page
      title="Playground"
      actions={
        turns.length > 0 && (
          <Button
            variant="default"
            onClick={() => {
              chat.startAnew();
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
            title="Ask something"
            text="Answers come from the project's documents, with their sources. Ask what your end users ask."
          />
        ) : (
          <Stack gap="md" component="ol" m={0} p={0} aria-live="polite" aria-label="Conversation">
            {turns.map((turn) => (
              <TurnItem key={turn.id} turn={turn} onRetry={() => chat.retry(turn)} />
            ))}
          </Stack>
        )}
        <form onSubmit={send}>
          <Stack gap="xs">
            <Textarea
              ref={input}
              label="Message"
              placeholder="Enter sends, Shift and Enter begins a new line"
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
                <Button type="submit" disabled={typed === ''}>
                  Send
                </Button>
              )}
            </Group>
          </Stack>
        </form>
        <div ref={end} />
        <SameAsCurl {...asked} />
      </Stack>
    </Page>
  );
}
