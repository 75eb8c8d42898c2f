import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 digest of a random secret, to store in place of the secret. A secret with at least 128 random
 * bits needs no salt.
 */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest());
}
