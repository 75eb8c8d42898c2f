import { Badge, Box, Group, Table, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { Link, useSearch } from 'wouter';
import { RelativeTime } from '../components/relative-time.tsx';
import { formatCountOf } from '../format/format-numbers.ts';
import { graphql } from '../graphql/graphql.ts';
import { LabelBadges } from '../labels/label-badges.tsx';
import { useProject } from '../project/project.tsx';
import { useAgentName } from '../project/use-agent-name.ts';
import { LowestConfidenceBadge } from '../transcript/confidence-badge.tsx';
import { channelLabelOf } from '../transcript/conversation-channel.ts';
import {
  conversationStatusColors,
  conversationStatusLabels,
} from '../transcript/conversation-status.ts';
import { endUserLabel } from '../transcript/end-user-label.ts';

export const conversationRowFields = graphql(`
  fragment ConversationRowFields on Conversation {
    id
    title
    status
    channel
    endUserId
    endUserName
    endUserEmail
    messageCount
    lastMessageAt
    lowestConfidence
    answersRatedUp
    answersRatedDown
    handoff {
      id
      claimedBy
    }
    labels {
      id
      name
      color
    }
  }
`);

type Conversation = ResultOf<typeof conversationRowFields>;

/** A row for each conversation. A narrow screen shows fewer columns, and the other values below the title. */
export function ConversationTable({
  conversations,
}: {
  readonly conversations: readonly Conversation[];
}) {
  return (
    <Table highlightOnHover verticalSpacing="sm" layout="fixed" aria-label="Conversations">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Conversation</Table.Th>
          <Table.Th w={180} visibleFrom="sm">
            Status
          </Table.Th>
          <Table.Th w={200} visibleFrom="md">
            Answers
          </Table.Th>
          <Table.Th w={150} visibleFrom="lg">
            Channel, end user
          </Table.Th>
          <Table.Th w={90} ta="right" visibleFrom="lg">
            Messages
          </Table.Th>
          <Table.Th w={120}>Last message</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {conversations.map((conversation) => (
          <ConversationRow key={conversation.id} conversation={conversation} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ConversationRow({ conversation }: { readonly conversation: Conversation }) {
  const { id: projectId } = useProject();
  const parameters = useSearch();
  const { id, title, channel, endUserId, endUserEmail } = conversation;
  const { messageCount, lastMessageAt, labels } = conversation;
  return (
    <Table.Tr>
      <Table.Td>
        <Text
          component={Link}
          href={`/${projectId}/conversations/${id}${parameters && `?${parameters}`}`}
          size="sm"
          lineClamp={2}
          dir="auto"
          c="var(--mantine-color-anchor)"
          style={{ overflowWrap: 'anywhere' }}
        >
          {title}
        </Text>
        <Box hiddenFrom="sm" mt={4}>
          <StatusOf conversation={conversation} />
        </Box>
        <Box hiddenFrom="md" mt={4}>
          <AnswersOf conversation={conversation} />
        </Box>
        <Text size="xs" c="dimmed" hiddenFrom="lg" mt={4}>
          <bdi>{endUserLabel(conversation)}</bdi> · {channelLabelOf(channel)} ·{' '}
          {formatCountOf(messageCount, 'message')}
        </Text>
        <LabelBadges labels={labels} mt={4} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <StatusOf conversation={conversation} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <AnswersOf conversation={conversation} />
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Text size="sm">{channelLabelOf(channel)}</Text>
        <Text
          size="xs"
          c="dimmed"
          truncate
          dir="auto"
          title={endUserEmail ?? endUserId ?? undefined}
        >
          {endUserLabel(conversation)}
        </Text>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="lg">
        {messageCount}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={lastMessageAt} size="sm" />
      </Table.Td>
    </Table.Tr>
  );
}

/** The status of the conversation, and the agent of the latest handoff. */
function StatusOf({ conversation: { status, handoff } }: { readonly conversation: Conversation }) {
  const nameOf = useAgentName();
  return (
    <>
      <Badge variant="light" tt="none" color={conversationStatusColors[status]}>
        {conversationStatusLabels[status]}
      </Badge>
      {handoff !== null && status !== 'HANDOFF_REQUESTED' && (
        <Text size="xs" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          {status === 'OPEN' ? 'Handed off before' : handoff.claimedBy && nameOf(handoff.claimedBy)}
        </Text>
      )}
    </>
  );
}

function AnswersOf({
  conversation: { lowestConfidence, answersRatedUp, answersRatedDown },
}: {
  readonly conversation: Conversation;
}) {
  return (
    <Group gap={4}>
      {lowestConfidence !== null && <LowestConfidenceBadge value={lowestConfidence} />}
      {answersRatedUp > 0 && (
        <Badge size="sm" variant="light" tt="none" color="green">
          {answersRatedUp} rated good
        </Badge>
      )}
      {answersRatedDown > 0 && (
        <Badge size="sm" variant="light" tt="none" color="red">
          {answersRatedDown} rated bad
        </Badge>
      )}
    </Group>
  );
}
