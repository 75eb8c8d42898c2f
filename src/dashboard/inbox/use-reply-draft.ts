import { useRef, useState } from 'react';
import { useOperator } from '../project/operator.tsx';
import { readDraft, saveDraft } from './reply-drafts.ts';
import { useReplyQueue } from './use-reply-queue.ts';
import { useTypingSignal } from './use-typing-signal.ts';

/**
 * The text of the reply field, and the replies that are being sent. The draft is kept when the operator leaves the
 * page. If sending fails, the text returns to the field.
 */
export function useReplyDraft(conversationId: string) {
  const { id: operatorId } = useOperator();
  const draftKey = { operatorId, conversationId };
  const [content, setContent] = useState(() => readDraft(draftKey));
  const latest = useRef(content);
  const signalTyping = useTypingSignal(conversationId);
  const store = (waiting: readonly string[], text: string) =>
    saveDraft(draftKey, [...waiting, text].filter((part) => part.trim() !== '').join('\n\n'));
  const { waiting, error, send } = useReplyQueue(
    conversationId,
    (waiting) => store(waiting, latest.current),
    (unsent) => changeContent([...unsent, latest.current].filter(Boolean).join('\n\n')),
  );
  const changeContent = (text: string) => {
    latest.current = text;
    setContent(text);
    signalTyping(text);
    store(waiting, text);
  };
  return { content, changeContent, isSending: waiting.length > 0, error, send };
}
