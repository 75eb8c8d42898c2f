import { randomBytes } from 'node:crypto';

/** Returns a new secret for a link or a session: 256 random bits in base64url. */
export function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}
