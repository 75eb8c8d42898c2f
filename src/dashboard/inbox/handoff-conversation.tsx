import { Anchor, Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowDown, IconArrowLeft } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { LoadFailure } from '../components/error-messages.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { TakeOverButton } from '../conversations/take-over-button.tsx';
import { LabelPicker } from '../labels/label-picker.tsx';
import { useInboxChanges, useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { HandoffRating } from '../satisfaction/handoff-rating.tsx';
import {
  conversationStatusColors,
  conversationStatusLabels,
} from '../transcript/conversation-status.ts';
import { NewerConversation } from '../transcript/newer-conversation.tsx';
import { Transcript } from '../transcript/transcript.tsx';
import { useTranscript } from '../transcript/use-transcript.ts';
import { VerifiedBadge } from '../transcript/verified-badge.tsx';
import { AllClocks } from './clock-badges.tsx';
import { Composer } from './composer.tsx';
import { ConversationActivity } from './conversation-activity.tsx';
import { HandoffActions } from './handoff-actions.tsx';
import classes from './inbox.module.css';
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
  const canReply = conversation.status === 'HUMAN' && isMine;
  const edit = ({ messageId, content }: PendingReply) => {
    outbox.remove(messageId);
    replyField.current?.prepend(content);
  };
  return (
    <section aria-label="Conversation" className={classes.conversation}>
      <ConversationHead conversation={conversation} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <div ref={containerRef} className={classes.transcript} tabIndex={0}>
        <Transcript transcript={transcript}>
          {pending.map((reply) => (
            <PendingReplyItem
              key={reply.messageId}
              reply={reply}
              onRetry={outbox.retry}
              onEdit={canReply ? () => edit(reply) : undefined}
            />
          ))}
        </Transcript>
      </div>
      {canWorkHandoffs ? (
        <Composer
          key={conversationId}
          conversationId={conversationId}
          above={<NewMessages count={newCount} onShow={showEnd} />}
        >
          {canReply && (
            <ReplyForm
              ref={replyField}
              conversationId={conversationId}
              handoffId={handoff.id}
              openMessage={openMessageOf(messages)}
              visitorName={handoff.name ?? conversation.endUserName}
              onSend={outbox.send}
            />
          )}
        </Composer>
      ) : (
        <ConversationActivity conversationId={conversationId} />
      )}
    </section>
  );
}

type Conversation = NonNullable<ReturnType<typeof useTranscript>['conversation']>;

/** Facts and actions above the transcript. */
function ConversationHead({ conversation }: { readonly conversation: Conversation }) {
  const { canWorkHandoffs } = usePermissions();
  const { refresh } = useLiveInbox();
  const { email } = useOperator();
  const { id, handoff, labels } = conversation;
  return (
    <Stack gap="xs" className={classes.facts}>
      <BackToList />
      <HandoffSummary conversation={conversation} />
      <NewerConversation conversation={conversation} />
      <HandoffRating satisfaction={handoff?.satisfaction ?? null} />
      <LabelPicker conversationId={id} labels={labels} onChange={refresh} />
      {canWorkHandoffs && handoff !== null && handoff.status !== 'RESOLVED' && (
        <HandoffActions conversationId={id} handoff={handoff} />
      )}
      {canWorkHandoffs && email !== null && handoff?.status === 'RESOLVED' && (
        <TakeOverButton conversationId={id} label="Reopen" />
      )}
    </Stack>
  );
}

/**
 * Shows the number of messages that arrived while the operator was reading earlier messages. A click shows the new
 * messages.
 */
function NewMessages({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <div role="status">
      {count > 0 && (
        <Button
          size="compact-sm"
          radius="xl"
          mb="xs"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={onShow}
        >
          {count === 1 ? '1 new message' : `${count} new messages`}
        </Button>
      )}
    </div>
  );
}

function HandoffSummary({
  conversation: { handoff, status, title, endUserId, isEndUserVerified, endUserName, endUserEmail },
}: {
  readonly conversation: Conversation;
}) {
  const { email } = useOperator();
  const assignee = handoff?.claimedBy === email ? 'With you' : `With ${handoff?.claimedBy}`;
  const name = handoff?.name ?? handoff?.email ?? endUserName ?? endUserEmail ?? endUserId ?? title;
  const details = [handoff?.email ?? endUserEmail, isEndUserVerified ? null : endUserId];
  const otherDetails = details.filter((detail) => detail && detail !== name);
  return (
    <>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div className={classes.name}>
          <Title order={2} size="h4" dir="auto">
            {name}
          </Title>
          {otherDetails.length > 0 && (
            <Text size="sm" c="dimmed" dir="auto">
              {otherDetails.join(' · ')}
            </Text>
          )}
          {isEndUserVerified && <VerifiedBadge endUserId={endUserId} />}
        </div>
        <Badge
          variant="light"
          tt="none"
          color={conversationStatusColors[status]}
          maw="50%"
          style={{ flexShrink: 0 }}
        >
          {status === 'HUMAN' ? assignee : conversationStatusLabels[status]}
        </Badge>
      </Group>
      {handoff !== null && (
        <>
          <Text size="sm" component="div" className={classes.reason}>
            {handoff.reason !== null && <span dir="auto">{handoff.reason} </span>}
            <Text span size="xs" c="dimmed">
              Requested <RelativeTime at={handoff.requestedAt} size="xs" span />
            </Text>
          </Text>
          <AllClocks handoff={handoff} />
        </>
      )}
    </>
  );
}

function BackToList() {
  const { id: projectId } = useProject();
  const search = useSearch();
  return (
    <Anchor
      component={Link}
      href={`/${projectId}/inbox${search && `?${search}`}`}
      hiddenFrom="md"
      size="sm"
    >
      <IconArrowLeft size={14} aria-hidden /> All handoffs
    </Anchor>
  );
}
