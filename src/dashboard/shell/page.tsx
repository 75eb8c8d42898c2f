import { Group, Stack, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { formatCappedCount } from '../format/format-numbers.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';

/**
 * A page with heading, actions and content. The title of the browser tab starts with a number: the waiting handoffs
 * plus the operator's own conversations with new messages.
 */
export function Page({
  title,
  tabTitle = title,
  actions,
  isTitleHidden = false,
  children,
}: {
  readonly title: string;
  /** Title of the browser tab. Default: `title`. */
  readonly tabTitle?: string | undefined;
  readonly actions?: ReactNode;
  /** Only screen readers get the heading. Default: false. */
  readonly isTitleHidden?: boolean;
  readonly children: ReactNode;
}) {
  const { waiting, unread } = useLiveInbox().counts;
  const count = waiting + unread;
  useEffect(() => {
    document.title = `${count > 0 ? `(${formatCappedCount(count)}) ` : ''}${tabTitle} · grounded-chat`;
  }, [tabTitle, count]);
  if (isTitleHidden) {
    return (
      <>
        <VisuallyHidden>
          <Title order={1}>{title}</Title>
        </VisuallyHidden>
        {children}
      </>
    );
  }
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
