import { findListenStatements, type ListenStatement } from './listen-statements.ts';
import { quoteIdentifier } from './quote-sql.ts';
import type { ServerReply } from './reply.ts';
import { int32, readCString, type WireMessage } from './wire-messages.ts';

/**
 * Stores which connections listen to which channels. The shared session listens to every channel that at least one
 * connection uses.
 */
export interface NotificationChannels {
  addListener(deliver: (notification: Buffer) => void): Listener;
  /**
   * Delivers each notification to the connections that listen to its channel. `senderId` replaces the sender's process
   * id.
   */
  dispatch(notifications: readonly WireMessage[], senderId: number): void;
  /**
   * Returns SQL after which the session listens to exactly the channels of all connections. Returns '' if it already
   * does.
   */
  reconcileSql(): string;
}

/** Tracks LISTEN and UNLISTEN of one connection. Both take effect when their transaction commits. */
export interface Listener {
  /** Call with the client's messages before they run. */
  beforeRun(batch: readonly WireMessage[]): void;
  /** Call with the response to the messages of `beforeRun`. */
  afterRun(reply: ServerReply): void;
  unlistenAll(): void;
  remove(): void;
}

interface RegisteredListener {
  channels: Set<string>;
  deliver(notification: Buffer): void;
}

export function createNotificationChannels(): NotificationChannels {
  const listeners = new Set<RegisteredListener>();
  const sessionChannels = new Set<string>();
  let hasChanged = false;
  const wantedChannels = () => new Set([...listeners].flatMap(({ channels }) => [...channels]));

  return {
    addListener(deliver) {
      const registered: RegisteredListener = { channels: new Set(), deliver };
      listeners.add(registered);
      return createListener({
        commit(statements) {
          hasChanged ||= statements.length > 0;
          for (const statement of statements) {
            applyStatement(statement, registered.channels);
            applyStatement(statement, sessionChannels);
          }
        },
        unlistenAll() {
          hasChanged ||= registered.channels.size > 0;
          registered.channels.clear();
        },
        remove() {
          hasChanged ||= registered.channels.size > 0;
          listeners.delete(registered);
        },
      });
    },
    dispatch(notifications, senderId) {
      for (const { bytes } of notifications) {
        const channel = readCString(bytes, 9).text;
        const signed = Buffer.concat([bytes.subarray(0, 5), int32(senderId), bytes.subarray(9)]);
        for (const registered of listeners)
          if (registered.channels.has(channel)) registered.deliver(signed);
      }
    },
    reconcileSql() {
      if (!hasChanged) return '';
      hasChanged = false;
      const wantedNow = wantedChannels();
      const missing = [...wantedNow].filter((channel) => !sessionChannels.has(channel));
      const unwanted = [...sessionChannels].filter((channel) => !wantedNow.has(channel));
      for (const channel of missing) sessionChannels.add(channel);
      for (const channel of unwanted) sessionChannels.delete(channel);
      return [
        ...missing.map((channel) => `LISTEN ${quoteIdentifier(channel)};`),
        ...unwanted.map((channel) => `UNLISTEN ${quoteIdentifier(channel)};`),
      ].join(' ');
    },
  };
}

function createListener(
  registered: Pick<Listener, 'unlistenAll' | 'remove'> & {
    commit(statements: readonly ListenStatement[]): void;
  },
): Listener {
  const parsed = new Map<string, ListenStatement>();
  const bound = new Map<string, ListenStatement>();
  let expected: ListenStatement[] = [];
  let pending: ListenStatement[] = [];
  let rolledBack = false;

  const commit = () => {
    registered.commit(pending);
    pending = [];
  };

  return {
    beforeRun(batch) {
      expected = batch.flatMap((message) => findExecutedStatements(message, parsed, bound));
    },
    afterRun(reply) {
      for (const outcome of reply.commandTags) {
        if (outcome === 'LISTEN' || outcome === 'UNLISTEN') {
          // ROLLBACK TO has the same tag as ROLLBACK. So a LISTEN that ROLLBACK TO reverted may stay active. The extra
          // notifications are harmless.
          rolledBack = false;
          pending.push(...expected.splice(0, 1));
        } else if (outcome === 'COMMIT') commit();
        else if (outcome === 'ROLLBACK' || outcome === 'ERROR') rolledBack = true;
      }
      if (reply.transactionStatus === undefined) return;
      if (reply.transactionStatus === 'I') {
        if (rolledBack) pending = [];
        else commit();
        bound.clear();
      }
      rolledBack = false;
    },
    unlistenAll: registered.unlistenAll,
    remove: registered.remove,
  };
}

/**
 * Returns the LISTEN and UNLISTEN statements that a message executes. If the message only prepares or binds statements,
 * stores the statements in the maps instead.
 */
function findExecutedStatements(
  { type, bytes }: WireMessage,
  parsed: Map<string, ListenStatement>,
  bound: Map<string, ListenStatement>,
): ListenStatement[] {
  if (type === 'Q') return findListenStatements(readCString(bytes, 5).text);
  if (type === 'P') {
    const name = readCString(bytes, 5);
    setOrDelete(parsed, name.text, findListenStatements(readCString(bytes, name.end).text)[0]);
  }
  if (type === 'B') {
    const portal = readCString(bytes, 5);
    setOrDelete(bound, portal.text, parsed.get(readCString(bytes, portal.end).text));
  }
  const executed = type === 'E' ? bound.get(readCString(bytes, 5).text) : undefined;
  return executed ? [executed] : [];
}

function setOrDelete<V>(map: Map<string, V>, key: string, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function applyStatement({ verb, channel }: ListenStatement, channels: Set<string>): void {
  if (verb === 'LISTEN') channels.add(channel);
  else if (channel === '*') channels.clear();
  else channels.delete(channel);
}
