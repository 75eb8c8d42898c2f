import { cString, encodeMessage, readCString, type WireMessage } from './wire-messages.ts';

/** Maps the names of one connection's prepared statements to names that are unique in the shared session. */
export interface StatementNames {
  /** Returns the bytes of the message. The client's statement name is replaced by the name in the session. */
  rename(message: WireMessage): Buffer;
  /** Removes the names that the last batch closed. If the batch failed, it closed none, so no name is removed. */
  afterRun(failed: boolean): void;
  /** Returns Close messages for all statements of this connection, and clears the map. */
  closeAll(): Buffer[];
}

/**
 * Creates the name map of one connection. Different clients use the same names, so each name gets a unique name in the
 * session. The unique names are short, because Postgres compares only the first 63 bytes.
 */
export function createStatementNames(connectionId: number): StatementNames {
  const sessionNames = new Map<string, string>();
  const closing = new Set<string>();
  let count = 0;

  const sessionName = (name: string) =>
    sessionNames.get(name) ?? `c${connectionId}_unknown_${name}`;
  const addName = (name: string) => {
    const created = sessionNames.get(name) ?? `c${connectionId}_${++count}`;
    sessionNames.set(name, created);
    closing.delete(name);
    return created;
  };

  return {
    rename({ type, bytes }) {
      if (type === 'P') {
        const { text: name, end } = readCString(bytes, 5);
        return name ? encodeMessage('P', cString(addName(name)), bytes.subarray(end)) : bytes;
      }
      if (type === 'B') {
        const portal = readCString(bytes, 5);
        const { text: name, end } = readCString(bytes, portal.end);
        if (!name) return bytes;
        return encodeMessage(
          'B',
          cString(portal.text),
          cString(sessionName(name)),
          bytes.subarray(end),
        );
      }
      if ((type === 'D' || type === 'C') && bytes[5] === statementKind) {
        const { text: name } = readCString(bytes, 6);
        if (!name) return bytes;
        if (type === 'C') closing.add(name);
        return encodeMessage(type, Buffer.from([statementKind]), cString(sessionName(name)));
      }
      return bytes;
    },
    afterRun(failed) {
      if (!failed) for (const name of closing) sessionNames.delete(name);
      closing.clear();
    },
    closeAll() {
      const close = [...sessionNames.values()].map(closeStatement);
      sessionNames.clear();
      return close;
    },
  };
}

const statementKind = 'S'.charCodeAt(0);

/** Encodes a Close message for a prepared statement. The name '' means the unnamed statement. */
export function closeStatement(name: string): Buffer {
  return encodeMessage('C', Buffer.from([statementKind]), cString(name));
}
