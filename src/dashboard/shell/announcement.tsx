import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { notifyOnDevice } from './device-notifications.ts';
import { useProject } from './project.tsx';

/** Somebody who asks for a person. */
export interface AnnouncedHandoff {
  readonly id: string;
  readonly conversationId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly reason: string | null;
}

/**
 * Tells of new handoffs without a sound: on the page, unless it is the inbox, which shows them itself; and on the device
 * where that is wanted and nobody looks at the page. `isHere`: no other tab tells of it on the device.
 */
export function useAnnouncement() {
  const { id: projectId } = useProject();
  const [location, navigate] = useLocation();
  const place = useRef({ location, navigate });
  useEffect(() => {
    place.current = { location, navigate };
  });
  return useCallback(
    (handoffs: readonly AnnouncedHandoff[], { isHere }: { readonly isHere: boolean }) => {
      const inbox = `/${projectId}/inbox`;
      const [first] = handoffs;
      if (first === undefined) return;
      const isOne = handoffs.length === 1;
      const title = isOne
        ? `${first.name ?? first.email ?? 'Somebody'} asks for a person`
        : `${handoffs.length} people ask for a person`;
      const message = (isOne && first.reason) || 'Open the inbox to answer.';
      const path = isOne ? `${inbox}/${first.conversationId}` : inbox;
      const open = () => place.current.navigate(path);
      if (isHere) notifyOnDevice({ title, message, tag: first.id, onClick: open });
      if (place.current.location.startsWith(inbox)) return;
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
