import { Group, Text } from '@mantine/core';
import { RelativeTime } from '../components/relative-time.tsx';
import { RatingBadge } from './rating-badge.tsx';

interface Satisfaction {
  readonly rating: number | null;
  readonly comment: string | null;
  readonly ratedAt: string | null;
}

/** The end user's rating of the agent. Renders nothing until the end user has rated. */
export function HandoffRating({ satisfaction }: { readonly satisfaction: Satisfaction | null }) {
  if (satisfaction?.rating == null || satisfaction.ratedAt === null) return null;
  const { rating, comment, ratedAt } = satisfaction;
  return (
    <section aria-label="Satisfaction">
      <Group gap="xs">
        <RatingBadge rating={rating} />
        <RelativeTime at={ratedAt} size="xs" c="dimmed" />
      </Group>
      <RatingComment comment={comment} />
    </section>
  );
}

/** Long comments scroll, so that the transcript below stays visible. */
export function RatingComment({ comment }: { readonly comment: string | null }) {
  if (comment === null) return null;
  return (
    <Text
      size="sm"
      mt={4}
      dir="auto"
      mah={110}
      // Keyboard users must be able to scroll it.
      tabIndex={0}
      style={{ overflowWrap: 'anywhere', overflowY: 'auto', whiteSpace: 'pre-wrap' }}
    >
      {comment}
    </Text>
  );
}
