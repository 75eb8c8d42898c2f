import { Button, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { usePaginatedQuery } from '../graphql/use-paginated-query.ts';
import { useInboxChanges } from '../live-inbox/live-inbox.tsx';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { HandoffItem } from './handoff-item.tsx';
import { handoffsOf, handoffsQuery } from './handoff-operations.ts';
import classes from './inbox.module.css';
import { ResolveSelected } from './resolve-selected.tsx';

/** `mine`: handoffs that this operator has claimed. The other values filter by status. */
export type InboxFilter = 'waiting' | 'progress' | 'mine' | 'resolved';

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
  labelId,
  openConversationId,
}: {
  readonly filter: InboxFilter;
  /** Searches names, e-mail addresses, reasons and titles. Null returns all handoffs. */
  readonly search: string | null;
  /** Null returns handoffs with any label or none. */
  readonly labelId: string | null;
  readonly openConversationId: string | null;
}) {
  const { id: projectId } = useProject();
  const { email } = useOperator();
  const {
    nodes: loaded,
    error,
    isLoading,
    hasMore,
    loadMore,
    reload,
  } = usePaginatedQuery(
    handoffsQuery,
    {
      projectId,
      status: statuses[filter],
      claimedBy: filter === 'mine' ? email : null,
      search,
      labelId,
      // The request that has waited longest comes first.
      order: filter === 'waiting' ? 'OLDEST_FIRST' : 'LATEST_FIRST',
      hasOverdueFirst: filter === 'progress' || filter === 'mine',
    } as const,
    handoffsOf,
  );
  useInboxChanges(reload);
  const nodes = [...new Map(loaded.map((handoff) => [handoff.id, handoff])).values()];
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const select = (handoffIds: readonly string[], isSelected: boolean) =>
    setSelected((all) => {
      const changed = new Set(all);
      for (const id of handoffIds) isSelected ? changed.add(id) : changed.delete(id);
      return changed;
    });

  // If a list is already shown, it stays until a reload succeeds.
  if (error !== undefined && nodes.length === 0)
    return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) {
    return (
      <Stack gap="xs" role="status" aria-label="Loading">
        <Skeleton h={84} />
        <Skeleton h={84} />
      </Stack>
    );
  }
  if (nodes.length === 0) {
    if (search !== null) {
      return <EmptyState title="Nothing found" text={`No handoff matches “${search}”.`} />;
    }
    return labelId === null ? (
      <EmptyState title="No handoffs" text={emptyTexts[filter]} />
    ) : (
      <EmptyState title="Nothing found" text="No handoff in this list has the label." />
    );
  }
  return (
    <>
      <ResolveSelected
        handoffIds={nodes.map(({ id }) => id).filter((id) => selected.has(id))}
        onDeselect={(ids) => select(ids, false)}
      />
      <Stack gap="xs" component="ul" m={0} p={0} aria-label="Handoffs">
        {nodes.map((handoff) => (
          <HandoffItem
            key={handoff.id}
            handoff={handoff}
            isOpen={handoff.conversationId === openConversationId}
            isSelected={selected.has(handoff.id)}
            onSelect={filter === 'mine' ? (isOn) => select([handoff.id], isOn) : null}
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
    </>
  );
}
