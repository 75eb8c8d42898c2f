import type { TransactionStatus } from './reply.ts';
import { cString, encodeMessage, readCString, type WireMessage } from './wire-messages.ts';

/** A command that would reset the shared session for all clients. */
export type SessionCommand = 'DISCARD ALL' | 'DEALLOCATE ALL';

/**
 * Returns a command that resets the session, such as `DISCARD ALL`, and a message without effect to send in its place.
 * The caller then resets only its own connection, because all clients share one database session. Returns undefined if
 * the message is not a single such command.
 */
export function replaceSessionCommand(
  { type, bytes }: WireMessage,
  status: TransactionStatus,
): { command: SessionCommand; message: Buffer } | undefined {
  if ((type !== 'Q' && type !== 'P') || bytes.length > maxCommandBytes) return undefined;
  const textStart = type === 'Q' ? 5 : readCString(bytes, 5).end;
  const { text, end } = readCString(bytes, textStart);
  const match = /^\s*(discard|deallocate(?:\s+prepare)?)\s+all\s*(?:;\s*)?$/i.exec(text);
  if (!match) return undefined;
  const command = match[1]?.toLowerCase() === 'discard' ? 'DISCARD ALL' : 'DEALLOCATE ALL';
  if (command === 'DISCARD ALL' && status !== 'I') return undefined; // Postgres refuses it in a transaction
  const sql = command === 'DISCARD ALL' ? 'RESET ALL' : '';
  const message = encodeMessage(
    type,
    bytes.subarray(5, textStart),
    cString(sql),
    bytes.subarray(end),
  );
  return { command, message };
}

/** Maximum size in bytes of a message that is checked for a session command. Longer messages are not checked. */
const maxCommandBytes = 200;
