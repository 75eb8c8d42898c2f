import { Alert, Button, Group, Stack, Textarea, Tooltip } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { errorMessageOf } from '../components/error-messages.tsx';
import { hintBelow, isSendKey, sendHints, useSendKey } from '../components/send-key.ts';
import { useOperator } from '../project/operator.tsx';
import classes from './inbox.module.css';
import { readDraft, saveDraft } from './reply-drafts.ts';
import { takeReplyFocus } from './reply-focus.ts';
import { ReplySuggestion } from './reply-suggestion.tsx';
import { SavedReplyList } from './saved-reply-list.tsx';
import { shortcutTargets } from './shortcuts.tsx';
import { useReplyQueue } from './use-reply-queue.ts';
import { type OpenMessage, useReplySuggestion } from './use-reply-suggestion.ts';
import { useSavedReplyPicker } from './use-saved-reply-picker.ts';
import { useTypingSignal } from './use-typing-signal.ts';

const maxReplyLength = 10_000;
/** Small enough for three buttons in a row on a phone. */
const smallButton = { variant: 'subtle', size: 'xs', px: 6 } as const;
const tooltipEvents = { hover: true, focus: true, touch: false };

/**
 * The reply field. Above it is the suggested reply to the open message. The draft is kept when the operator leaves the
 * page. A further reply is sent after those that are still being sent. If sending fails, the text returns to the field
 * and the error is shown.
 */
export function ReplyForm({
  conversationId,
  handoffId,
  openMessage,
  visitorName,
}: {
  readonly conversationId: string;
  readonly handoffId: string;
  readonly openMessage: OpenMessage | null;
  /** Null if the name is unknown. */
  readonly visitorName: string | null;
}) {
  const { id: operatorId } = useOperator();
  const draftKey = { operatorId, conversationId };
  const [content, setContent] = useState(() => readDraft(draftKey));
  const latest = useRef(content);
  const store = (waiting: readonly string[], text: string) =>
    saveDraft(draftKey, [...waiting, text].filter((part) => part.trim() !== '').join('\n\n'));
  const { waiting, error, send } = useReplyQueue(
    conversationId,
    (waiting) => store(waiting, latest.current),
    (unsent) => changeContent([...unsent, latest.current].filter(Boolean).join('\n\n')),
  );
  const [sendKey] = useSendKey();
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  /** Whether the suggestion had the focus when it closed. If so, the suggestion button receives the focus. */
  const isFocusMoved = useRef(false);
  const signalTyping = useTypingSignal(conversationId);
  const { suggestion, request, close } = useReplySuggestion(handoffId, openMessage);
  const isEmpty = content.trim() === '';
  useEffect(() => {
    if (takeReplyFocus(conversationId)) fieldRef.current?.focus();
  }, [conversationId]);

  const changeContent = (text: string) => {
    latest.current = text;
    setContent(text);
    signalTyping(text);
    store(waiting, text);
  };
  const picker = useSavedReplyPicker({
    ...{ fieldRef, content, visitorName },
    onChange: (text) => changeContent(text.slice(0, maxReplyLength)),
  });
  const insert = (text: string) => {
    const written = isEmpty ? text : `${content.trimEnd()}\n\n${text}`;
    changeContent(written.slice(0, maxReplyLength));
    close();
    fieldRef.current?.focus();
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isEmpty) return;
    changeContent('');
    send(content);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (picker.onKeyDown(event) || !isSendKey(event, sendKey)) return;
    event.preventDefault();
    submit();
  };

  return (
    <>
      <ReplySuggestion
        suggestion={suggestion}
        onInsert={insert}
        onClose={() => {
          isFocusMoved.current = true;
          close();
        }}
        onRetry={request}
      />
      <form onSubmit={submit}>
        <Stack gap="xs">
          {error !== undefined && (
            <Alert color="red" role="alert" title="The reply was not sent">
              {errorMessageOf(error)}
            </Alert>
          )}
          <div className={classes.field}>
            <SavedReplyList picker={picker} />
            <Textarea
              {...shortcutTargets.reply}
              {...picker.fieldProps}
              ref={fieldRef}
              label="Your reply"
              description={sendHints[sendKey]}
              inputWrapperOrder={hintBelow}
              dir="auto"
              autosize
              minRows={2}
              maxRows={8}
              maxLength={maxReplyLength}
              value={content}
              onChange={({ currentTarget: { value, selectionStart } }) => {
                changeContent(value);
                picker.onType(value, selectionStart);
              }}
              onKeyDown={onKeyDown}
              onSelect={({ currentTarget }) => picker.onCaret(currentTarget.selectionStart)}
              onBlur={() => picker.onCaret(null)}
            />
          </div>
          <Group justify="flex-end" gap={6}>
            {openMessage !== null && suggestion.type === 'none' && (
              <Button
                ref={(element) => {
                  if (isFocusMoved.current) element?.focus();
                  isFocusMoved.current = false;
                }}
                {...smallButton}
                onClick={request}
              >
                Suggest a reply
              </Button>
            )}
            <Tooltip label="Or type / in the reply field" events={tooltipEvents}>
              <Button
                {...smallButton}
                onMouseDown={(event) => event.preventDefault()}
                onClick={picker.toggle}
              >
                Saved replies
              </Button>
            </Tooltip>
            <Button type="submit" loading={isEmpty && waiting.length > 0} disabled={isEmpty}>
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
