import { createHash } from 'node:crypto';
import { v7, validate, version } from 'uuid';

/** Returns a new UUIDv7. Ids sort by creation time. */
export function newId(): string {
  return v7();
}

/** Whether the text is a UUID of any version. No stored id can equal a text that is not. */
export function isId(text: string): boolean {
  return validate(text);
}

/** Whether the text is a UUIDv7, the only version accepted for client-generated ids. */
export function isUuidV7(text: string): boolean {
  return isId(text) && version(text) === 7;
}

/**
 * Returns the id to store for a client-generated UUIDv7 in a scope, for example a conversation. It is the same at each
 * call, has the time of `id`, and differs in another scope. If `id` itself were stored, the conflict would tell its client
 * whether another tenant has a row with it.
 */
export function scopedId(id: string, scope: string): string {
  const random = createHash('sha256').update(`${scope}\n${id.toLowerCase()}`).digest();
  return v7({ msecs: Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), random });
}
