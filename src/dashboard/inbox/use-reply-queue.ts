import { useRef, useState } from 'react';
import { type CombinedError, useMutation } from 'urql';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { replyToConversationMutation } from './handoff-operations.ts';
import { newUuid } from './new-uuid.ts';

interface Attempt {
  readonly content: string;
  readonly messageId: string;
}

interface ReplyQueue {
  /** Replies that are being sent or still have to be sent, in order. */
  readonly waiting: readonly string[];
  /** Why the last reply was not sent. */
  readonly error: CombinedError | undefined;
  /** Sends a reply after those that are already in the queue. */
  send(content: string): void;
}

/**
 * Sends replies one after the other. If a reply fails, `onFailure` receives it and all later replies. A retry of the
 * same text uses the same message id, because the service may have stored the first attempt.
 */
export function useReplyQueue(
  conversationId: string,
  onChange: (waiting: readonly string[]) => void,
  onFailure: (unsent: readonly string[]) => void,
): ReplyQueue {
  const { refresh } = useLiveInbox();
  const [{ error }, reply] = useMutation(replyToConversationMutation);
  const queue = useRef<Attempt[]>([]);
  const failed = useRef<Attempt | null>(null);
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  const handlers = useRef({ onChange, onFailure });
  handlers.current = { onChange, onFailure };

  const show = () => {
    const contents = queue.current.map(({ content }) => content);
    setWaiting(contents);
    handlers.current.onChange(contents);
  };
  const run = async () => {
    for (let next = queue.current[0]; next !== undefined; next = queue.current[0]) {
      const sent = await reply({ conversationId, ...next });
      refresh();
      if (sent.error !== undefined) {
        failed.current = next;
        const unsent = queue.current.map(({ content }) => content);
        queue.current = [];
        setWaiting([]);
        handlers.current.onFailure(unsent);
        return;
      }
      failed.current = null;
      queue.current.shift();
      show();
    }
  };
  return {
    waiting,
    error,
    send(content) {
      const isRetry = queue.current.length === 0 && failed.current?.content === content;
      const messageId = (isRetry ? failed.current?.messageId : undefined) ?? newUuid();
      queue.current.push({ content, messageId });
      show();
      if (queue.current.length === 1) void run();
    },
  };
}
