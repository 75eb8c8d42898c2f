import { Card, Progress, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A statistic. If it has a limit, a bar shows how much of the limit is used. */
export function StatCard({
  label,
  value,
  usedShare = null,
  headingOrder = 3,
  children,
}: {
  readonly label: string;
  readonly value: ReactNode;
  /** Used share of the limit, 0 to 1. Above 1 if the limit is exceeded. Null without a limit. */
  readonly usedShare?: number | null;
  /** Level of the heading. */
  readonly headingOrder?: 3 | 4;
  /** Explanation below the value. */
  readonly children?: ReactNode;
}) {
  return (
    <Card withBorder padding="md" role="group" aria-label={label}>
      <Stack gap={6}>
        <Title order={headingOrder} size="h6" c="dimmed" fw={500}>
          {label}
        </Title>
        <Text size="xl" fw={700}>
          {value}
        </Text>
        {usedShare !== null && (
          <Progress
            value={Math.min(100, usedShare * 100)}
            color={usedShare >= 0.9 ? 'red' : usedShare >= 0.7 ? 'yellow' : undefined}
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
