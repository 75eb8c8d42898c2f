import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { Link, useSearch } from 'wouter';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { usePaginatedQuery } from '../graphql/use-paginated-query.ts';
import { useInboxChanges } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { handoffsQuery } from './handoff-operations.ts';
import classes from './inbox.module.css';

/** `mine`: handoffs that this operator has claimed. The other values filter by status. */
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
  waiting: 'No one is waiting. New requests appear here.',
  progress: 'No agent has an open conversation.',
  mine: 'You have no open conversation. Claim one that is waiting.',
  resolved: 'No handoff has been resolved yet.',
};

export function HandoffList({
  filter,
  search,
  openConversationId,
}: {
  readonly filter: InboxFilter;
  /** Searches names, e-mail addresses, reasons and titles. Null returns all handoffs. */
  readonly search: string | null;
  readonly openConversationId: string | null;
}) {
  const { id: projectId } = useProject();
  const { email } = useOperator();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
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
      <EmptyState title="No handoffs" text={emptyTexts[filter]} />
    ) : (
      <EmptyState title="Nothing found" text={`No handoff matches “${search}”.`} />
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
            {handoff.name ?? handoff.email ?? conversation.endUserId ?? 'Anonymous'}
          </Text>
          <RelativeTime
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
