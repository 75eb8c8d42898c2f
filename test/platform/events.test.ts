import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/domain/context.ts';
import { appendInboxEvent } from '../../src/domain/handoff/append-inbox-event.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { watchInbox } from '../../src/domain/handoff/watch-inbox.ts';
import { createAccessRegistry } from '../../src/platform/events/access-registry.ts';
import type { ChangedIds, EventBus, Subscription } from '../../src/platform/events/events.ts';
import { startPostgresEvents } from '../../src/platform/events/postgres-events.ts';
import { createSubscriptionRegistry } from '../../src/platform/events/subscription-registry.ts';
import { newId } from '../../src/platform/ids.ts';
import { type CapturedLog, captureLog } from '../support/captured-log.ts';
import { addConversation } from '../support/conversations.ts';
import { createTestDatabase, serverUrl } from '../support/database/database.ts';
import { type ProxiedDatabase, proxyDatabase } from '../support/servers/database-proxy.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

/**
 * The service that changes data. Its event listener has a separate connection through a proxy, and tests can cut this
 * connection.
 */
let service: TestService;
let databaseProxy: ProxiedDatabase;
let events: EventBus;
let projectId: string;
let organizationId: string;
let leaving: AbortController;
let log: CapturedLog;

const timing = { heartbeatIntervalMs: 300, maxWaitMs: 500 };

const startEvents = (options = timing) =>
  startPostgresEvents({ connectionString: databaseProxy.url, log: log.log, ...options });

const conversations = (id?: string) =>
  events.subscribe({ topic: 'conversations', projectId, id }, leaving.signal);

/** Returns the first notification that reports a change. */
async function nextChange(watch: Subscription): Promise<ChangedIds> {
  for (;;) {
    const changes = await watch.next();
    if (changes === null) throw new Error('the watch is closed');
    if (changes === 'any' || changes.size > 0) return changes;
  }
}

function isNone(changes: ChangedIds | null): boolean {
  return changes !== null && changes !== 'any' && changes.size === 0;
}

