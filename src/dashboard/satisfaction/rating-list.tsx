import { Anchor, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { LoadFailure } from '../components/error-messages.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { Row, RowList } from '../components/row-list.tsx';
import { ShowMoreButton } from '../components/show-more-button.tsx';
import { usePaginatedQuery } from '../graphql/use-paginated-query.ts';
import { useProject } from '../project/project.tsx';
import { useAgentName } from '../project/use-agent-name.ts';
import { RatingComment } from './handoff-rating.tsx';
import { RatingBadge } from './rating-badge.tsx';
import {
  type HandoffRatingNode,
  handoffRatingsOf,
  handoffRatingsQuery,
} from './satisfaction-operations.ts';

const filters = {
  all: { label: 'All', minRating: null, maxRating: null },
  satisfied: { label: '4 and 5', minRating: 4, maxRating: null },
  dissatisfied: { label: '1 to 3', minRating: null, maxRating: 3 },
} as const;
type Filter = keyof typeof filters;

/** All ratings of the project, regardless of their age. The latest comes first. */
export function RatingList() {
  const { id: projectId } = useProject();
  const [filter, setFilter] = useState<Filter>('all');
  const { minRating, maxRating } = filters[filter];
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
    handoffRatingsQuery,
    { projectId, minRating, maxRating },
    handoffRatingsOf,
  );
  return (
    <Stack gap="sm" align="flex-start">
      <SegmentedControl
        aria-label="Ratings to show"
        data={Object.entries(filters).map(([value, { label }]) => ({ value, label }))}
        value={filter}
        onChange={(value) => setFilter(value as Filter)}
      />
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {isLoading && <Skeleton h={120} aria-label="Loading" />}
      {!isLoading && error === undefined && nodes.length === 0 && (
        <Text c="dimmed" size="sm">
          {filter === 'all'
            ? 'No ratings yet. Owners and admins turn the question on in Settings → Assistant.'
            : 'No rating matches this filter.'}
        </Text>
      )}
      {nodes.length > 0 && (
        <Stack gap={0} w="100%">
          <RowList label="Ratings">
            {nodes.map((node) => (
              <RatingRow key={node.handoffId} rating={node} />
            ))}
          </RowList>
        </Stack>
      )}
      {hasMore && <ShowMoreButton onClick={loadMore} />}
    </Stack>
  );
}

function RatingRow({
  rating: { rating, comment, agent, ratedAt, handoff },
}: {
  readonly rating: HandoffRatingNode;
}) {
  const { id: projectId } = useProject();
  const nameOf = useAgentName();
  return (
    <Row>
      <Group gap="xs">
        {rating !== null && <RatingBadge rating={rating} />}
        <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {nameOf(agent)}
        </Text>
        {ratedAt !== null && <RelativeTime at={ratedAt} size="sm" c="dimmed" />}
      </Group>
      <RatingComment comment={comment} />
      <Anchor
        component={Link}
        href={`/${projectId}/conversations/${handoff.conversationId}`}
        size="sm"
        dir="auto"
        style={{ overflowWrap: 'anywhere' }}
      >
        {handoff.conversation.title}
      </Anchor>
    </Row>
  );
}
