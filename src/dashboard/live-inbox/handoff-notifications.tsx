import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useProject } from '../project/project.tsx';
import { showDeviceNotification } from './device-notifications.ts';

/** A newly requested handoff. */
export interface NewHandoff {
  readonly id: string;
  readonly conversationId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly reason: string | null;
}

/**
 * Returns a function that shows notifications of new handoffs, without sound. Page notifications appear on all pages
 * except the inbox, which lists the handoffs itself. Device notifications appear while the page is hidden, if the
 * operator enabled them. To avoid duplicates, only the tab that receives the event stream shows them (`isFromThisTab`).
 */
export function useHandoffNotifications() {
  const { id: projectId } = useProject();
  const [location, navigate] = useLocation();
  const route = useRef({ location, navigate });
  useEffect(() => {
    route.current = { location, navigate };
  });
  return useCallback(
    (handoffs: readonly NewHandoff[], isFromThisTab: boolean) => {
      const inbox = `/${projectId}/inbox`;
      const [first] = handoffs;
      if (first === undefined) return;
      const isSingle = handoffs.length === 1;
      const title = isSingle
        ? `${first.name ?? first.email ?? 'Someone'} asks for an agent`
        : `${handoffs.length} people ask for an agent`;
      const message = (isSingle && first.reason) || 'Open the inbox to reply.';
      const path = isSingle ? `${inbox}/${first.conversationId}` : inbox;
      const open = () => route.current.navigate(path);
      if (isFromThisTab) showDeviceNotification({ title, message, tag: first.id, onClick: open });
      if (route.current.location.startsWith(inbox)) return;
      notifications.show({
        id: first.id,
        title,
        autoClose: 10_000,
        message: (
          <Group justify="space-between" align="flex-end" wrap="nowrap">
            <Text size="sm" lineClamp={3} dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {message}
            </Text>
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => {
                notifications.hide(first.id);
                open();
              }}
            >
              Open
            </Button>
          </Group>
        ),
      });
    },
    [projectId],
  );
}
