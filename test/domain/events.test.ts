import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Context } from '../../src/domain/context.ts';
import type { Changes, Events, Watch } from '../../src/domain/events/events.ts';
import { startPostgresEvents } from '../../src/domain/events/postgres-events.ts';
import { startSupabaseEvents } from '../../src/domain/events/supabase-events.ts';
import { createWatches } from '../../src/domain/events/watches.ts';
import { appendInboxEvent } from '../../src/domain/handoff/append-inbox-event.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { watchInbox } from '../../src/domain/handoff/watch-inbox.ts';
import { newId } from '../../src/domain/ids.ts';
import { type CapturedLog, captureLog } from '../support/captured-log.ts';
import { addConversation } from '../support/conversations.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database.ts';
import { proxyDatabase } from '../support/database-proxy.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSupabaseProjectWith } from '../support/supabase-project.ts';

/** Writes. What is watched goes by a line of its own, which can be cut. */
let service: TestService;
let line: Line;
let events: Events;
let projectId: string;
let organizationId: string;
let leaving: AbortController;
let log: CapturedLog;

interface Line {
  hang(): void;
  cut(): void;
  restore(): void;
  /** Listens by this line. */
  start(log: CapturedLog, timing: { beatMs: number; patienceMs: number }): Promise<Events>;
  drop(): Promise<void>;
}

const timing = { beatMs: 300, patienceMs: 500 };

async function postgresLine(database: TestDatabase): Promise<Line> {
  const proxied = await proxyDatabase(database);
  return {
    ...proxied,
    start: ({ log }, timing) =>
      startPostgresEvents({ connectionString: proxied.url, log, ...timing }),
  };
}

async function realtimeLine(database: TestDatabase): Promise<Line> {
  const project = await startSupabaseProjectWith(database.url);
  const { realtime } = project;
  // Some node has listened before: the first one looks at everything for a while.
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`select grounded.beat_by_realtime('earlier')`);
  await client.end();
  return {
    ...realtime,
    start: ({ log }, timing) =>
      startSupabaseEvents({ ...project, pool: service.adapters.pool, log, ...timing }),
    async drop() {
      await project.close();
      await database.drop();
    },
  };
}

const lines = { postgres: postgresLine, realtime: realtimeLine };

const conversations = (id?: string) =>
  events.watch({ topic: 'conversations', projectId, id }, leaving.signal);

/** The first hint that is one. */
async function hint(watch: Watch): Promise<Changes> {
  for (;;) {
    const changes = await watch.next();
    if (changes === null) throw new Error('the watch is closed');
    if (changes === 'any' || changes.size > 0) return changes;
  }
}

function isNone(changes: Changes | null): boolean {
  return changes !== null && changes !== 'any' && changes.size === 0;
}

