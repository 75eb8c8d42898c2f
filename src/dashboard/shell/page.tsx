import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useLive } from './live.tsx';

/** A page: its heading, its actions, its contents. The tab's title counts who waits for a person. */
export function Page({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { waiting } = useLive();
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting > 99 ? '99+' : waiting}) ` : ''}${title} · grounded-chat`;
  }, [title, waiting]);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {title}
        </Title>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Stack>
  );
}
