import { notifications } from '@mantine/notifications';
import { clearDrafts } from '../inbox/reply-drafts.ts';
import type { Session, SessionList } from './session.ts';
import { forgetSession } from './session-memory.ts';

/** Signs out in all tabs of the browser. If that fails, shows a notification and keeps the session. */
export async function signOut(session: Session): Promise<void> {
  await endAndLeave(() => session.signOut());
}

/** Signs out on all devices, including this one. If that fails, shows a notification and keeps the sessions. */
export async function signOutEverywhere(list: SessionList): Promise<void> {
  await endAndLeave(() => list.endAll());
}

async function endAndLeave(end: () => Promise<void>): Promise<void> {
  try {
    await end();
  } catch {
    notifications.show({
      color: 'red',
      role: 'alert',
      title: 'You are still signed in',
      message: 'The service is not responding. Try again in a moment.',
    });
    return;
  }
  forgetSession();
  clearDrafts();
  location.assign('/dashboard/');
}
