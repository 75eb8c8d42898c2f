import { z } from 'zod';

/** Requests in progress in this process. A client may cancel its request with a later message. */
export interface Cancellations {
  /** Returns a signal that aborts when the request is cancelled. The request can be cancelled until disposal. */
  track(client: string, message: unknown): Disposable & { readonly signal: AbortSignal };
  /** Cancels the request that a message names, if the message is a cancellation. */
  cancel(client: string, message: unknown): void;
}

const requestId = z.union([z.string(), z.number()]);
const requestMessage = z.object({ id: requestId });
const cancellation = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId }),
});

/**
 * Clients of the 2025 protocol revisions cancel a request with a separate message. (Later revisions close the
 * response.) A request id is unique only within its client.
 */
export function createCancellations(): Cancellations {
  const running = new Map<string, AbortController>();
  return {
    track(client, message) {
      const controller = new AbortController();
      const { success, data } = requestMessage.safeParse(message);
      const name = JSON.stringify([client, data?.id]);
      if (success) running.set(name, controller);
      return {
        signal: controller.signal,
        [Symbol.dispose]() {
          if (running.get(name) === controller) running.delete(name);
        },
      };
    },
    cancel(client, message) {
      const { success, data } = cancellation.safeParse(message);
      if (success) running.get(JSON.stringify([client, data.params.requestId]))?.abort();
    },
  };
}
