import { createHash } from 'node:crypto';
import { v7, validate, version } from 'uuid';

/** Returns a new UUIDv7. Ids sort by creation time. */
export function newId(): string {
  return v7();
}

/** Whether the text is a UUID of any version. If it is not, no stored id can equal it. */
export function isId(text: string): boolean {
  return validate(text);
}

/** Whether the text is a UUIDv7, the only version accepted for client-generated ids. */
export function isUuidV7(text: string): boolean {
  return isId(text) && version(text) === 7;
}

/**
 * Returns the id to store for a UUIDv7 that a client generated. `scope` is, for example, a conversation. The same id
 * and scope always give the same result, and another scope gives another result. The result has the time of `id`. If
 * `id` itself were stored, a conflict would reveal to the client that another tenant has a row with this id.
 */
export function scopedId(id: string, scope: string): string {
  const random = createHash('sha256').update(`${scope}\n${id.toLowerCase()}`).digest();
  return v7({ msecs: Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), random });
}
