import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Placeholder for an empty list or page. Says why it is empty and what to do next. */
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
