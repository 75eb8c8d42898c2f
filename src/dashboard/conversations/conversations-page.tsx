import { Badge, Button, Group, Select, Skeleton, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { graphql } from '../graphql/graphql.ts';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { Page } from '../shell/page.tsx';
import { useProject } from '../shell/project.tsx';
import { Time } from '../shell/time.tsx';
import { ConversationPanel } from './conversation-panel.tsx';
import { type ConversationStatus, statusNames } from './statuses.ts';

const conversationsQuery = graphql(`
  query Conversations(
    $projectId: ID!
    $status: ConversationStatus
    $search: String
    $endUserId: String
    $after: String
  ) {
    conversations(
      projectId: $projectId
      status: $status
      search: $search
      endUserId: $endUserId
      first: 50
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

export function ConversationsPage() {
  const openId = useParams()['*'] || null;
  return (
    <Page title="Conversations">
      {openId === null ? <ConversationList /> : <ConversationPanel conversationId={openId} />}
    </Page>
  );
}

function ConversationList() {
  const { id: projectId } = useProject();
  const [status, setStatus] = useState<ConversationStatus | null>(null);
  const [search, setSearch] = useState('');
  const [endUserId, setEndUserId] = useState('');
  const [filter] = useDebouncedValue({ search: search.trim(), endUserId: endUserId.trim() }, 250);
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    conversationsQuery,
    {
      projectId,
      status,
      search: filter.search || null,
      endUserId: filter.endUserId || null,
    },
    conversationsOf,
  );
  return (
    <>
      <Group align="flex-end">
        <TextInput
          label="Search in messages"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <TextInput
          label="End user"
          placeholder="Id, exactly"
          value={endUserId}
          onChange={(event) => setEndUserId(event.currentTarget.value)}
        />
        <Select
          label="Status"
          clearable
          placeholder="Any"
          value={status}
          data={Object.entries(statusNames).map(([value, label]) => ({ value, label }))}
          onChange={(value) => setStatus(value as ConversationStatus | null)}
        />
      </Group>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {isLoading && <Skeleton h={240} aria-label="Loading" />}
      {!isLoading && error === undefined && nodes.length === 0 && (
        <EmptyState
          title="No conversations"
          text="None fits these filters, or nobody has asked anything yet. Ask something in the playground."
        />
      )}
      {nodes.length > 0 && (
        <Table.ScrollContainer minWidth={640}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Title</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>End user</Table.Th>
                <Table.Th ta="right">Messages</Table.Th>
                <Table.Th>Last message</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {nodes.map((conversation) => (
                <Table.Tr key={conversation.id}>
                  <Table.Td>
                    <Text
                      component={Link}
                      href={`/${projectId}/conversations/${conversation.id}`}
                      lineClamp={1}
                      c="var(--mantine-color-anchor)"
                    >
                      {conversation.title}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Badge variant="light" tt="none">
                      {statusNames[conversation.status]}
                    </Badge>
                  </Table.Td>
                  <Table.Td>{conversation.endUserId}</Table.Td>
                  <Table.Td ta="right">{conversation.messageCount}</Table.Td>
                  <Table.Td>
                    <Time at={conversation.lastMessageAt} size="sm" />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
    </>
  );
}
