import type { Chat } from '../chat/chat.ts';
import { AnswerCard } from '../chat/turn-item.tsx';
import { useProjectStore } from '../project/project-store.ts';

/** The answer to an unanswered question that the operator has asked again. Renders nothing before that. */
export function LatestAnswer({ chat }: { readonly chat: Chat }) {
  const { turns } = useProjectStore(chat);
  const turn = turns.at(-1);
  if (turn === undefined) return null;
  return (
    <div aria-live="polite">
      <AnswerCard turn={turn} onRetry={() => chat.retry(turn)} />
    </div>
  );
}
