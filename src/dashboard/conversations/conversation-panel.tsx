import { Anchor, Badge, Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useSearch } from 'wouter';
import { LoadFailure } from '../components/error-messages.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { formatAmount } from '../format/format-amount.ts';
import { formatCountOf } from '../format/format-numbers.ts';
import { handoffAddress } from '../inbox/inbox-address.ts';
import { LabelPicker } from '../labels/label-picker.tsx';
import { useInboxChanges } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { HandoffRating } from '../satisfaction/handoff-rating.tsx';
import { channelLabelOf } from '../transcript/conversation-channel.ts';
import {
  conversationStatusColors,
  conversationStatusLabels,
} from '../transcript/conversation-status.ts';
import { endUserDetails } from '../transcript/end-user-label.ts';
import { NewerConversation } from '../transcript/newer-conversation.tsx';
import { Transcript } from '../transcript/transcript.tsx';
import { useTranscript } from '../transcript/use-transcript.ts';
import { VerifiedBadge } from '../transcript/verified-badge.tsx';
import { TakeOverButton } from './take-over-button.tsx';

export function ConversationPanel({ conversationId }: { readonly conversationId: string }) {
  const { id: projectId } = useProject();
  const parameters = useSearch();
  const transcript = useTranscript(conversationId);
  const { conversation, error, reload } = transcript;
  useInboxChanges((change) => {
    if (change?.has(conversationId)) reload();
  });
  const { canWorkHandoffs } = usePermissions();
  const { email } = useOperator();
  const handoff = conversation?.handoff;
  const isMine = handoff?.status === 'CLAIMED' && handoff.claimedBy === email;
  return (
    <Stack maw={860}>
      <Anchor
        component={Link}
        href={`/${projectId}/conversations${parameters && `?${parameters}`}`}
        size="sm"
      >
        <IconArrowLeft size={14} aria-hidden /> All conversations
      </Anchor>
      {conversation === null ? (
        error === undefined ? (
          <Skeleton h={320} aria-label="Loading" />
        ) : (
          <LoadFailure error={error} onRetry={reload} />
        )
      ) : (
        <>
          <div>
            <Title order={2} size="h4" dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {conversation.title}
            </Title>
            <Group gap="xs" mt={4}>
              <Badge
                variant="light"
                tt="none"
                color={conversationStatusColors[conversation.status]}
              >
                {conversationStatusLabels[conversation.status]}
              </Badge>
              <Text size="sm" c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {endUserDetails(conversation)}
              </Text>
              {conversation.isEndUserVerified && (
                <VerifiedBadge endUserId={conversation.endUserId} />
              )}
              <Text size="sm" c="dimmed">
                · {channelLabelOf(conversation.channel)} ·{' '}
                {formatCountOf(conversation.messageCount, 'message')} · started{' '}
                <RelativeTime at={conversation.createdAt} size="sm" span />
                {conversation.cost !== null && ` · cost ${formatAmount(conversation.cost)}`}
              </Text>
              {canWorkHandoffs && email !== null && !isMine && (
                <TakeOverButton conversationId={conversationId} />
              )}
              {conversation.handoff !== null && (
                <Button
                  component={Link}
                  href={handoffAddress(
                    projectId,
                    conversationId,
                    conversation.handoff.status,
                    isMine,
                  )}
                  variant="default"
                  size="compact-xs"
                >
                  Open in the inbox
                </Button>
              )}
            </Group>
            <Box mt="xs">
              <LabelPicker
                conversationId={conversationId}
                labels={conversation.labels}
                onChange={reload}
              />
            </Box>
          </div>
          <NewerConversation conversation={conversation} />
          <HandoffRating satisfaction={conversation.latestRating} />
          <Transcript transcript={transcript} />
        </>
      )}
    </Stack>
  );
}
