import { cString, type Frame, frame, readCString } from './frames.ts';

/** The prepared statements of one connection, under names no other connection uses. */
export type StatementNames = {
  /** The same message, naming the statement as the shared session knows it. */
  rename(message: Frame): Buffer;
  /** Forgets what the last messages closed, unless they failed: then nothing was closed. */
  settle(failed: boolean): void;
  /** Messages that close all statements of this connection; forgets them. */
  closeAll(): Buffer[];
};

/**
 * Clients pick equal names for different statements, and all of them meet in one session. The names
 * there are short numbers: Postgres tells statement names apart by their first 63 bytes only.
 */
export function createStatementNames(connectionId: number): StatementNames {
  const shared = new Map<string, string>();
  const closing = new Set<string>();
  let count = 0;

  const known = (name: string) => shared.get(name) ?? `c${connectionId}_unknown_${name}`;
  const add = (name: string) => {
    const created = shared.get(name) ?? `c${connectionId}_${++count}`;
    shared.set(name, created);
    closing.delete(name);
    return created;
  };

  return {
    rename({ type, bytes }) {
      if (type === 'P') {
        const { text: name, end } = readCString(bytes, 5);
        return name ? frame('P', cString(add(name)), bytes.subarray(end)) : bytes;
      }
      if (type === 'B') {
        const portal = readCString(bytes, 5);
        const { text: name, end } = readCString(bytes, portal.end);
        if (!name) return bytes;
        return frame('B', cString(portal.text), cString(known(name)), bytes.subarray(end));
      }
      if ((type === 'D' || type === 'C') && bytes[5] === STATEMENT) {
        const { text: name } = readCString(bytes, 6);
        if (!name) return bytes;
        if (type === 'C') closing.add(name);
        return frame(type, Buffer.from([STATEMENT]), cString(known(name)));
      }
      return bytes;
    },
    settle(failed) {
      if (!failed) for (const name of closing) shared.delete(name);
      closing.clear();
    },
    closeAll() {
      const close = [...shared.values()].map(closeStatement);
      shared.clear();
      return close;
    },
  };
}

const STATEMENT = 'S'.charCodeAt(0);

/** Close of a prepared statement; '' is the unnamed one. */
export function closeStatement(name: string): Buffer {
  return frame('C', Buffer.from([STATEMENT]), cString(name));
}
