import { Alert, Anchor, Badge, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { statusNames } from '../conversations/statuses.ts';
import { Transcript } from '../conversations/transcript.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { useInboxEvents } from '../shell/live.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { Time } from '../shell/time.tsx';
import { HandoffActions } from './handoff-actions.tsx';
import { handoffConversationQuery } from './handoff-operations.ts';
import { ReplyForm } from './reply-form.tsx';

/** What was said until now, who has it, and what can be done about it. Follows what happens. */
export function HandoffConversation({ conversationId }: { readonly conversationId: string }) {
  const { id: projectId } = useProject();
  const { canWorkHandoffs } = usePermissions();
  const [{ data, error }, reload] = useQuery({
    query: handoffConversationQuery,
    variables: { projectId, conversationId },
    requestPolicy: 'cache-and-network',
  });
  useInboxEvents((event) => {
    if (event === null || event.handoff.conversationId === conversationId) {
      reload({ requestPolicy: 'network-only' });
    }
  });
  const conversation = data?.transcript;
  const end = useRef<HTMLDivElement>(null);
  const messageCount = conversation?.messages.length ?? 0;
  useEffect(() => {
    if (messageCount > 0) end.current?.scrollIntoView({ block: 'nearest' });
  }, [messageCount]);

  if (conversation === undefined) {
    if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
    return <Skeleton h={320} aria-label="Loading" />;
  }
  const { handoff, messages, title, status, endUserId } = conversation;
  return (
    <Card withBorder padding="md" component="section" aria-label="Conversation">
      <Stack gap="sm">
        <Anchor component={Link} href={`/${projectId}/inbox`} hiddenFrom="md" size="sm">
          <IconArrowLeft size={14} aria-hidden /> All handoffs
        </Anchor>
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h4">
              {handoff?.name ?? handoff?.email ?? endUserId ?? title}
            </Title>
            <Text size="sm" c="dimmed">
              {[handoff?.email, endUserId].filter(Boolean).join(' · ')}
            </Text>
          </div>
          <Badge variant="light" tt="none">
            {status === 'HUMAN' ? (handoff?.claimedBy ?? 'Team') : statusNames[status]}
          </Badge>
        </Group>
        {handoff?.reason != null && (
          <Alert variant="light" title="Reason">
            {handoff.reason} <Time at={handoff.requestedAt} size="xs" c="dimmed" span />
          </Alert>
        )}
        {canWorkHandoffs && handoff !== null && handoff.status !== 'RESOLVED' && (
          <HandoffActions handoff={handoff} />
        )}
        <Transcript messages={messages} />
        <div ref={end} />
        {canWorkHandoffs && status === 'HUMAN' && <ReplyForm conversationId={conversationId} />}
      </Stack>
    </Card>
  );
}
