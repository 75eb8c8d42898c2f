import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { errorMessageOf } from '../components/error-messages.tsx';
import { isSendKey, useSendKey } from '../components/send-key.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { addConversationNoteMutation } from './handoff-operations.ts';
import { newUuid } from './new-uuid.ts';
import { readDraft, saveDraft } from './reply-drafts.ts';

const maxNoteLength = 5_000;

/**
 * The field for an internal note. The draft is kept when the operator leaves the page. If saving fails, the text stays in
 * the field and the error is shown.
 */
export function NoteForm({
  conversationId,
  isFocused,
  onClose,
}: {
  readonly conversationId: string;
  /** Whether the field receives the focus when it appears. */
  readonly isFocused: boolean;
  readonly onClose?: (() => void) | undefined;
}) {
  const { refresh } = useLiveInbox();
  const { id: operatorId } = useOperator();
  const draftKey = { operatorId, conversationId, kind: 'note' } as const;
  const [content, setContent] = useState(() => readDraft(draftKey));
  const [{ fetching, error }, add] = useMutation(addConversationNoteMutation);
  /** A retry of the same text uses the same id, because the service may have stored the first attempt. */
  const attempt = useRef(noAttempt);
  const [sendKey] = useSendKey();
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFocused) fieldRef.current?.focus();
  }, [isFocused]);
  const isEmpty = content.trim() === '';

  const changeContent = (text: string) => {
    setContent(text);
    saveDraft(draftKey, text);
  };
  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isEmpty || fetching) return;
    if (attempt.current.content !== content) attempt.current = { content, noteId: newUuid() };
    const added = await add({ conversationId, ...attempt.current });
    refresh();
    if (added.error !== undefined) return;
    attempt.current = noAttempt;
    // Keep text that was typed during the request.
    if (readDraft(draftKey) === content) changeContent('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event, sendKey)) return;
    event.preventDefault();
    void save();
  };

  return (
    <form onSubmit={save}>
      <Stack gap="xs">
        {error !== undefined && (
          <Alert color="red" role="alert" title="The note was not added">
            {errorMessageOf(error)}
          </Alert>
        )}
        <Textarea
          label="Internal note"
          description="Only your team sees notes. End users never do."
          ref={fieldRef}
          dir="auto"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={maxNoteLength}
          value={content}
          onChange={({ currentTarget: { value } }) => changeContent(value)}
          onKeyDown={onKeyDown}
        />
        <Group justify="flex-end" gap={6}>
          {onClose !== undefined && (
            <Button variant="subtle" size="xs" px={6} onClick={onClose}>
              Cancel
            </Button>
          )}
          <Button type="submit" color="yellow" autoContrast loading={fetching} disabled={isEmpty}>
            Add note
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const noAttempt = { content: '', noteId: '' };
