import { Anchor, Badge, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { LoadFailure } from '../components/error-messages.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { useInboxChanges } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import {
  conversationStatusColors,
  conversationStatusLabels,
} from '../transcript/conversation-status.ts';
import { Transcript } from '../transcript/transcript.tsx';
import { useTranscript } from '../transcript/use-transcript.ts';
import { HandoffActions } from './handoff-actions.tsx';
import classes from './inbox.module.css';
import { ReplyForm } from './reply-form.tsx';

/** The handoff, its actions and its transcript, with live updates. */
export function HandoffConversation({ conversationId }: { readonly conversationId: string }) {
  const { canWorkHandoffs } = usePermissions();
  const { email } = useOperator();
  const transcript = useTranscript(conversationId);
  const { conversation, messages, error, reload } = transcript;
  useInboxChanges((change) => {
    if (change === null || change.has(conversationId)) reload();
  });
  const scrollRef = useStickToBottom(messages.at(-1)?.id);

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
  const { handoff, status } = conversation;
  const isMine = handoff?.status === 'CLAIMED' && handoff.claimedBy === email;
  return (
    <section aria-label="Conversation" className={classes.conversation}>
      <Stack gap="xs" className={classes.facts}>
        <BackToList />
        <HandoffSummary conversation={conversation} />
        {canWorkHandoffs && handoff !== null && handoff.status !== 'RESOLVED' && (
          <HandoffActions handoff={handoff} />
        )}
      </Stack>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <div ref={scrollRef} className={classes.transcript} tabIndex={0}>
        <Transcript transcript={transcript} />
      </div>
      {canWorkHandoffs && status === 'HUMAN' && isMine && (
        <div className={classes.reply}>
          <ReplyForm conversationId={conversationId} />
        </div>
      )}
    </section>
  );
}

function HandoffSummary({
  conversation: { handoff, status, title, endUserId },
}: {
  readonly conversation: NonNullable<ReturnType<typeof useTranscript>['conversation']>;
}) {
  const { email } = useOperator();
  const assignee = handoff?.claimedBy === email ? 'With you' : `With ${handoff?.claimedBy}`;
  const name = handoff?.name ?? handoff?.email ?? endUserId ?? title;
  const otherDetails = [handoff?.email, endUserId].filter((detail) => detail && detail !== name);
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
        </div>
        <Badge variant="light" tt="none" color={conversationStatusColors[status]} maw="50%">
          {status === 'HUMAN' ? assignee : conversationStatusLabels[status]}
        </Badge>
      </Group>
      {handoff !== null && (
        <Text size="sm" component="div" className={classes.reason}>
          {handoff.reason !== null && <span dir="auto">{handoff.reason} </span>}
          <Text span size="xs" c="dimmed">
            Requested <RelativeTime at={handoff.requestedAt} size="xs" span />
          </Text>
        </Text>
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

/**
 * Scrolls the container to its end when it opens and with each new message, unless the operator has scrolled up. Has no
 * effect on phones. There the page scrolls and not the container, so the actions at the top are visible first.
 */
function useStickToBottom(latestId: string | undefined) {
  const containerRef = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const isShown = latestId !== undefined;
  useEffect(() => {
    const container = containerRef.current;
    if (container === null || !isShown) return;
    const onScroll = () => {
      isAtEnd.current = container.scrollHeight - container.scrollTop - container.clientHeight < 48;
    };
    container.addEventListener('scroll', onScroll);
    return () => container.removeEventListener('scroll', onScroll);
  }, [isShown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each new message
  useLayoutEffect(() => {
    const container = containerRef.current;
    if (container !== null && isAtEnd.current) container.scrollTop = container.scrollHeight;
  }, [latestId]);
  return containerRef;
}
