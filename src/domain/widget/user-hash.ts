import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const prefix = 'idsec_';

/** Generates a secret with which a website signs the ids of its users: `idsec_` and 256 random bits in base64url. */
export function generateIdentitySecret(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Returns whether the hash is the HMAC-SHA256 of the id, in hexadecimal. The time is the same for each wrong hash. */
export function isUserHash(secret: string, userId: string, userHash: string): boolean {
  const expected = createHmac('sha256', secret).update(userId).digest();
  return (
    /^[0-9a-f]{64}$/i.test(userHash) && timingSafeEqual(Buffer.from(userHash, 'hex'), expected)
  );
}
