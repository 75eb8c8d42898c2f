import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Card,
  Code,
  CopyButton,
  Group,
  Loader,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { Confidence } from '../conversations/confidence.tsx';
import { Citations } from '../knowledge/citations.tsx';
import { EmptyState } from '../shell/empty-state.tsx';
import { Page } from '../shell/page.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { type Turn, useChat } from './use-chat.ts';

/** Ask the assistant as an end user would, and see what it goes by. */
export function PlaygroundPage() {
  const [params] = useSearchParams();
  const { canChat } = usePermissions();
  const { turns, conversationId, ask, stop, startAnew } = useChat();
  const [message, setMessage] = useState(params.get('ask') ?? '');
  const isAnswering = turns.at(-1)?.state === 'answering';

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (message.trim() === '' || isAnswering) return;
    void ask(message);
    setMessage('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  if (!canChat) {
    return (
      <Page title="Playground">
        <EmptyState
          title="Not for your role"
          text="Viewers read. Ask an owner for the role of an agent to chat here."
        />
      </Page>
    );
  }
  return (
    <Page
      title="Playground"
      actions={
        turns.length > 0 && (
          <Button variant="default" onClick={startAnew}>
            New conversation
          </Button>
        )
      }
    >
      <Stack maw={860}>
        {turns.length === 0 && (
          <EmptyState
            title="Ask something"
            text="Answers come from the project's documents, with their sources."
          />
        )}
        <Stack gap="md" aria-live="polite">
          {turns.map((turn) => (
            <TurnItem key={turn.id} turn={turn} />
          ))}
        </Stack>
        <form onSubmit={send}>
          <Stack gap="xs">
            <Textarea
              label="Message"
              autosize
              minRows={2}
              maxRows={8}
              maxLength={4_000}
              value={message}
              onChange={(event) => setMessage(event.currentTarget.value)}
              onKeyDown={onKeyDown}
            />
            <Group justify="flex-end">
              {isAnswering && (
                <Button variant="default" onClick={stop}>
                  Stop
                </Button>
              )}
              <Button type="submit" disabled={message.trim() === '' || isAnswering}>
                Send
              </Button>
            </Group>
          </Stack>
        </form>
        <SameAsCurl
          message={turns.at(-1)?.question ?? 'Your question'}
          conversationId={conversationId}
        />
      </Stack>
    </Page>
  );
}

function TurnItem({ turn }: { readonly turn: Turn }) {
  const { question, content, citations, confidence, latencyMs, state, failure } = turn;
  return (
    <Stack gap="xs">
      <Card
        withBorder
        padding="sm"
        bg="var(--mantine-color-default-hover)"
        maw="92%"
        style={{ alignSelf: 'flex-start' }}
      >
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{question}</Text>
      </Card>
      <Card
        withBorder
        padding="sm"
        maw="92%"
        style={{ alignSelf: 'flex-end' }}
        aria-busy={state === 'answering'}
      >
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{content}</Text>
        {state === 'answering' && <Loader size="xs" type="dots" aria-label="Answering" />}
        {failure !== null && (
          <Alert color="red" role="alert" title="The answer broke off">
            {failure}
          </Alert>
        )}
        <Group gap="xs" mt="xs">
          {confidence !== null && <Confidence value={confidence} />}
          {latencyMs !== null && (
            <Badge size="sm" variant="light" color="gray" tt="none">
              {latencyMs} ms
            </Badge>
          )}
          {state === 'stopped' && (
            <Badge size="sm" variant="light" color="gray" tt="none">
              Stopped
            </Badge>
          )}
        </Group>
        <Citations citations={citations} />
      </Card>
    </Stack>
  );
}

function SameAsCurl({
  message,
  conversationId,
}: {
  readonly message: string;
  readonly conversationId: string | null;
}) {
  const body = JSON.stringify({
    message,
    ...(conversationId === null ? {} : { conversationId }),
    stream: true,
  });
  const command = `curl -N ${location.origin}/api/v1/chat \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", "'\\''")}'`;
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          The same over REST
        </Text>
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="subtle"
              onClick={copy}
              aria-label={copied ? 'Copied' : 'Copy the command'}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
      <Code block>{command}</Code>
    </Card>
  );
}
