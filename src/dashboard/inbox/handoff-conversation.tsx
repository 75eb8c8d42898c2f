import { Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import { LoadFailure } from '../components/error-messages.tsx';
import { useInboxChanges } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { Transcript } from '../transcript/transcript.tsx';
import { useTranscript } from '../transcript/use-transcript.ts';
import { Composer } from './composer.tsx';
import { ConversationActivity } from './conversation-activity.tsx';
import { BackToList, ConversationHead } from './conversation-head.tsx';
import { EndUserSide } from './end-user-pane.tsx';
import classes from './inbox.module.css';
import { NewMessages } from './new-messages.tsx';
import { PendingReplyItem } from './pending-reply-item.tsx';
import { type ReplyField, ReplyForm } from './reply-form.tsx';
import type { PendingReply } from './reply-outbox.ts';
import { useMarkRead } from './use-mark-read.ts';
import { useReplyOutbox } from './use-reply-outbox.ts';
import { openMessageOf } from './use-reply-suggestion.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

/** The handoff, its actions and its transcript, with live updates. */
export function HandoffConversation({ conversationId }: { readonly conversationId: string }) {
  const { canWorkHandoffs } = usePermissions();
  const { email } = useOperator();
  const transcript = useTranscript(conversationId);
  const { conversation, messages, notes, events, error, reload } = transcript;
  useInboxChanges((change) => {
    if (change === null || change.has(conversationId)) reload();
  });
  const handoff = conversation?.handoff ?? null;
  const isMine = handoff?.status === 'CLAIMED' && handoff.claimedBy === email;
  const lastQuestion = messages.findLast(({ role }) => role === 'USER');
  useMarkRead(conversationId, (isMine && lastQuestion?.id) || null);
  const { pending, ...outbox } = useReplyOutbox(conversationId, messages);
  const replyField = useRef<ReplyField>(null);
  const messageIds = [
    ...messages.map(({ id }) => id),
    ...pending.map(({ messageId }) => messageId),
  ];
  const pendingStates = pending.map(({ status }) => status).join();
  const latestAdditionIds = `${notes.at(-1)?.id} ${events.at(-1)?.id} ${pendingStates}`;
  const { containerRef, newCount, showEnd } = useStickToEnd(messageIds, latestAdditionIds, isMine);

  const [claimingId, setClaimingId] = useState<string | null>(null);
  const [isPaneOpen, pane] = useDisclosure(false);
  if (isMine && claimingId !== null) setClaimingId(null);

  if (conversation === null) {
    return (
      <Stack p="md">
        <BackToList />
        {error === undefined ? (
          <Skeleton h={320} aria-label="Loading" />
        ) : (
          <LoadFailure error={error} onRetry={reload} />
        )}
      </Stack>
    );
  }
  const isOwned = conversation.status === 'HUMAN' && isMine;
  const isClaiming = handoff?.status === 'REQUESTED' && handoff.id === claimingId;
  const edit = ({ messageId, content }: PendingReply) => {
    outbox.remove(messageId);
    replyField.current?.prepend(content);
  };
  const renderReply = (bar: ReactNode) =>
    handoff !== null && (
      <ReplyForm
        ref={replyField}
        conversationId={conversationId}
        handoffId={handoff.id}
        isClaiming={isClaiming}
        bar={bar}
        openMessage={openMessageOf(messages)}
        visitorName={handoff.name ?? conversation.endUserName}
        onSend={outbox.send}
      />
    );
  return (
    <section aria-label="Conversation" className={classes.conversation}>
      <ConversationHead
        conversation={conversation}
        onClaim={(isClaiming) => setClaimingId(isClaiming ? (handoff?.id ?? null) : null)}
        onShowEndUser={pane.open}
      />
      <div className={classes.middle}>
        <div className={classes.talk}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
          <div ref={containerRef} className={classes.transcript} tabIndex={0}>
            <Transcript transcript={transcript}>
              {pending.map((reply) => (
                <PendingReplyItem
                  key={reply.messageId}
                  reply={reply}
                  onRetry={outbox.retry}
                  onEdit={isOwned ? () => edit(reply) : undefined}
                />
              ))}
            </Transcript>
          </div>
          {canWorkHandoffs ? (
            <Composer
              key={conversationId}
              conversationId={conversationId}
              above={<NewMessages count={newCount} onShow={showEnd} />}
              renderReply={isOwned || isClaiming ? renderReply : null}
            />
          ) : (
            <ConversationActivity conversationId={conversationId} />
          )}
        </div>
        <EndUserSide conversation={conversation} isOpen={isPaneOpen} onClose={pane.close} />
      </div>
    </section>
  );
}
