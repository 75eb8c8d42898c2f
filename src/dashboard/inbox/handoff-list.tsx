import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { Link, useSearch } from 'wouter';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { useInboxChanges } from '../shell/live.tsx';
import { useOperator } from '../shell/operator.tsx';
import { useProject } from '../shell/project.tsx';
import { Time } from '../shell/time.tsx';
import { handoffsQuery } from './handoff-operations.ts';
import classes from './inbox.module.css';

/** By status, or the operator's own that are in progress. */
export type InboxFilter = 'waiting' | 'progress' | 'mine' | 'resolved';
type Handoff = ResultOf<typeof handoffsQuery>['handoffs']['edges'][number]['node'];

const handoffsOf = ({ handoffs }: ResultOf<typeof handoffsQuery>) => handoffs;
const statuses = {
  waiting: 'REQUESTED',
  progress: 'CLAIMED',
  mine: 'CLAIMED',
  resolved: 'RESOLVED',
} as const satisfies Record<InboxFilter, string>;

const emptyTexts: Record<InboxFilter, string> = {
  waiting: 'Nobody waits for a person. Who does appears here at once.',
  progress: 'Nobody of the team has a conversation at the moment.',
  mine: 'You have no conversation. Claim one of those that wait.',
  resolved: 'No handoff has come to its end yet.',
};

export function HandoffList({
  filter,
  search,
  openConversationId,
}: {
  readonly filter: InboxFilter;
  /** In names, addresses, reasons and titles; null for all. */
  readonly search: string | null;
  readonly openConversationId: string | null;
}) {
  const { id: projectId } = useProject();
  const { email } = useOperator();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    handoffsQuery,
    {
      projectId,
      status: statuses[filter],
      claimedBy: filter === 'mine' ? email : null,
      search,
    },
    handoffsOf,
  );
  useInboxChanges(reload);

  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) {
    return (
      <Stack gap="xs" role="status" aria-label="Loading">
        <Skeleton h={84} />
        <Skeleton h={84} />
      </Stack>
    );
  }
  if (nodes.length === 0) {
    return search === null ? (
      <EmptyState title="All quiet" text={emptyTexts[filter]} />
    ) : (
      <EmptyState title="Nothing found" text={`No handoff here has “${search}” in it.`} />
    );
  }
  return (
    <Stack gap="xs" component="ul" m={0} p={0} aria-label="Handoffs">
      {nodes.map((handoff) => (
        <HandoffItem
          key={handoff.id}
          handoff={handoff}
          isOpen={handoff.conversationId === openConversationId}
        />
      ))}
      {hasMore && (
        <li className={classes.more}>
          <Button fullWidth variant="default" onClick={loadMore}>
            Show more
          </Button>
        </li>
      )}
    </Stack>
  );
}

function HandoffItem({ handoff, isOpen }: { readonly handoff: Handoff; readonly isOpen: boolean }) {
  const { id: projectId } = useProject();
  const { email } = useOperator();
  const parameters = useSearch();
  const { conversation, reason, claimedBy, requestedAt, resolvedAt } = handoff;
  return (
    <li style={{ listStyle: 'none' }}>
      <Link
        href={`/${projectId}/inbox/${handoff.conversationId}${parameters && `?${parameters}`}`}
        aria-current={isOpen ? 'true' : undefined}
        className={classes.item}
      >
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text fw={600} size="sm" truncate dir="auto">
            {handoff.name ?? handoff.email ?? conversation.endUserId ?? 'Somebody'}
          </Text>
          <Time
            at={resolvedAt ?? requestedAt}
            size="xs"
            c="dimmed"
            style={{ whiteSpace: 'nowrap' }}
          />
        </Group>
        <Text size="sm" lineClamp={2} dir="auto">
          {reason ?? conversation.title}
        </Text>
        {claimedBy !== null && (
          <Badge mt={4} size="sm" variant="light" tt="none" maw="100%">
            {claimedBy === email ? 'You' : claimedBy}
          </Badge>
        )}
      </Link>
    </li>
  );
}
