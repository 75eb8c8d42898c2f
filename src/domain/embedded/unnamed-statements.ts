import type { Frame } from './frames.ts';
import { readCString } from './frames.ts';
import { closeStatement } from './statement-names.ts';

/** A message to run before a client's own, and the type of the answer the client must not see. */
export type Preamble = { message: Buffer; swallow: string };

/**
 * The one unnamed prepared statement of the session, shared so that every connection sees its own.
 * A client may bind it long after it was parsed, when others have replaced it.
 */
export type UnnamedStatements = {
  /** Call before running a client's messages. */
  enter(connectionId: number, unit: readonly Frame[]): Preamble | undefined;
  /** Call when something other than a client's messages ran. */
  lost(): void;
  forget(connectionId: number): void;
};

export function createUnnamedStatements(): UnnamedStatements {
  const parsed = new Map<number, Buffer>();
  let owner: number | undefined;

  const preamble = (connectionId: number): Preamble => {
    const mine = parsed.get(connectionId);
    return mine
      ? { message: mine, swallow: PARSE_COMPLETE }
      : { message: closeStatement(''), swallow: CLOSE_COMPLETE };
  };

  return {
    enter(connectionId, unit) {
      const first = unit.find((message) => concernsUnnamed(message));
      const foreign = first !== undefined && first.type !== 'P' && owner !== connectionId;
      const needed = foreign ? preamble(connectionId) : undefined;
      for (const { type, bytes } of unit) {
        if (type === 'Q') parsed.delete(connectionId);
        if (type === 'P' && bytes[5] === 0) remember(parsed, connectionId, bytes);
      }
      if (first !== undefined) owner = connectionId;
      if (unit.some(({ type }) => type === 'Q')) owner = undefined;
      return needed;
    },
    lost() {
      owner = undefined;
    },
    forget(connectionId) {
      parsed.delete(connectionId);
      if (owner === connectionId) owner = undefined;
    },
  };
}

const PARSE_COMPLETE = '1';
const CLOSE_COMPLETE = '3';
const MAX_REMEMBERED_BYTES = 262_144;

function remember(parsed: Map<number, Buffer>, connectionId: number, message: Buffer): void {
  if (message.length > MAX_REMEMBERED_BYTES) parsed.delete(connectionId);
  else parsed.set(connectionId, Buffer.from(message));
}

function concernsUnnamed({ type, bytes }: Frame): boolean {
  if (type === 'P') return bytes[5] === 0;
  if (type === 'D') return bytes[5] === 0x53 && bytes[6] === 0;
  return type === 'B' && readCString(bytes, readCString(bytes, 5).end).text === '';
}
