import { v7, validate } from 'uuid';

/** A new UUIDv7: unique, and later ids sort behind earlier ones. */
export function newId(): string {
  return v7();
}

/** Whether a text can be an id at all. One that cannot names nothing. */
export function isId(text: string): boolean {
  return validate(text);
}
