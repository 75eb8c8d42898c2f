import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import rows from '../components/row-list.module.css';

/** One step with its state. The children are what a person can do. */
export function SetupStep({
  title,
  text,
  isDone,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}) {
  return (
    <li className={rows.row}>
      <Stack gap={6} className={rows.facts} align="flex-start">
        <Group gap="xs" wrap="nowrap">
          <Title order={2} size="h5">
            {title}
          </Title>
          <Badge variant="light" tt="none" color={isDone ? 'green' : 'gray'} miw={56}>
            {isDone ? 'Done' : 'To do'}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {children}
      </Stack>
    </li>
  );
}
