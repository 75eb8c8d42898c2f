import { useMemo } from 'react';
import { useClient } from 'urql';
import { useSwitchSetting } from '../components/use-switch-setting.ts';
import { graphql } from '../graphql/graphql.ts';

const signalTypingMutation = graphql(`
  mutation SignalTyping($conversationId: ID!, $isTyping: Boolean!) {
    signalTyping(input: { conversationId: $conversationId, isTyping: $isTyping })
  }
`);

/** Interval between two signals: half of the time for which the service keeps a signal. */
const intervalMs = 3_000;
const lifetimeMs = 6_500;

/** Whether others may see that this operator is typing. Stored in this browser. */
export const useTypingSetting = () => useSwitchSetting('grounded-chat typing', true);

/**
 * Returns a function to call with each change of a reply. The function signals that the operator is typing. It does not
 * send the text.
 */
export function useTypingSignal(conversationId: string): (content: string) => void {
  const client = useClient();
  const [isEnabled] = useTypingSetting();
  return useMemo(() => {
    let sentAt = Number.NEGATIVE_INFINITY;
    // A failure has no effect: the signal expires by itself.
    const send = (isTyping: boolean) =>
      void client.mutation(signalTypingMutation, { conversationId, isTyping }).toPromise();
    return (content) => {
      const elapsedMs = performance.now() - sentAt;
      if (content.trim() === '') {
        if (elapsedMs < lifetimeMs) send(false);
        sentAt = Number.NEGATIVE_INFINITY;
      } else if (isEnabled && elapsedMs >= intervalMs) {
        send(true);
        sentAt = performance.now();
      }
    };
  }, [client, conversationId, isEnabled]);
}
