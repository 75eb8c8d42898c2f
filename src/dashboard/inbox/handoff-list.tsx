import { Badge, Button, Card, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { useInboxEvents } from '../shell/live.tsx';
import { useOperator } from '../shell/operator.tsx';
import { useProject } from '../shell/project.tsx';
import { Time } from '../shell/time.tsx';
import { handoffsQuery } from './handoff-operations.ts';

/** By status, or the operator's own that are in progress. */
export type InboxFilter = 'REQUESTED' | 'CLAIMED' | 'RESOLVED' | 'MINE';
type Handoff = ResultOf<typeof handoffsQuery>['handoffs']['edges'][number]['node'];

const handoffsOf = ({ handoffs }: ResultOf<typeof handoffsQuery>) => handoffs;

const emptyTexts: Record<InboxFilter, string> = {
  REQUESTED: 'Nobody waits for a person. Who does appears here at once.',
  CLAIMED: 'Nobody of the team has a conversation at the moment.',
  MINE: 'You have no conversation. Take one from those that wait.',
  RESOLVED: 'No handoff has come to its end yet.',
};

export function HandoffList({
  filter,
  openConversationId,
}: {
  readonly filter: InboxFilter;
  readonly openConversationId: string | null;
}) {
  const { id: projectId } = useProject();
  const { email } = useOperator();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    handoffsQuery,
    { projectId, status: filter === 'MINE' ? 'CLAIMED' : filter },
    handoffsOf,
  );
  useInboxEvents(() => reload());

  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={120} aria-label="Loading" />;
  const shown = filter === 'MINE' ? nodes.filter(({ claimedBy }) => claimedBy === email) : nodes;
  if (shown.length === 0) return <EmptyState title="All quiet" text={emptyTexts[filter]} />;
  return (
    <Stack gap="xs" component="ul" m={0} p={0} aria-label="Handoffs">
      {shown.map((handoff) => (
        <HandoffItem
          key={handoff.id}
          handoff={handoff}
          isOpen={handoff.conversationId === openConversationId}
        />
      ))}
      {hasMore && (
        <Button variant="default" onClick={loadMore}>
          Show more
        </Button>
      )}
    </Stack>
  );
}

function HandoffItem({ handoff, isOpen }: { readonly handoff: Handoff; readonly isOpen: boolean }) {
  const { id: projectId } = useProject();
  const { conversation, reason, claimedBy, requestedAt } = handoff;
  return (
    <li style={{ listStyle: 'none' }}>
      <Card
        withBorder
        padding="sm"
        component={Link}
        href={`/${projectId}/inbox/${handoff.conversationId}`}
        aria-current={isOpen ? 'true' : undefined}
        bg={isOpen ? 'var(--mantine-primary-color-light)' : undefined}
        c="inherit"
      >
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text fw={600} truncate>
            {handoff.name ?? handoff.email ?? conversation.endUserId ?? 'Somebody'}
          </Text>
          <Time at={requestedAt} size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }} />
        </Group>
        <Text size="sm" lineClamp={2}>
          {reason ?? conversation.title}
        </Text>
        {claimedBy !== null && (
          <Badge mt={4} size="sm" variant="light" tt="none">
            {claimedBy}
          </Badge>
        )}
      </Card>
    </li>
  );
}
