import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { type Client, useClient } from 'urql';
import { errorMessageOf, notifyProblem } from '../components/error-messages.tsx';
import { isTemporary } from '../graphql/coalesce-reloads.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { replyToConversationMutation } from './handoff-operations.ts';
import { newUuid } from './new-uuid.ts';
import { conversationsWithUnsent, readUnsent, saveUnsent } from './reply-drafts.ts';
import { createReplyOutbox, isShown, type PendingReply, type ReplyOutbox } from './reply-outbox.ts';

const retryDelaysMs = [1_000, 2_000, 4_000];
/** A reply that was being sent when the page was closed is sent by itself only for so long. */
const maxAgeMs = 10 * 60_000;

/** The outboxes of the page. They go on sending when another conversation is shown. */
const outboxes = new WeakMap<Client, Map<string, ReplyOutbox>>();

/** Returns the outbox of a conversation, and the replies that the transcript with these messages does not show yet. */
export function useReplyOutbox(
  conversationId: string,
  messages: readonly { readonly id: string }[],
): ReplyOutbox & { readonly pending: readonly PendingReply[] } {
  const client = useClient();
  const { id: operatorId } = useOperator();
  const { refresh } = useLiveInbox();
  const outbox = useMemo(
    () => outboxOf(client, operatorId, conversationId),
    [client, operatorId, conversationId],
  );
  const replies = useSyncExternalStore(outbox.subscribe, outbox.list);
  const statuses = replies.map(({ status }) => status).join();
  useEffect(() => {
    // The stream of events may be interrupted, and a failure may show that another agent owns the conversation.
    if (/SENT|FAILED/.test(statuses)) refresh();
  }, [statuses, refresh]);
  const shownIds = useMemo(() => new Set(messages.map(({ id }) => id)), [messages]);
  useEffect(() => outbox.confirm(shownIds), [outbox, shownIds]);
  return { ...outbox, pending: replies.filter(({ storedId }) => !isShown(storedId, shownIds)) };
}

/** Sends the replies again that were being sent when the page was closed, in all conversations. */
export function useUnsentReplies(): void {
  const client = useClient();
  const { id: operatorId } = useOperator();
  useEffect(() => {
    for (const id of conversationsWithUnsent(operatorId)) outboxOf(client, operatorId, id);
  }, [client, operatorId]);
}

function outboxOf(client: Client, operatorId: string | null, conversationId: string): ReplyOutbox {
  const ofClient = outboxes.get(client) ?? new Map<string, ReplyOutbox>();
  outboxes.set(client, ofClient);
  const known = ofClient.get(conversationId);
  if (known !== undefined) return known;
  const key = { operatorId, conversationId };
  const services = {
    newId: newUuid,
    store: (unsent: readonly PendingReply[]) => saveUnsent(key, unsent),
    reportUnseenFailure: (reason: string) => notifyProblem('A reply was not sent', reason),
    retryDelaysMs,
    async deliver({ messageId, content }: PendingReply) {
      const variables = { conversationId, messageId, content };
      const { data, error } = await client
        .mutation(replyToConversationMutation, variables)
        .toPromise();
      const storedId = data?.replyToConversation?.id;
      if (storedId !== undefined) return { storedId };
      return error === undefined
        ? { isTemporary: true, reason: 'The service gave no answer.' }
        : { isTemporary: isTemporary(error), reason: errorMessageOf(error) };
    },
  };
  const outbox = createReplyOutbox(services, readUnsent(key).map(sendUnlessOld));
  ofClient.set(conversationId, outbox);
  return outbox;
}

function sendUnlessOld(reply: PendingReply): PendingReply {
  if (reply.status === 'FAILED' || Date.now() - Date.parse(reply.createdAt) < maxAgeMs)
    return reply;
  return { ...reply, status: 'FAILED', reason: 'The page was closed before it was sent.' };
}
