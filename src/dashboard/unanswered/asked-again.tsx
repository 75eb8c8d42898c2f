import type { Chat } from '../playground/chat.ts';
import { Answer } from '../playground/turn-item.tsx';
import { useStore } from '../shell/store.ts';

/** What the assistant answers now; nothing before it was asked. */
export function AskedAgain({ chat }: { readonly chat: Chat }) {
  const { turns } = useStore(chat);
  const turn = turns.at(-1);
  if (turn === undefined) return null;
  return (
    <div aria-live="polite">
      <Answer turn={turn} onRetry={() => chat.retry(turn)} />
    </div>
  );
}
