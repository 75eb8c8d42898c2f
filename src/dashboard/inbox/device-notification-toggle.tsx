import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { useState } from 'react';
import {
  deviceNotificationState,
  toggleDeviceNotifications,
} from '../live-inbox/device-notifications.ts';

const hints = {
  on: 'This device shows silent notifications of new requests and messages while the page is hidden',
  off: 'Show silent notifications of new requests and messages on this device while the page is hidden',
  blocked: "Notifications are blocked in the browser's settings for this page",
};

export function DeviceNotificationToggle() {
  const [state, setState] = useState(deviceNotificationState);
  if (state === 'unsupported') return null;
  const isOn = state === 'on';
  return (
    <Tooltip label={hints[state]} multiline maw={260}>
      <ActionIcon
        variant={isOn ? 'light' : 'default'}
        size="lg"
        role="switch"
        aria-checked={isOn}
        aria-label="Notifications on this device"
        aria-disabled={state === 'blocked'}
        onClick={async () => {
          if (state !== 'blocked') setState(await toggleDeviceNotifications());
        }}
      >
        {isOn ? <IconBell size={18} stroke={1.5} /> : <IconBellOff size={18} stroke={1.5} />}
      </ActionIcon>
    </Tooltip>
  );
}
