import type { Role } from '../project/operator.tsx';
import { startInvitedSession } from './link-session.ts';
import type { Session } from './session.ts';
import { notifyOtherTabs } from './session-broadcast.ts';

/** A pending invitation. The service shows it to everybody who has the link. */
export interface Invitation {
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
}

/** Returns the invitation of a link, or null if the link is not valid. Does not accept the invitation. */
export async function readInvitation(secret: string): Promise<Invitation | null> {
  const response = await fetch('/dashboard/invitation', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error('The service is not responding');
  return response.json();
}

/** Accepts an invitation and returns the session that it starts. Returns null if the invitation is not valid. */
export async function acceptInvitation(secret: string): Promise<Session | null> {
  const session = await startInvitedSession(secret);
  if (session !== null) notifyOtherTabs();
  return session;
}
