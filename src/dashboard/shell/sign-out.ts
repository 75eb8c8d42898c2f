import { notifications } from '@mantine/notifications';
import { forgetDrafts } from '../inbox/drafts.ts';
import type { Session } from '../session/session.ts';

/** Ends the session here and in the browser's other tabs, or says that it goes on. */
export async function signOut(session: Session): Promise<void> {
  try {
    await session.end();
  } catch {
    notifications.show({
      color: 'red',
      role: 'alert',
      title: 'You are still signed in',
      message: 'The service does not answer. Try again in a moment.',
    });
    return;
  }
  forgetDrafts();
  location.assign('/dashboard/');
}
