import { useRef, useState } from 'react';
import { useOperator } from '../project/operator.tsx';
import { readDraft, saveDraft } from './reply-drafts.ts';
import { useTypingSignal } from './use-typing-signal.ts';

/** The text of the reply field. It is kept when the operator leaves or reloads the page. */
export function useReplyDraft(conversationId: string) {
  const { id: operatorId } = useOperator();
  const [content, setContent] = useState(() => readDraft({ operatorId, conversationId }));
  const latest = useRef(content);
  const signalTyping = useTypingSignal(conversationId);
  const changeContent = (text: string) => {
    latest.current = text;
    setContent(text);
    signalTyping(text);
    saveDraft({ operatorId, conversationId }, text);
  };
  /** Inserts a text before the text in the field. */
  const prepend = (text: string) =>
    changeContent([text, latest.current].filter((part) => part.trim() !== '').join('\n\n'));
  return { content, changeContent, prepend };
}
