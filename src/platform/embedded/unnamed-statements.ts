import { closeStatement } from './statement-names.ts';
import type { WireMessage } from './wire-messages.ts';
import { readCString } from './wire-messages.ts';

/**
 * A message that the server runs before a client's batch. The response to it is dropped, because the client did not
 * send the message.
 */
export interface PrependedMessage {
  message: Buffer;
  suppressedType: string;
}

/**
 * Shares the session's single unnamed prepared statement between connections. Another client may replace the statement
 * before its owner binds it. If so, the owner's statement is parsed again before the owner's batch runs.
 */
export interface UnnamedStatements {
  /**
   * Returns a message to run before the batch, if the batch uses this client's unnamed statement and another client has
   * replaced that statement.
   */
  beforeRun(connectionId: number, batch: readonly WireMessage[]): PrependedMessage | undefined;
  /**
   * Call it after the server's own SQL ran or after a batch failed, because then it is unknown which unnamed statement
   * the session has.
   */
  invalidate(): void;
  forget(connectionId: number): void;
}

export function createUnnamedStatements(): UnnamedStatements {
  const parsed = new Map<number, Buffer>();
  let owner: number | undefined;

  const preamble = (connectionId: number): PrependedMessage => {
    const ownStatement = parsed.get(connectionId);
    return ownStatement
      ? { message: ownStatement, suppressedType: parseComplete }
      : { message: closeStatement(''), suppressedType: closeComplete };
  };

  return {
    beforeRun(connectionId, batch) {
      const first = batch.find((message) => usesUnnamedStatement(message));
      const isReplaced = first !== undefined && first.type !== 'P' && owner !== connectionId;
      const needed = isReplaced ? preamble(connectionId) : undefined;
      for (const { type, bytes } of batch) {
        if (type === 'Q') parsed.delete(connectionId);
        if (type === 'P' && bytes[5] === 0) remember(parsed, connectionId, bytes);
      }
      if (first !== undefined) owner = connectionId;
      if (batch.some(({ type }) => type === 'Q')) owner = undefined;
      return needed;
    },
    invalidate() {
      owner = undefined;
    },
    forget(connectionId) {
      parsed.delete(connectionId);
      if (owner === connectionId) owner = undefined;
    },
  };
}

const parseComplete = '1';
const closeComplete = '3';
/**
 * Maximum size in bytes of an unnamed statement that is stored so that it can be parsed again. Larger ones are not
 * stored.
 */
const maxRememberedBytes = 262_144;

function remember(parsed: Map<number, Buffer>, connectionId: number, message: Buffer): void {
  if (message.length > maxRememberedBytes) parsed.delete(connectionId);
  else parsed.set(connectionId, Buffer.from(message));
}

function usesUnnamedStatement({ type, bytes }: WireMessage): boolean {
  if (type === 'P') return bytes[5] === 0;
  if (type === 'D') return bytes[5] === 0x53 && bytes[6] === 0;
  return type === 'B' && readCString(bytes, readCString(bytes, 5).end).text === '';
}