describe.each(['postgres', 'realtime'] as const)('by %s', (name) => {
  beforeAll(async () => {
    const database = await createTestDatabase();
    line = await lines[name](database);
    service = await startTestService({ isWorker: false, database });
  });
  afterAll(async () => {
    await service?.stop();
    await line?.drop();
  });
  beforeEach(async () => {
    leaving = new AbortController();
    log = captureLog();
    events = await line.start(log, timing);
    ({ projectId, organizationId } = await service.createTenant());
  });
  afterEach(() => events?.stop());

  describe('a hint', () => {
    // Without beats: by Realtime, one tells of the number that a transaction took which was rolled back.
    beforeEach(async () => {
      await events.stop();
      events = await line.start(log, { ...timing, beatMs: 60_000 });
    });

    test('comes when the change has committed, and not when it is rolled back', async () => {
      const watch = conversations();
      const { prisma } = service.adapters;
      const undone = prisma.$transaction(async (db) => {
        await db.conversation.create({ data: { id: newId(), projectId, title: 'Undone' } });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      const id = await addConversation(service, projectId);
      expect(await hint(watch)).toEqual(new Set([id]));
    });

    test('comes to the watches of its project, topic and row alone', async () => {
      const other = await service.createTenant();
      const id = await addConversation(service, projectId);
      const watches = {
        stranger: events.watch(
          { topic: 'conversations', projectId: other.projectId },
          leaving.signal,
        ),
        document: events.watch({ topic: 'documents', projectId }, leaving.signal),
        sibling: conversations(newId()),
        own: conversations(id),
      };
      const { own, ...others } = watches;
      await service.system.db.conversation.update({ where: { id }, data: { status: 'HUMAN' } });
      expect(await hint(own)).toEqual(new Set([id]));
      for (const watch of Object.values(others)) expect(isNone(await watch.next())).toBe(true);
    });

    test('does not come for an answer that is only seen to be alive', async () => {
      const id = await addConversation(service, projectId, { messages: ['Hi'] });
      const watch = conversations(id);
      // What has just committed may still be on its way.
      await vi.waitUntil(async () => isNone(await watch.next()), 10_000);
      const { db } = service.system;
      await db.message.updateMany({ where: { conversationId: id }, data: { aliveAt: new Date() } });
      expect(await watch.next()).toEqual(new Set());
      await db.message.updateMany({ where: { conversationId: id }, data: { status: 'FAILED' } });
      expect(await hint(watch)).toEqual(new Set([id]));
    });
  });

  describe('a lost connection', () => {
    test('is made again, and everything is looked at then', async () => {
      const watch = conversations();
      line.cut();
      await addConversation(service, projectId);
      line.restore();
      expect(await hint(watch)).toBe('any');
      const id = await addConversation(service, projectId);
      expect(await hint(watch)).toEqual(new Set([id]));
    });

    test('is noticed when nothing is heard any more, though it is open', async () => {
      const watch = conversations();
      line.hang();
      await addConversation(service, projectId);
      await vi.waitUntil(() => log.text().includes('listening again'), 10_000);
      line.restore();
      expect(await hint(watch)).toBe('any');
    });

    test.skipIf(serverUrl() === undefined || name === 'realtime')(
      'is made again after pg_terminate_backend',
      async () => {
        const watch = conversations();
        const admin = new pg.Client({ connectionString: service.database.url });
        await admin.connect();
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'grounded-chat events'`,
        );
        await admin.end();
        await addConversation(service, projectId);
        expect(await hint(watch)).toBe('any');
        const id = await addConversation(service, projectId);
        expect(await hint(watch)).toEqual(new Set([id]));
      },
    );

    test('does not hold up a stop', async () => {
      line.hang();
      await vi.waitUntil(() => log.text().includes('listening again'), 10_000);
      const began = performance.now();
      await events.stop();
      expect(performance.now() - began).toBeLessThan(5_000);
      line.restore();
    });

    test('costs a watched inbox no event', async () => {
      const inbox = await watchInbox(contextOf(), { projectId });
      const read = readPositions(inbox, 60);
      const handoffId = await newHandoff();
      for (let n = 2; n <= 60; n += 1) {
        if (n % 15 === 0) line.cut();
        if (n % 15 === 5) line.restore();
        await service.adapters.prisma.$transaction((db) =>
          appendInboxEvent(db, { projectId, type: 'CLAIMED', handoffId }),
        );
      }
      line.restore();
      expect(await read).toEqual(Array.from({ length: 60 }, (_, n) => BigInt(n + 1)));
      leaving.abort();
    }, 30_000);
  });

  describe('a watch', () => {
    test('is closed when its caller leaves, also before it was ever read', async () => {
      const watch = conversations();
      const unread = conversations();
      await watchInbox(contextOf(), { projectId });
      const waiting = watch.next();
      expect(events.watchCount).toBe(3);
      leaving.abort();
      expect(await waiting).toBeNull();
      expect(await unread.next()).toBeNull();
      expect(events.watchCount).toBe(0);
      expect(await conversations().next()).toBeNull();
      expect(events.watchCount).toBe(0);
    });

    test('ends with UNAVAILABLE when the service stops, and none can be opened', async () => {
      const waiting = conversations().next();
      const ended = expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: true });
      await events.stop();
      await ended;
      expect(() => conversations()).toThrow('stopping');
      expect(events.watchCount).toBe(0);
    });
  });

  test('an inbox in which nothing happens ends with FORBIDDEN once the operator is no member', async () => {
    const userId = newId();
    const { db } = service.system;
    const email = `${userId}@example.com`;
    await db.member.create({ data: { id: newId(), organizationId, email, userId, role: 'AGENT' } });
    const caller = { type: 'operator', userId, email: null } as const;
    const inbox = await watchInbox({ ...contextOf(), caller }, { projectId });
    const next = expect(inbox.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await db.member.deleteMany({ where: { userId } });
    await next;
    expect(events.watchCount).toBe(0);
  });
});

test('a watch keeps a hundred ids at most, however many hints its reader is behind', async () => {
  const watches = createWatches({ patienceMs: 0 });
  const watch = watches.open(
    { topic: 'conversations', projectId: 'p' },
    new AbortController().signal,
  );
  const tell = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      watches.tell({ topic: 'conversations', projectId: 'p', id: `${n}` });
    }
  };
  tell(100);
  tell(100);
  expect(await watch.next()).toHaveProperty('size', 100);
  tell(100_000);
  expect(await watch.next()).toBe('any');
  expect(await watch.next()).toEqual(new Set());
});

function contextOf(): Context {
  return { ...service.system, events, signal: leaving.signal };
}

async function readPositions(
  inbox: AsyncGenerator<{ readonly position: bigint }>,
  count: number,
): Promise<bigint[]> {
  const positions: bigint[] = [];
  for await (const { position } of inbox) {
    positions.push(position);
    if (positions.length === count) break;
  }
  return positions;
}

async function newHandoff(): Promise<string> {
  const conversationId = await addConversation(service, projectId);
  const { id } = await requestHandoff(service.system, { projectId, conversationId });
  return id;
}
