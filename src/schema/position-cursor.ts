import { DomainError } from '../platform/errors.ts';

/** A row's position in its list, counted from 0, and its id. */
interface PositionInList {
  readonly position: number;
  readonly id: string;
}

/** Returns the Relay cursor of a row. Its position is used if the row no longer exists. */
export function toPositionCursor({ position, id }: PositionInList): string {
  return Buffer.from(`${position}:${id}`).toString('base64');
}

/**
 * Reads a cursor that `toPositionCursor` returned.
 * @throws DomainError VALIDATION_FAILED for a cursor of another list
 */
export function fromPositionCursor(cursor: string, argument: 'after' | 'before'): PositionInList {
  const [, position, id] =
    positionCursorPattern.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  if (position !== undefined && id !== undefined) return { position: Number(position), id };
  throw new DomainError('VALIDATION_FAILED', `${argument} must be a cursor of this list`);
}

/** A decoded cursor. */
export const positionCursorPattern = /^(\d{1,9}):([0-9a-f-]{36})$/;
