import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { useState } from 'react';
import { deviceNotifications, switchDeviceNotifications } from '../shell/device-notifications.ts';

const hints = {
  on: 'This device tells you of new handoffs while you look elsewhere, without a sound',
  off: 'Let this device tell you of new handoffs while you look elsewhere',
  blocked: "Notifications are blocked in the browser's settings of this page",
};

export function DeviceSwitch() {
  const [state, setState] = useState(deviceNotifications);
  if (state === 'impossible') return null;
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
          if (state !== 'blocked') setState(await switchDeviceNotifications());
        }}
      >
        {isOn ? <IconBell size={18} stroke={1.5} /> : <IconBellOff size={18} stroke={1.5} />}
      </ActionIcon>
    </Tooltip>
  );
}
