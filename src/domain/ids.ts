import { v7, validate, version } from 'uuid';

/** A new UUIDv7: unique, and later ids sort behind earlier ones. */
export function newId(): string {
  return v7();
}

/** Whether a text can be an id at all. One that cannot names nothing. */
export function isId(text: string): boolean {
  return validate(text);
}

/** Whether a text can be the id of something new, as `newId` makes them. */
export function isNewId(text: string): boolean {
  return isId(text) && version(text) === 7;
}
