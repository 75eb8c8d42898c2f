import { Anchor, Badge, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { statusColors, statusNames } from '../conversations/statuses.ts';
import { Transcript } from '../conversations/transcript.tsx';
import { useTranscript } from '../conversations/use-transcript.ts';
import { LoadFailure } from '../shell/failure.tsx';
import { useInboxChanges } from '../shell/live.tsx';
import { useOperator } from '../shell/operator.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { Time } from '../shell/time.tsx';
import { HandoffActions } from './handoff-actions.tsx';
import classes from './inbox.module.css';
import { ReplyForm } from './reply-form.tsx';

/** What was said until now, who has it, and what can be done about it. Follows what happens. */
export function HandoffConversation({ conversationId }: { readonly conversationId: string }) {
  const { canWorkHandoffs } = usePermissions();
  const { email } = useOperator();
  const transcript = useTranscript(conversationId);
  const { conversation, messages, error, reload } = transcript;
  useInboxChanges((change) => {
    if (change === null || change.has(conversationId)) reload();
  });
  const scroll = useStickToEnd(messages.at(-1)?.id);

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
        <Facts conversation={conversation} />
        {canWorkHandoffs && handoff !== null && handoff.status !== 'RESOLVED' && (
          <HandoffActions handoff={handoff} />
        )}
      </Stack>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div ref={scroll} className={classes.transcript} tabIndex={0}>
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

function Facts({
  conversation: { handoff, status, title, endUserId },
}: {
  readonly conversation: NonNullable<ReturnType<typeof useTranscript>['conversation']>;
}) {
  const { email } = useOperator();
  const holder = handoff?.claimedBy === email ? 'With you' : `With ${handoff?.claimedBy}`;
  const name = handoff?.name ?? handoff?.email ?? endUserId ?? title;
  const rest = [handoff?.email, endUserId].filter((fact) => fact && fact !== name);
  return (
    <>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div className={classes.name}>
          <Title order={2} size="h4" dir="auto">
            {name}
          </Title>
          {rest.length > 0 && (
            <Text size="sm" c="dimmed" dir="auto">
              {rest.join(' · ')}
            </Text>
          )}
        </div>
        <Badge variant="light" tt="none" color={statusColors[status]} maw="50%">
          {status === 'HUMAN' ? holder : statusNames[status]}
        </Badge>
      </Group>
      {handoff !== null && (
        <Text size="sm" component="div" className={classes.reason}>
          {handoff.reason !== null && <span dir="auto">{handoff.reason} </span>}
          <Text span size="xs" c="dimmed">
            Asked for a person <Time at={handoff.requestedAt} size="xs" span />
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
 * Begins at the end, and stays there as messages come, unless one has scrolled away to read. On a phone the page itself
 * scrolls: it begins with what can be done.
 */
function useStickToEnd(latestId: string | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const isShown = latestId !== undefined;
  useEffect(() => {
    const box = place.current;
    if (box === null || !isShown) return;
    const note = () => {
      isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 48;
    };
    box.addEventListener('scroll', note);
    return () => box.removeEventListener('scroll', note);
  }, [isShown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each new message
  useLayoutEffect(() => {
    const box = place.current;
    if (box !== null && isAtEnd.current) box.scrollTop = box.scrollHeight;
  }, [latestId]);
  return place;
}
