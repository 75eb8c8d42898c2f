import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Where there is nothing to show: why, and what to do about it. */
export function EmptyState({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py="xl" maw={440} mx="auto" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
      {children}
    </Stack>
  );
}
