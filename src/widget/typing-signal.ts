/** Signals to the team that the visitor is typing. The text itself stays on the page until the visitor sends it. */
export interface TypingSignal {
  /** Call it after each change of the message field. */
  onInput(hasText: boolean): void;
  /** Call it when the message is sent. */
  stop(): void;
}

/**
 * Creates a signal that is sent at most every four seconds. The service keeps a signal for longer than that.
 * @param send Sends the signal, or its end. Failures are ignored: the signal expires by itself.
 */
export function createTypingSignal(send: (isTyping: boolean) => Promise<unknown>): TypingSignal {
  let sentAt = Number.NEGATIVE_INFINITY;
  const stop = () => {
    const isRecent = performance.now() - sentAt < lifetimeMs;
    sentAt = Number.NEGATIVE_INFINITY;
    if (isRecent) send(false).catch(() => {});
  };
  return {
    onInput(hasText) {
      if (!hasText) return stop();
      if (performance.now() - sentAt < intervalMs) return;
      sentAt = performance.now();
      send(true).catch(() => {});
    },
    stop,
  };
}

const intervalMs = 4_000;
/** How long the service keeps a signal. */
const lifetimeMs = 6_500;
