import { Badge, Tooltip } from '@mantine/core';

/** The probability that the project's knowledge supports an answer. Below 0.3 the assistant says that it does not know. */
export function Confidence({ value }: { readonly value: number }) {
  const color = value >= 0.7 ? 'green' : value >= 0.3 ? 'yellow' : 'red';
  return (
    <Tooltip label="How probable it is that the project's knowledge supports this answer">
      <Badge size="sm" variant="light" color={color} tt="none">
        Confidence {Math.round(value * 100)} %
      </Badge>
    </Tooltip>
  );
}
