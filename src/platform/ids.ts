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
