import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useAction } from '../shell/use-action.ts';
import { replyMutation } from './handoff-operations.ts';

/** Enter sends, Shift and Enter begin a line. What was not sent stays. */
export function ReplyForm({ conversationId }: { readonly conversationId: string }) {
  const [content, setContent] = useState('');
  const reply = useAction(replyMutation, 'The reply was not sent');

  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (content.trim() === '' || reply.isRunning) return;
    const sent = await reply.run({ conversationId, content });
    if (sent !== null) setContent('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };

  return (
    <form onSubmit={send}>
      <Stack gap="xs">
        <Textarea
          label="Your reply"
          autosize
          minRows={2}
          maxRows={10}
          maxLength={4_000}
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={reply.isRunning} disabled={content.trim() === ''}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
