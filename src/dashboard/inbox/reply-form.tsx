import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { messageOf } from '../shell/failure.tsx';
import { useLive } from '../shell/live.tsx';
import { useOperator } from '../shell/operator.tsx';
import { keepDraft, readDraft } from './drafts.ts';
import { replyMutation } from './handoff-operations.ts';
import { newUuid } from './new-uuid.ts';

/** What is typed outlives leaving the page and coming back; what was not sent stays, with the reason. */
export function ReplyForm({ conversationId }: { readonly conversationId: string }) {
  const { refresh } = useLive();
  const { id: operatorId } = useOperator();
  const place = { operatorId, conversationId };
  const [content, setContent] = useState(() => readDraft(place));
  const [{ fetching, error }, reply] = useMutation(replyMutation);
  /** Sent again after a failure, a text keeps its id: the first attempt may have come through. */
  const attempt = useRef(none);
  const isEmpty = content.trim() === '';

  const change = (text: string) => {
    setContent(text);
    keepDraft(place, text);
  };
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isEmpty || fetching) return;
    if (attempt.current.content !== content) attempt.current = { content, messageId: newUuid() };
    const sent = await reply({ conversationId, ...attempt.current });
    refresh();
    if (sent.error !== undefined) return;
    attempt.current = none;
    // What has been typed meanwhile is another reply.
    if (readDraft(place) === content) change('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  };

  return (
    <form onSubmit={send}>
      <Stack gap="xs">
        {error !== undefined && (
          <Alert color="red" role="alert" title="The reply was not sent">
            {messageOf(error)}
          </Alert>
        )}
        <Textarea
          label="Your reply"
          dir="auto"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          value={content}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Group justify="flex-end" gap="sm">
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {isMac ? '⌘' : 'Ctrl'} + Enter sends
          </Text>
          <Button type="submit" loading={fetching} disabled={isEmpty}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const none = { content: '', messageId: '' };

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
