import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';

/** A page with heading, actions and content. The title of the browser tab has the number of waiting handoffs. */
export function Page({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { waitingCount } = useLiveInbox();
  useEffect(() => {
    document.title = `${waitingCount > 0 ? `(${waitingCount > 99 ? '99+' : waitingCount}) ` : ''}${title} · grounded-chat`;
  }, [title, waitingCount]);
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
