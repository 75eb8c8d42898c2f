import { Card, Progress, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** One figure of the page; with a limit, how much of it is used. */
export function FigureCard({
  label,
  value,
  used = null,
  children,
}: {
  readonly label: string;
  readonly value: ReactNode;
  /** Of 1. Null: there is no limit. */
  readonly used?: number | null;
  /** What it means. */
  readonly children?: ReactNode;
}) {
  return (
    <Card withBorder padding="md" role="group" aria-label={label}>
      <Stack gap={6}>
        <Title order={3} size="h6" c="dimmed" fw={500}>
          {label}
        </Title>
        <Text size="xl" fw={700}>
          {value}
        </Text>
        {used !== null && (
          <Progress
            value={Math.min(100, used * 100)}
            color={used >= 0.9 ? 'red' : used >= 0.7 ? 'yellow' : undefined}
            aria-label={`${label} used`}
          />
        )}
        <Text size="sm" c="dimmed" component="div">
          {children}
        </Text>
      </Stack>
    </Card>
  );
}
