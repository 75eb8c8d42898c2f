import {
  type CSSProperties,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { ChatState, ChatStoreOptions } from './chat-store.ts';
import { type ChatLabels, englishLabels } from './labels.ts';
import { MessageItem } from './message-item.tsx';
import { useChat } from './use-chat.ts';

export interface ChatProps extends ChatStoreOptions {
  readonly className?: string;
  /** Replaces some of the default English texts. */
  readonly labels?: Partial<ChatLabels>;
  /** Called when the id of the conversation is known. Store this id to continue the conversation after a reload. */
  readonly onConversation?: (conversationId: string) => void;
}

/** Style for text that only screen readers read. */
const hidden: CSSProperties = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  whiteSpace: 'nowrap',
  clipPath: 'inset(50%)',
};

/**
 * A chat without styles. Enter sends, Shift+Enter starts a new line, Escape stops the answer. A screen reader announces
 * each answer once, when it is complete.
 */
export function Chat({ className, labels: own, onConversation, ...options }: ChatProps) {
  const chat = useChat(options);
  const labels = { ...englishLabels, ...own };
  const { messages, status, error, handoff, conversationId } = chat;
  const isBusy = status === 'submitted' || status === 'streaming';
  const [text, setText] = useState('');
  const [hasActionFailed, setHasActionFailed] = useState(false);
  const inputId = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const end = useFollowedEnd(messages);

  useEffect(() => {
    if (conversationId !== null) onConversation?.(conversationId);
  }, [conversationId, onConversation]);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (chat.send(text)) setText('');
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isBusy) chat.stop();
    // With an input method, Enter may only confirm a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const attempt = (action: Promise<void>) => {
    setHasActionFailed(false);
    action.catch(() => setHasActionFailed(true));
  };

  return (
    <section className={className} aria-label={labels.title}>
      <p data-part="ai-notice">{labels.aiNotice.trim() || englishLabels.aiNotice}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach what scrolls. */}
      <div role="log" aria-label={labels.messages} aria-live="off" aria-busy={isBusy} tabIndex={0}>
        <ol>
          {messages.map((message) => (
            <MessageItem
              key={message.id}
              message={message}
              labels={labels}
              onRate={(messageId, rating) => attempt(chat.rate(messageId, rating))}
            />
          ))}
        </ol>
        <div ref={end} />
      </div>
      <div role="status" style={hidden}>
        {announcement(chat, labels)}
      </div>
      {(error !== null || hasActionFailed) && (
        <div role="alert">
          {labels.failed}{' '}
          {status === 'error' && (
            <button type="button" onClick={chat.retry}>
              {labels.retry}
            </button>
          )}
        </div>
      )}
      <form onSubmit={submit}>
        <label htmlFor={inputId}>{labels.message}</label>
        <textarea
          ref={input}
          id={inputId}
          value={text}
          rows={2}
          maxLength={4_000}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {isBusy ? (
          <button type="button" onClick={chat.stop}>
            {labels.stop}
          </button>
        ) : (
          <button type="submit">{labels.send}</button>
        )}
        {conversationId !== null && (handoff === null || handoff === 'RESOLVED') && (
          <button type="button" onClick={() => attempt(chat.requestHandoff())}>
            {labels.person}
          </button>
        )}
      </form>
    </section>
  );
}

/**
 * Text of the live region. Partial answers are not announced, because each announcement would interrupt the previous
 * one.
 */
function announcement({ messages, status, handoff }: ChatState, labels: ChatLabels): string {
  if (status === 'submitted' || status === 'streaming') return labels.writing;
  const last = messages.at(-1);
  const author = last?.role === 'AGENT' ? (last.authorName ?? labels.agent) : labels.assistant;
  const answer = last === undefined || last.role === 'USER' ? '' : `${author}: ${last.content}`;
  if (handoff === 'HANDOFF_REQUESTED') return `${answer} ${labels.personRequested}`;
  return handoff === 'HUMAN' ? `${answer} ${labels.personAnswers}` : answer;
}

/** Keeps the last message in view, unless the reader has scrolled up. */
function useFollowedEnd(messages: readonly unknown[]) {
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const list = end.current?.parentElement;
    const onScroll = () => {
      if (!list) return;
      isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    };
    list?.addEventListener('scroll', onScroll, { passive: true });
    return () => list?.removeEventListener('scroll', onScroll);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run after each change of the messages.
  useEffect(() => {
    const list = end.current?.parentElement;
    if (list && isAtEnd.current) list.scrollTop = list.scrollHeight;
  }, [messages]);
  return end;
}
