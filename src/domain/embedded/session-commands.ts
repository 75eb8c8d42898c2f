import { cString, type Frame, frame, readCString } from './frames.ts';
import type { TransactionStatus } from './reply.ts';

/** A command that would empty the whole session, everyone's share included. */
export type SessionCommand = 'DISCARD ALL' | 'DEALLOCATE ALL';

/**
 * The command a message consists of, if it is such a one, and the message to run in its place; what
 * the command means for its connection alone is up to the caller.
 */
export function replaceSessionCommand(
  { type, bytes }: Frame,
  status: TransactionStatus,
): { command: SessionCommand; message: Buffer } | undefined {
  if ((type !== 'Q' && type !== 'P') || bytes.length > MAX_BYTES) return undefined;
  const textStart = type === 'Q' ? 5 : readCString(bytes, 5).end;
  const { text, end } = readCString(bytes, textStart);
  const match = /^\s*(discard|deallocate(?:\s+prepare)?)\s+all\s*;?\s*$/i.exec(text);
  if (!match) return undefined;
  const command = match[1]?.toLowerCase() === 'discard' ? 'DISCARD ALL' : 'DEALLOCATE ALL';
  if (command === 'DISCARD ALL' && status !== 'I') return undefined; // is an error there
  const sql = command === 'DISCARD ALL' ? 'RESET ALL' : '';
  const message = frame(type, bytes.subarray(5, textStart), cString(sql), bytes.subarray(end));
  return { command, message };
}

/** Longer messages are no such command. */
const MAX_BYTES = 200;
