import { Button, Stack, Textarea } from '@mantine/core';
import { IconMessages, IconSparkles } from '@tabler/icons-react';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { IconButton } from '../components/icon-button.tsx';
import { isSendKey, leaveWithEscape, sendHints, useSendKey } from '../components/send-key.ts';
import classes from './inbox.module.css';
import { takeReplyFocus } from './reply-focus.ts';
import { ReplySuggestion } from './reply-suggestion.tsx';
import { SavedReplyList } from './saved-reply-list.tsx';
import { shortcutTargets } from './shortcuts.tsx';
import { useReplyDraft } from './use-reply-draft.ts';
import { type OpenMessage, useReplySuggestion } from './use-reply-suggestion.ts';
import { type SavedReplyPicker, useSavedReplyPicker } from './use-saved-reply-picker.ts';

const maxReplyLength = 10_000;

/** What other parts of the page do with the reply field. */
export interface ReplyField {
  /** Inserts a text before what the operator has written. */
  prepend(text: string): void;
}

interface ReplyFormProps {
  readonly ref: Ref<ReplyField>;
  readonly conversationId: string;
  readonly handoffId: string;
  /** Whether the handoff is still being claimed. The text is sent after that. */
  readonly isClaiming: boolean;
  /** What the row of buttons starts with. */
  readonly bar: ReactNode;
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
  isClaiming,
  bar,
  openMessage,
  visitorName,
  onSend,
}: ReplyFormProps) {
  const { content, changeContent, prepend } = useReplyDraft(conversationId);
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  /** Whether the suggestion had the focus when it closed. If so, the suggestion button receives the focus. */
  const isFocusMoved = useRef(false);
  const { suggestion, request, close } = useReplySuggestion(
    handoffId,
    isClaiming ? null : openMessage,
  );
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
  const { send, isWaiting } = useSendWhenClaimed(isClaiming, { onSend, onRefused: prepend });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isEmpty) return;
    changeContent('');
    send(content);
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
          <div className={classes.bar}>
            {bar}
            {openMessage !== null && suggestion.type === 'none' && (
              <IconButton
                ref={(element) => {
                  if (isFocusMoved.current) element?.focus();
                  isFocusMoved.current = false;
                }}
                label="Suggest a reply"
                disabled={isClaiming}
                onClick={request}
              >
                <IconSparkles size={18} aria-hidden />
              </IconButton>
            )}
            <SavedRepliesButton onClick={picker.toggle} />
            <Button type="submit" size="xs" loading={isWaiting} disabled={isEmpty}>
              Send
            </Button>
          </div>
        </Stack>
      </form>
    </>
  );
}

/** Sends what the operator has sent while the handoff was being claimed as soon as it is claimed. */
/**
 * Sends texts, but those that are given while the handoff is being claimed after that, in their order. If the form
 * closes before, because another agent was faster, the texts are given back.
 */
function useSendWhenClaimed(
  isClaiming: boolean,
  handlers: {
    readonly onSend: (text: string) => void;
    readonly onRefused: (text: string) => void;
  },
): { readonly send: (text: string) => void; readonly isWaiting: boolean } {
  const waiting = useRef<string[]>([]);
  const latest = useRef(handlers);
  latest.current = handlers;
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    if (isClaiming) return;
    for (const text of waiting.current.splice(0)) latest.current.onSend(text);
    setIsWaiting(false);
  }, [isClaiming]);
  useEffect(
    () => () => {
      const texts = waiting.current.splice(0);
      if (texts.length > 0) latest.current.onRefused(texts.join('\n\n'));
    },
    [],
  );
  const send = (text: string) => {
    if (!isClaiming) return handlers.onSend(text);
    waiting.current.push(text);
    setIsWaiting(true);
  };
  return { send, isWaiting };
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
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (picker.onKeyDown(event)) return;
    leaveWithEscape(event);
    if (!isSendKey(event, sendKey)) return;
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
        aria-label="Your reply"
        placeholder={`Write a reply. ${sendHints[sendKey]}`}
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
    <IconButton
      label="Saved replies"
      hint="Saved replies. Or type / in the reply field"
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <IconMessages size={18} aria-hidden />
    </IconButton>
  );
}
