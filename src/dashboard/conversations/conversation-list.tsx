import { Badge, Button, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { Link, useSearch } from 'wouter';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { graphql } from '../graphql/graphql.ts';
import { usePaginatedQuery } from '../graphql/use-paginated-query.ts';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import {
  conversationStatusColors,
  conversationStatusLabels,
} from '../transcript/conversation-status.ts';
import { ConversationFilters, useConversationFilter } from './conversation-filters.tsx';

const conversationsQuery = graphql(`
  query Conversations(
    $projectId: ID!
    $status: ConversationStatus
    $feedback: FeedbackRating
    $search: String
    $endUserId: String
    $from: DateTime
    $to: DateTime
    $after: String
  ) {
    conversations(
      projectId: $projectId
      status: $status
      feedback: $feedback
      search: $search
      endUserId: $endUserId
      from: $from
      to: $to
      first: 30
      after: $after
    ) {
      edges {
        node {
          id
          title
          status
          endUserId
          messageCount
          lastMessageAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);
const conversationsOf = ({ conversations }: ResultOf<typeof conversationsQuery>) => conversations;
type Conversation = ReturnType<typeof conversationsOf>['edges'][number]['node'];

/** The project's conversations, latest message first, with filters in the URL. */
export function ConversationList() {
  const { id: projectId } = useProject();
  const filter = useConversationFilter();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
    conversationsQuery,
    { projectId, ...filter.variables },
    conversationsOf,
  );
  return (
    <Stack>
      <ConversationFilters filter={filter} />
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {isLoading && <Skeleton h={320} aria-label="Loading" />}
      {!isLoading && error === undefined && nodes.length === 0 && (
        <NoConversations isFiltered={filter.isSet} onClear={filter.clear} />
      )}
      {nodes.length > 0 && <ConversationTable conversations={nodes} />}
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
    </Stack>
  );
}

function NoConversations({
  isFiltered,
  onClear,
}: {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  const { id: projectId } = useProject();
  const { canChat } = usePermissions();
  if (isFiltered) {
    return (
      <EmptyState title="Nothing found" text="No conversation matches these filters.">
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No conversations yet" text="Conversations with end users appear here.">
      {canChat && (
        <Button component={Link} href={`/${projectId}/playground`}>
          Ask a question in the playground
        </Button>
      )}
    </EmptyState>
  );
}

function ConversationTable({ conversations }: { readonly conversations: readonly Conversation[] }) {
  return (
    <Table highlightOnHover verticalSpacing="sm" layout="fixed" aria-label="Conversations">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Conversation</Table.Th>
          <Table.Th w={180} visibleFrom="sm">
            Status
          </Table.Th>
          <Table.Th w={180} visibleFrom="md">
            End user
          </Table.Th>
          <Table.Th w={100} ta="right" visibleFrom="sm">
            Messages
          </Table.Th>
          <Table.Th w={130}>Last message</Table.Th>
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
  const { id, title, status, endUserId, messageCount, lastMessageAt } = conversation;
  const badge = (
    <Badge variant="light" tt="none" color={conversationStatusColors[status]}>
      {conversationStatusLabels[status]}
    </Badge>
  );
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
        <Text component="div" hiddenFrom="sm" mt={4}>
          {badge}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{badge}</Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm" truncate dir="auto" title={endUserId ?? undefined}>
          {endUserId}
        </Text>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {messageCount}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={lastMessageAt} size="sm" />
      </Table.Td>
    </Table.Tr>
  );
}
