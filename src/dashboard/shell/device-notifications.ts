/** The device's own notifications of new handoffs, which come while nobody looks at the page. For those who ask for them. */
const choice = 'grounded-chat notifies';

export type DeviceNotifications = 'on' | 'off' | 'blocked' | 'impossible';

export function deviceNotifications(): DeviceNotifications {
  if (!('Notification' in window) || !window.isSecureContext) return 'impossible';
  if (Notification.permission === 'denied') return 'blocked';
  const isWanted = localStorage.getItem(choice) === 'on';
  return isWanted && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Asks the browser for its leave, where it must; to be called by a click. */
export async function switchDeviceNotifications(): Promise<DeviceNotifications> {
  if (deviceNotifications() === 'on') localStorage.removeItem(choice);
  else if ((await Notification.requestPermission()) === 'granted')
    localStorage.setItem(choice, 'on');
  return deviceNotifications();
}

interface DeviceNotification {
  readonly title: string;
  readonly message: string;
  /** Another one with it takes the place of this. */
  readonly tag: string;
  readonly onClick: () => void;
}

export function notifyOnDevice({ title, message, tag, onClick }: DeviceNotification): void {
  if (!document.hidden || deviceNotifications() !== 'on') return;
  const notification = new Notification(title, { body: message, tag, silent: true });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
    onClick();
  });
}
