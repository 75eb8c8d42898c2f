import { type Frame, int32, readCString } from './frames.ts';
import { findListenStatements, type ListenStatement } from './listen-statements.ts';
import { quoteIdentifier } from './quote-sql.ts';
import type { Reply } from './reply.ts';

/** Which connection listens to what, while the session listens to all of it. */
export type Channels = {
  join(deliver: (notification: Buffer) => void): Listener;
  /** Hands notifications to the connections that listen; `senderId` becomes their process id. */
  route(notifications: readonly Frame[], senderId: number): void;
  /** SQL that makes the session listen to what is wanted and to nothing else; '' if it does. */
  repairSql(): string;
};

/** LISTEN and UNLISTEN of one connection; they take effect when their transaction commits. */
export type Listener = {
  /** Call with a client's messages before they run. */
  expect(unit: readonly Frame[]): void;
  /** Call with the answer. */
  settle(reply: Reply): void;
  unlistenAll(): void;
  leave(): void;
};

type Member = { channels: Set<string>; deliver(notification: Buffer): void };

export function createChannels(): Channels {
  const members = new Set<Member>();
  const ofSession = new Set<string>();
  let hasChanged = false;
  const wanted = () => new Set([...members].flatMap(({ channels }) => [...channels]));

  return {
    join(deliver) {
      const member: Member = { channels: new Set(), deliver };
      members.add(member);
      return createListener({
        commit(statements) {
          hasChanged ||= statements.length > 0;
          for (const statement of statements) {
            apply(statement, member.channels);
            apply(statement, ofSession);
          }
        },
        unlistenAll() {
          hasChanged ||= member.channels.size > 0;
          member.channels.clear();
        },
        leave() {
          hasChanged ||= member.channels.size > 0;
          members.delete(member);
        },
      });
    },
    route(notifications, senderId) {
      for (const { bytes } of notifications) {
        const channel = readCString(bytes, 9).text;
        const signed = Buffer.concat([bytes.subarray(0, 5), int32(senderId), bytes.subarray(9)]);
        for (const member of members) if (member.channels.has(channel)) member.deliver(signed);
      }
    },
    repairSql() {
      if (!hasChanged) return '';
      hasChanged = false;
      const wantedNow = wanted();
      const missing = [...wantedNow].filter((channel) => !ofSession.has(channel));
      const unwanted = [...ofSession].filter((channel) => !wantedNow.has(channel));
      for (const channel of missing) ofSession.add(channel);
      for (const channel of unwanted) ofSession.delete(channel);
      return [
        ...missing.map((channel) => `LISTEN ${quoteIdentifier(channel)};`),
        ...unwanted.map((channel) => `UNLISTEN ${quoteIdentifier(channel)};`),
      ].join(' ');
    },
  };
}

function createListener(
  member: Pick<Listener, 'unlistenAll' | 'leave'> & {
    commit(statements: readonly ListenStatement[]): void;
  },
): Listener {
  const parsed = new Map<string, ListenStatement>();
  const bound = new Map<string, ListenStatement>();
  let expected: ListenStatement[] = [];
  let pending: ListenStatement[] = [];
  let rolledBack = false;

  const commit = () => {
    member.commit(pending);
    pending = [];
  };

  return {
    expect(unit) {
      expected = unit.flatMap((message) => expectedOf(message, parsed, bound));
    },
    settle(reply) {
      for (const outcome of reply.outcomes) {
        if (outcome === 'LISTEN' || outcome === 'UNLISTEN') {
          // After ROLLBACK TO, which looks like ROLLBACK, too much may be kept: a spare
          // notification does no harm.
          rolledBack = false;
          pending.push(...expected.splice(0, 1));
        } else if (outcome === 'COMMIT') commit();
        else if (outcome === 'ROLLBACK' || outcome === 'ERROR') rolledBack = true;
      }
      if (reply.status === undefined) return;
      if (reply.status === 'I') {
        if (rolledBack) pending = [];
        else commit();
        bound.clear();
      }
      rolledBack = false;
    },
    unlistenAll: member.unlistenAll,
    leave: member.leave,
  };
}

/** The LISTEN statements a message will run; remembers those it only prepares. */
function expectedOf(
  { type, bytes }: Frame,
  parsed: Map<string, ListenStatement>,
  bound: Map<string, ListenStatement>,
): ListenStatement[] {
  if (type === 'Q') return findListenStatements(readCString(bytes, 5).text);
  if (type === 'P') {
    const name = readCString(bytes, 5);
    update(parsed, name.text, findListenStatements(readCString(bytes, name.end).text)[0]);
  }
  if (type === 'B') {
    const portal = readCString(bytes, 5);
    update(bound, portal.text, parsed.get(readCString(bytes, portal.end).text));
  }
  const executed = type === 'E' ? bound.get(readCString(bytes, 5).text) : undefined;
  return executed ? [executed] : [];
}

function update<V>(map: Map<string, V>, key: string, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function apply({ verb, channel }: ListenStatement, channels: Set<string>): void {
  if (verb === 'LISTEN') channels.add(channel);
  else if (channel === '*') channels.clear();
  else channels.delete(channel);
}
