import { Button, Group, Stack, Textarea, Tooltip } from '@mantine/core';
import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { hintBelow, isSendKey, sendHints, useSendKey } from '../components/send-key.ts';
import classes from './inbox.module.css';
import { takeReplyFocus } from './reply-focus.ts';
import { ReplySuggestion } from './reply-suggestion.tsx';
import { SavedReplyList } from './saved-reply-list.tsx';
import { shortcutTargets } from './shortcuts.tsx';
import { useReplyDraft } from './use-reply-draft.ts';
import { type OpenMessage, useReplySuggestion } from './use-reply-suggestion.ts';
import { type SavedReplyPicker, useSavedReplyPicker } from './use-saved-reply-picker.ts';

const maxReplyLength = 10_000;
/** Small enough for three buttons in a row on a phone. */
const smallButton = { variant: 'subtle', size: 'xs', px: 6 } as const;
const tooltipEvents = { hover: true, focus: true, touch: false };

/** What other parts of the page do with the reply field. */
export interface ReplyField {
  /** Inserts a text before what the operator has written. */
  prepend(text: string): void;
}

interface ReplyFormProps {
  readonly ref: Ref<ReplyField>;
  readonly conversationId: string;
  readonly handoffId: string;
  readonly openMessage: OpenMessage | null;
  /** Null if the name is unknown. */
  readonly visitorName: string | null;
  readonly onSend: (content: string) => void;
}

/** The reply field. Above it is the suggested reply to the open message. */
export function ReplyForm({
  ref,
  conversationId,
  handoffId,
  openMessage,
  visitorName,
  onSend,
}: ReplyFormProps) {
  const { content, changeContent, prepend } = useReplyDraft(conversationId);
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  /** Whether the suggestion had the focus when it closed. If so, the suggestion button receives the focus. */
  const isFocusMoved = useRef(false);
  const { suggestion, request, close } = useReplySuggestion(handoffId, openMessage);
  const isEmpty = content.trim() === '';
  useEffect(() => {
    if (takeReplyFocus(conversationId)) fieldRef.current?.focus();
  }, [conversationId]);
  useImperativeHandle(ref, () => ({
    prepend(text) {
      prepend(text);
      fieldRef.current?.focus();
    },
  }));

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
    onSend(content);
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
          <ReplyText
            {...{ fieldRef, picker, content }}
            onChange={changeContent}
            onSubmit={submit}
          />
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
            <SavedRepliesButton onClick={picker.toggle} />
            <Button type="submit" disabled={isEmpty}>
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

function ReplyText({
  fieldRef,
  picker,
  content,
  onChange,
  onSubmit,
}: {
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
  readonly picker: SavedReplyPicker;
  readonly content: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}) {
  const [sendKey] = useSendKey();
  const onKeyDown = (event: KeyboardEvent) => {
    if (picker.onKeyDown(event) || !isSendKey(event, sendKey)) return;
    event.preventDefault();
    onSubmit();
  };
  return (
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
          onChange(value);
          picker.onType(value, selectionStart);
        }}
        onKeyDown={onKeyDown}
        onSelect={({ currentTarget }) => picker.onCaret(currentTarget.selectionStart)}
        onBlur={() => picker.onCaret(null)}
      />
    </div>
  );
}

function SavedRepliesButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Tooltip label="Or type / in the reply field" events={tooltipEvents}>
      <Button {...smallButton} onMouseDown={(event) => event.preventDefault()} onClick={onClick}>
        Saved replies
      </Button>
    </Tooltip>
  );
}
