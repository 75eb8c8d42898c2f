/** Key in local storage. The value is `on` if the operator enabled device notifications in this browser. */
const storageKey = 'grounded-chat notifies';

export type DeviceNotificationState = 'on' | 'off' | 'blocked' | 'unsupported';

export function deviceNotificationState(): DeviceNotificationState {
  if (!('Notification' in window) || !window.isSecureContext) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const isEnabled = localStorage.getItem(storageKey) === 'on';
  return isEnabled && Notification.permission === 'granted' ? 'on' : 'off';
}

/**
 * Turns device notifications on or off. If necessary, asks for the browser's permission. Call it from a click handler,
 * because browsers require this.
 */
export async function toggleDeviceNotifications(): Promise<DeviceNotificationState> {
  if (deviceNotificationState() === 'on') localStorage.removeItem(storageKey);
  else if ((await Notification.requestPermission()) === 'granted')
    localStorage.setItem(storageKey, 'on');
  return deviceNotificationState();
}

interface DeviceNotification {
  readonly title: string;
  readonly message: string;
  /** A later notification with the same tag replaces this one. */
  readonly tag: string;
  readonly onClick: () => void;
}

/** Shows a notification without sound, but only if the operator enabled device notifications and the page is hidden. */
export function showDeviceNotification({ title, message, tag, onClick }: DeviceNotification): void {
  if (!document.hidden || deviceNotificationState() !== 'on') return;
  const notification = new Notification(title, { body: message, tag, silent: true });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
    onClick();
  });
}
