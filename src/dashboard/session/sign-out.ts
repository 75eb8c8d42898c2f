import { notifications } from '@mantine/notifications';
import { clearDrafts } from '../inbox/reply-drafts.ts';
import type { Session } from './session.ts';

/** Signs out in all tabs of the browser. If that fails, shows a notification and keeps the session. */
export async function signOut(session: Session): Promise<void> {
  try {
    await session.signOut();
  } catch {
    notifications.show({
      color: 'red',
      role: 'alert',
      title: 'You are still signed in',
      message: 'The service is not responding. Try again in a moment.',
    });
    return;
  }
  clearDrafts();
  location.assign('/dashboard/');
}
