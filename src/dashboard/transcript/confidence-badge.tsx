import { Badge, Tooltip } from '@mantine/core';

/**
 * The probability, 0 to 1, that the documents support an answer. If it is below 0.3, the assistant says that it does
 * not know.
 */
export function ConfidenceBadge({ value }: { readonly value: number }) {
  const [word, color] = gradeOf(value);
  return (
    <Tooltip label="Probability that the project's documents support this answer">
      <Badge size="sm" variant="light" color={color} tt="none" tabIndex={0}>
        Confidence {Math.round(value * 100)} %, {word}
      </Badge>
    </Tooltip>
  );
}

/**
 * The lowest confidence among the answers of a conversation. It has no tooltip, because a list shows many of these
 * badges.
 */
export function LowestConfidenceBadge({ value }: { readonly value: number }) {
  const [word, color] = gradeOf(value);
  return (
    <Badge size="sm" variant="light" color={color} tt="none">
      Lowest confidence {Math.round(value * 100)} %, {word}
    </Badge>
  );
}

const gradeOf = (confidence: number) =>
  confidence >= 0.7
    ? (['high', 'green'] as const)
    : confidence >= 0.3
      ? (['fair', 'yellow'] as const)
      : (['low', 'red'] as const);
