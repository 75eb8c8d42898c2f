import { Badge, Tooltip } from '@mantine/core';

/** The probability that the project's knowledge supports an answer. Below 0.3 the assistant says that it does not know. */
export function Confidence({ value }: { readonly value: number }) {
  const [word, color] =
    value >= 0.7 ? ['high', 'green'] : value >= 0.3 ? ['fair', 'yellow'] : ['low', 'red'];
  return (
    <Tooltip label="How probable it is that the project's knowledge supports this answer">
      <Badge size="sm" variant="light" color={color} tt="none" tabIndex={0}>
        Confidence {Math.round(value * 100)} %, {word}
      </Badge>
    </Tooltip>
  );
}