describe('over Postgres', () => {
  beforeAll(async () => {
    const database = await createTestDatabase();
    databaseProxy = await proxyDatabase(database);
    service = await startTestService({ isWorker: false, database });
  });
  afterAll(async () => {
    await service?.stop();
    await databaseProxy?.drop();
  });
  beforeEach(async () => {
    leaving = new AbortController();
    log = captureLog();
    events = await startEvents();
    ({ projectId, organizationId } = await service.createTenant());
  });
  afterEach(() => events?.stop());

  describe('a change notification', () => {
    // Starts without heartbeats, because a late heartbeat would open the connection again.
    beforeEach(async () => {
      await events.stop();
      events = await startEvents({ ...timing, heartbeatIntervalMs: 60_000 });
    });

    test('is sent when the change commits, and not when it is rolled back', async () => {
      const watch = conversations();
      const { prisma } = service.adapters;
      const undone = prisma.$transaction(async (db) => {
        await db.conversation.create({ data: { id: newId(), projectId, title: 'Undone' } });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      const id = await addConversation(service, projectId);
      expect(await nextChange(watch)).toEqual(new Set([id]));
    });

    test('reaches only the subscriptions of its project, topic and row', async () => {
      const other = await service.createTenant();
      const id = await addConversation(service, projectId);
      const watches = {
        stranger: events.subscribe(
          { topic: 'conversations', projectId: other.projectId },
          leaving.signal,
        ),
        document: events.subscribe({ topic: 'documents', projectId }, leaving.signal),
        sibling: conversations(newId()),
        own: conversations(id),
      };
      const { own, ...others } = watches;
      await service.system.db.conversation.update({ where: { id }, data: { status: 'HUMAN' } });
      expect(await nextChange(own)).toEqual(new Set([id]));
      for (const watch of Object.values(others)) expect(isNone(await watch.next())).toBe(true);
    });

    test('is not sent when only the lease of an answer is renewed', async () => {
      const id = await addConversation(service, projectId, { messages: ['Hi'] });
      const watch = conversations(id);
      // Skips notifications of earlier commits that arrive late.
      await waitUntil(async () => isNone(await watch.next()));
      const { db } = service.system;
      await db.message.updateMany({
        where: { conversationId: id },
        data: { leaseRenewedAt: new Date() },
      });
      expect(await watch.next()).toEqual(new Set());
      await db.message.updateMany({ where: { conversationId: id }, data: { status: 'FAILED' } });
      expect(await nextChange(watch)).toEqual(new Set([id]));
    });
  });

  describe('a lost connection', () => {
    test('is reopened, and every subscription then reports that anything may have changed', async () => {
      const watch = conversations();
      databaseProxy.cut();
      await addConversation(service, projectId);
      databaseProxy.restore();
      expect(await nextChange(watch)).toBe('any');
      const id = await addConversation(service, projectId);
      expect(await nextChange(watch)).toEqual(new Set([id]));
    });

    test('is detected if heartbeats stop, although the socket is open', async () => {
      const watch = conversations();
      databaseProxy.hang();
      await addConversation(service, projectId);
      await waitUntil(() => log.text().includes('reconnecting'));
      databaseProxy.restore();
      expect(await nextChange(watch)).toBe('any');
    });

    test.skipIf(serverUrl() === undefined)('is reopened after pg_terminate_backend', async () => {
      const watch = conversations();
      const admin = new pg.Client({ connectionString: service.database.url });
      await admin.connect();
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'grounded-chat events'`,
      );
      await admin.end();
      await addConversation(service, projectId);
      expect(await nextChange(watch)).toBe('any');
      const id = await addConversation(service, projectId);
      expect(await nextChange(watch)).toEqual(new Set([id]));
    });

    test('does not delay the shutdown', async () => {
      databaseProxy.hang();
      await waitUntil(() => log.text().includes('reconnecting'));
      // The database answers again only after the listener has stopped.
      await events.stop();
      databaseProxy.restore();
    });

    test('causes no missed inbox event', async () => {
      const inbox = await watchInbox(contextOf(), { projectId });
      const read = readPositions(inbox, 60);
      const handoffId = await newHandoff();
      for (let n = 2; n <= 60; n += 1) {
        if (n % 15 === 0) databaseProxy.cut();
        if (n % 15 === 5) databaseProxy.restore();
        await service.adapters.prisma.$transaction((db) =>
          appendInboxEvent(db, { projectId, type: 'CLAIMED', handoffId }),
        );
      }
      databaseProxy.restore();
      expect(await read).toEqual(Array.from({ length: 60 }, (_, n) => BigInt(n + 1)));
      leaving.abort();
    }, 30_000);
  });

  describe('a subscription', () => {
    test('is closed when its caller disconnects, even before the first read', async () => {
      const watch = conversations();
      const unread = conversations();
      await watchInbox(contextOf(), { projectId });
      const waiting = watch.next();
      expect(events.subscriptionCount).toBe(3);
      leaving.abort();
      expect(await waiting).toBeNull();
      expect(await unread.next()).toBeNull();
      expect(events.subscriptionCount).toBe(0);
      expect(await conversations().next()).toBeNull();
      expect(events.subscriptionCount).toBe(0);
    });

    test('ends with UNAVAILABLE on shutdown, and new subscriptions are rejected', async () => {
      const waiting = conversations().next();
      const ended = expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: true });
      await events.stop();
      await ended;
      expect(() => conversations()).toThrow('stopping');
      expect(events.subscriptionCount).toBe(0);
    });
  });

  test("an idle inbox ends with FORBIDDEN after the operator's membership is removed", async () => {
    const userId = newId();
    const { db } = service.system;
    const email = `${userId}@example.com`;
    await db.member.create({ data: { id: newId(), organizationId, email, userId, role: 'AGENT' } });
    const caller = { type: 'operator', userId, email: null } as const;
    const inbox = await watchInbox({ ...contextOf(), caller }, { projectId });
    const next = expect(inbox.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await db.member.deleteMany({ where: { userId } });
    await next;
    expect(events.subscriptionCount).toBe(0);
  });
});

test('a subscription stores at most one hundred ids, however far its reader lags', async () => {
  const watches = createSubscriptionRegistry({ maxWaitMs: 0, access: createAccessRegistry() });
  const watch = watches.subscribe(
    { topic: 'conversations', projectId: 'p' },
    new AbortController().signal,
  );
  const tell = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      watches.notify({ topic: 'conversations', projectId: 'p', id: `${n}` });
    }
  };
  tell(100);
  tell(100);
  expect(await watch.next()).toHaveProperty('size', 100);
  tell(100_000);
  expect(await watch.next()).toBe('any');
  expect(await watch.next()).toEqual(new Set());
});

test('a subscription to several rows also reports those that its caller adds later', async () => {
  const watches = createSubscriptionRegistry({ maxWaitMs: 0, access: createAccessRegistry() });
  const ids = new Set(['a']);
  const watch = watches.subscribe(
    { topic: 'conversations', projectId: 'p', ids, includesActivity: true },
    new AbortController().signal,
  );
  const change = (id: string) => watches.notify({ topic: 'conversations', projectId: 'p', id });
  change('a');
  change('b');
  expect(await watch.next()).toEqual(new Set(['a']));
  ids.add('b');
  change('b');
  change('c');
  expect(await watch.next()).toEqual(new Set(['b']));
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
