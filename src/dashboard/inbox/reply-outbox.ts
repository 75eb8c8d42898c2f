/** A reply that is not in the transcript yet. */
export interface PendingReply {
  /** Id of the request. The service stores a reply with a known id only once. */
  readonly messageId: string;
  readonly content: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly status: 'SENDING' | 'SENT' | 'FAILED';
  /** Id of the message in the transcript. Null until it is sent. */
  readonly storedId: string | null;
  /** Why the reply was not sent. Null unless it failed. */
  readonly reason: string | null;
}

/** Why an attempt to send a reply failed. A temporary failure may succeed with the same request. */
export interface SendFailure {
  readonly isTemporary: boolean;
  readonly reason: string;
}

/** The id of the stored message, or why the reply was not sent. */
export type Delivery = { readonly storedId: string } | SendFailure;

/** The replies to a conversation that the transcript does not show yet, in their order. */
export interface ReplyOutbox {
  list(): readonly PendingReply[];
  subscribe(listener: () => void): () => void;
  /** Sends a reply after those that are waiting. */
  send(content: string): void;
  /** Sends the replies that failed again. */
  retry(): void;
  /** Removes a reply. */
  remove(messageId: string): void;
  /** Removes the replies that the transcript shows. */
  confirm(shownIds: ReadonlySet<string>): void;
}

interface OutboxServices {
  deliver(reply: PendingReply): Promise<Delivery>;
  newId(): string;
  /** Stores the replies that the service has not confirmed. They survive a reload of the page. */
  store(unsent: readonly PendingReply[]): void;
  /** Called if replies failed while nobody was listening. */
  reportUnseenFailure(reason: string): void;
  readonly retryDelaysMs: readonly number[];
}

/**
 * Sends replies one after the other. A reply is repeated with the same id after a temporary failure, because the service
 * may have stored it. If it fails for good, the later replies are not sent either: they may depend on it.
 * @param unsent replies of an earlier page, which are sent again
 */
export function createReplyOutbox(
  { deliver, newId, store, reportUnseenFailure, retryDelaysMs }: OutboxServices,
  unsent: readonly PendingReply[],
): ReplyOutbox {
  let replies = unsent;
  let isRunning = false;
  const listeners = new Set<() => void>();
  const change = (changed: readonly PendingReply[]) => {
    replies = changed;
    store(replies.filter(({ status }) => status !== 'SENT'));
    for (const listener of listeners) listener();
  };
  const update = (isChosen: (reply: PendingReply) => boolean, fields: Partial<PendingReply>) =>
    change(replies.map((reply) => (isChosen(reply) ? { ...reply, ...fields } : reply)));
  const isSending = ({ status }: PendingReply) => status === 'SENDING';

  const deliverRepeatedly = async (reply: PendingReply) => {
    let delivery = await deliver(reply);
    for (const delayMs of retryDelaysMs) {
      if ('storedId' in delivery || !delivery.isTemporary) break;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      delivery = await deliver(reply);
    }
    return delivery;
  };
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    for (let next = replies.find(isSending); next !== undefined; next = replies.find(isSending)) {
      const { messageId } = next;
      const delivery = await deliverRepeatedly(next);
      if ('storedId' in delivery) {
        const { storedId } = delivery;
        update((reply) => reply.messageId === messageId, { status: 'SENT', storedId });
        continue;
      }
      update(isSending, { status: 'FAILED', reason: delivery.reason });
      if (listeners.size === 0) reportUnseenFailure(delivery.reason);
    }
    isRunning = false;
  };
  void run();
  return {
    list: () => replies,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send(content) {
      const createdAt = new Date().toISOString();
      const reply = {
        ...{ messageId: newId(), content, createdAt, status: 'SENDING' as const },
        ...{ storedId: null, reason: null },
      };
      // A reply that failed is sent first, so that the order stays.
      change([...replies.map(sendAgain), reply]);
      void run();
    },
    retry() {
      change(replies.map(sendAgain));
      void run();
    },
    remove: (id) => change(replies.filter(({ messageId }) => messageId !== id)),
    confirm(shownIds) {
      const left = replies.filter(({ storedId }) => !isShown(storedId, shownIds));
      if (left.length < replies.length) change(left);
    },
  };
}

/** Whether the transcript with these messages shows the stored reply. */
export function isShown(storedId: string | null, shownIds: ReadonlySet<string>): boolean {
  return storedId !== null && shownIds.has(storedId);
}

function sendAgain(reply: PendingReply): PendingReply {
  return reply.status === 'FAILED' ? { ...reply, status: 'SENDING', reason: null } : reply;
}
