import { Badge } from '@mantine/core';

/** Mantine colors that have enough contrast in light and dark mode. */
const colors = ['red', 'red', 'yellow', 'green', 'green'] as const;

/** The end user's rating of an agent, 1 to 5. */
export function RatingBadge({ rating }: { readonly rating: number }) {
  return (
    <Badge variant="light" size="sm" tt="none" color={colors[rating - 1]}>
      Rated {rating} of 5
    </Badge>
  );
}
