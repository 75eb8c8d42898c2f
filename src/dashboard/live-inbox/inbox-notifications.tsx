import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useProject } from '../project/project.tsx';
import { showDeviceNotification } from './device-notifications.ts';
import { isConversationOpen, type Notice } from './inbox-notices.ts';
import { playSoundIfEnabled } from './notification-sound.ts';

/**
 * Returns a function that shows a notice. Page notifications of messages and requests appear on all pages except the
 * inbox, because the inbox lists the handoffs itself. Device notifications appear while the page is hidden, if the
 * operator enabled them. The sound is a setting of the browser. To avoid duplicates, only the tab that receives the
 * event stream (`isFromThisTab`) shows device notifications and plays the sound. If the operator is looking at the
 * conversation of a notice, the notice is not shown.
 */
export function useInboxNotifications() {
  const { id: projectId } = useProject();
  const [location, navigate] = useLocation();
  const route = useRef({ location, navigate });
  useEffect(() => {
    route.current = { location, navigate };
  });
  /** Ids of the page notifications, by tag. Each notification gets a new id, because Mantine shows an id only once. */
  const shown = useRef(new Map<string, string>());
  return useCallback(
    (notice: Notice, isFromThisTab: boolean) => {
      const { tag, title, message, path } = notice;
      const inbox = `/${notice.projectId ?? projectId}/inbox`;
      const open = () => route.current.navigate(`${inbox}${path}`);
      const { location } = route.current;
      if (!document.hidden && isConversationOpen(notice, location, inbox)) return;
      if (isFromThisTab) {
        showDeviceNotification({ title, message, tag, onClick: open });
        playSoundIfEnabled();
      }
      if (location.startsWith(inbox) && notice.isShownInInbox !== true) return;
      const earlier = shown.current.get(tag);
      if (earlier !== undefined) notifications.hide(earlier);
      const id = notifications.show({
        title,
        onClose: () => shown.current.delete(tag),
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
                notifications.hide(id);
                open();
              }}
            >
              Open
            </Button>
          </Group>
        ),
      });
      shown.current.set(tag, id);
    },
    [projectId],
  );
}
