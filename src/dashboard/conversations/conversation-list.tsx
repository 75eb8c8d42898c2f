import { Button, Skeleton, Stack } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { ShowMoreButton } from '../components/show-more-button.tsx';
import { graphql } from '../graphql/graphql.ts';
import { usePaginatedQuery } from '../graphql/use-paginated-query.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useInboxChanges } from '../live-inbox/live-inbox.tsx';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { useChangeSubscription } from '../subscriptions/use-change-subscription.ts';
import { useConversationFilter } from './conversation-filter.ts';
import { ConversationFilters } from './conversation-filters.tsx';
import { ConversationTable, conversationRowFields } from './conversation-table.tsx';
import { ExportButton } from './export-button.tsx';
import { SavedViewActions } from './saved-view-actions.tsx';
import { SavedViewLinks } from './saved-view-links.tsx';
import { useSavedViews } from './use-saved-views.ts';

const conversationsQuery = graphql(
  `
  query Conversations(
    $projectId: ID!
    $status: ConversationStatus
    $feedback: FeedbackRating
    $search: String
    $endUserId: String
    $labelId: ID
    $confidenceBelow: Float
    $channel: ConversationChannel
    $hasHandoff: Boolean
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
      labelId: $labelId
      confidenceBelow: $confidenceBelow
      channel: $channel
      hasHandoff: $hasHandoff
      from: $from
      to: $to
      first: 30
      after: $after
    ) {
      edges {
        node {
          ...ConversationRowFields
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`,
  [conversationRowFields],
);

const conversationUpdatedSubscription = graphql(`
  subscription ConversationUpdates($projectId: ID!) {
    conversationUpdated(projectId: $projectId) {
      id
    }
  }
`);

/** Polling interval. Needed because ratings and labels of conversations with the assistant have no events. */
const pollingMs = 15_000;
/** Minimum time between two reloads after events, in milliseconds. */
const liveReloadMs = 1_000;
const conversationsOf = ({ conversations }: ResultOf<typeof conversationsQuery>) => conversations;

/** The project's conversations, latest message first. The URL stores the filters. */
export function ConversationList() {
  const { id: projectId } = useProject();
  const filter = useConversationFilter();
  const { canManage } = usePermissions();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
    conversationsQuery,
    { projectId, ...filter.variables },
    conversationsOf,
  );
  const savedViews = useSavedViews();
  const reloadRows = () => {
    if (!isMenuOpen()) reload();
  };
  useInboxChanges(reloadRows);
  usePolling(reloadRows, pollingMs);
  useChangeSubscription(
    conversationUpdatedSubscription,
    { projectId },
    useThrottledCallback(reloadRows, liveReloadMs),
  );
  return (
    <Stack>
      <SavedViewLinks {...savedViews} />
      <ConversationFilters filter={filter}>
        <SavedViewActions savedViews={savedViews} />
        {canManage && <ExportButton filter={filter} />}
      </ConversationFilters>
      {error !== undefined && nodes.length === 0 && <LoadFailure error={error} onRetry={reload} />}
      {isLoading && <Skeleton h={320} aria-label="Loading" />}
      {!isLoading && error === undefined && nodes.length === 0 && (
        <NoConversations
          isFiltered={filter.count > 0 || Boolean(filter.search.committed)}
          onClear={filter.clear}
        />
      )}
      {nodes.length > 0 && <ConversationTable conversations={nodes} />}
      {hasMore && <ShowMoreButton onClick={loadMore} />}
    </Stack>
  );
}

/**
 * Whether a menu or a list of options is open. Rows that move below it would distract. The next event or poll reloads
 * the list.
 */
function isMenuOpen(): boolean {
  return document.querySelector('[aria-haspopup][aria-expanded="true"]') !== null;
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
