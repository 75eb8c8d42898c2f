import { Alert, Button, Stack, Textarea } from '@mantine/core';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useMutation } from 'urql';
import { errorMessageOf } from '../components/error-messages.tsx';
import { isSendKey, leaveWithEscape, useSendKey } from '../components/send-key.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { addConversationNoteMutation } from './handoff-operations.ts';
import classes from './inbox.module.css';
import { newUuid } from './new-uuid.ts';
import { readDraft, saveDraft } from './reply-drafts.ts';
import { shortcutTargets } from './shortcuts.tsx';

const maxNoteLength = 5_000;

/**
 * The field for an internal note. The draft is kept when the operator leaves the page. If saving fails, the text stays in
 * the field and the error is shown.
 */
export function NoteForm({
  conversationId,
  bar,
  isFocused,
  onClose,
}: {
  readonly conversationId: string;
  /** What the row of buttons starts with. */
  readonly bar: ReactNode;
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
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    leaveWithEscape(event);
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
          {...shortcutTargets.note}
          aria-label="Internal note"
          placeholder="Internal note. Only your team sees it, end users never do."
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
        <div className={classes.bar}>
          {bar}
          {onClose !== undefined && (
            <Button variant="subtle" size="xs" px={6} onClick={onClose}>
              Cancel
            </Button>
          )}
          <Button
            type="submit"
            size="xs"
            color="yellow"
            autoContrast
            loading={fetching}
            disabled={isEmpty}
          >
            Add note
          </Button>
        </div>
      </Stack>
    </form>
  );
}

const noAttempt = { content: '', noteId: '' };
