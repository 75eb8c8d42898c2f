import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { errorMessageOf } from '../components/error-messages.tsx';
import { hintBelow, isSendKey, sendHints, useSendKey } from '../components/send-key.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { replyToConversationMutation } from './handoff-operations.ts';
import { newUuid } from './new-uuid.ts';
import { readDraft, saveDraft } from './reply-drafts.ts';
import { shortcutTargets } from './shortcuts.tsx';

/**
 * The reply field. The draft is kept when the operator leaves the page. If sending fails, the text stays in the field
 * and the error is shown.
 */
export function ReplyForm({ conversationId }: { readonly conversationId: string }) {
  const { refresh } = useLiveInbox();
  const { id: operatorId } = useOperator();
  const draftKey = { operatorId, conversationId };
  const [content, setContent] = useState(() => readDraft(draftKey));
  const [{ fetching, error }, reply] = useMutation(replyToConversationMutation);
  /** A retry of the same text uses the same message id, because the service may have stored the first attempt. */
  const attempt = useRef(noAttempt);
  const [sendKey] = useSendKey();
  const isEmpty = content.trim() === '';

  const changeContent = (text: string) => {
    setContent(text);
    saveDraft(draftKey, text);
  };
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isEmpty || fetching) return;
    if (attempt.current.content !== content) attempt.current = { content, messageId: newUuid() };
    const sent = await reply({ conversationId, ...attempt.current });
    refresh();
    if (sent.error !== undefined) return;
    attempt.current = noAttempt;
    // Keep text that was typed during the request.
    if (readDraft(draftKey) === content) changeContent('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event, sendKey)) return;
    event.preventDefault();
    void send();
  };

  return (
    <form onSubmit={send}>
      <Stack gap="xs">
        {error !== undefined && (
          <Alert color="red" role="alert" title="The reply was not sent">
            {errorMessageOf(error)}
          </Alert>
        )}
        <Textarea
          {...shortcutTargets.reply}
          label="Your reply"
          description={sendHints[sendKey]}
          inputWrapperOrder={hintBelow}
          dir="auto"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          value={content}
          onChange={(event) => changeContent(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Group justify="flex-end" gap="sm">
          <Button type="submit" loading={fetching} disabled={isEmpty}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const noAttempt = { content: '', messageId: '' };
