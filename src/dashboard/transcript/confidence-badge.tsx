import { Badge, Tooltip } from '@mantine/core';

/** The probability, 0 to 1, that the documents support an answer. Below 0.3 the assistant says that it does not know. */
export function ConfidenceBadge({ value }: { readonly value: number }) {
  const [word, color] =
    value >= 0.7 ? ['high', 'green'] : value >= 0.3 ? ['fair', 'yellow'] : ['low', 'red'];
  return (
    <Tooltip label="Probability that the project's documents support this answer">
      <Badge size="sm" variant="light" color={color} tt="none" tabIndex={0}>
        Confidence {Math.round(value * 100)} %, {word}
      </Badge>
    </Tooltip>
  );
}
