import { connect } from 'node:net';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { appendInboxEvent } from '../../src/domain/handoff/append-inbox-event.ts';
import { newId } from '../../src/platform/ids.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { restClient } from '../support/api/rest-client.ts';
import { type Subscription, subscribe } from '../support/api/subscription.ts';
import { captureLog } from '../support/captured-log.ts';
import { addConversation } from '../support/conversations.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  key = await tenant.key();
});

interface InboxData {
  readonly handoffInbox: {
    readonly cursor: string;
    readonly type: string;
    readonly handoff: { readonly id: string; readonly conversation: { readonly id: string } };
    readonly message: { readonly content: string } | null;
  };
}

const inbox = `subscription ($projectId: ID!, $after: String) {
  handoffInbox(projectId: $projectId, after: $after) {
    cursor type handoff { id conversation { id } } message { content }
  }
}`;

describe('handoffInbox', () => {
  test('emits a handoff requested by REST and the messages while an agent owns the conversation', async () => {
    const events = await watchInbox();
    const conversationId = await addConversation(service, tenant.projectId, { messages: ['Hi'] });
    const handoffId = await requestHandoff(conversationId);
    await service.system.db.conversation.update({
      where: { id: conversationId },
      data: { status: 'HUMAN' },
    });
    await rest().post('/chat', { conversationId, message: 'Is anybody there?' });

    const handoff = { id: handoffId, conversation: { id: conversationId } };
    const cursor = expect.any(String);
    expect(await events.take(2)).toEqual([
      { handoffInbox: { cursor, type: 'REQUESTED', handoff, message: null } },
      {
        handoffInbox: {
          cursor,
          type: 'MESSAGE',
          handoff,
          message: { content: 'Is anybody there?' },
        },
      },
    ]);
    events.disconnect();
  });

  test('emits missed events since the cursor, then live events, each once and in order', async () => {
    const first = await watchInbox();
    const ids = [await newHandoff(), await newHandoff()];
    const [known] = await first.take(1);
    first.disconnect();
    ids.push(await newHandoff());

    const events = await watchInbox({ after: known?.handoffInbox.cursor });
    ids.push(await newHandoff());
    expect(handoffsOf(await events.take(3))).toEqual(ids.slice(1));
    events.disconnect();
  });

  test('starts at the time of subscription without a cursor', async () => {
    await newHandoff();
    const events = await watchInbox();
    const id = await newHandoff();
    expect(handoffsOf(await events.take(1))).toEqual([id]);
    events.disconnect();
  });

  test('misses no event after the cursor that the project returns', async () => {
    await newHandoff();
    const { project } = await (await tenant.member('AGENT')).data<{
      project: { inboxCursor: string };
    }>('query ($id: ID!) { project(id: $id) { inboxCursor } }', { id: tenant.projectId });
    const id = await newHandoff();
    const events = await watchInbox({ after: project.inboxCursor });
    expect(handoffsOf(await events.take(1))).toEqual([id]);
    events.disconnect();
  });

  test('replays more than one page', async () => {
    const start = await watchInbox();
    const handoffId = await newHandoff();
    const [known] = await start.take(1);
    start.disconnect();
    await append(handoffId, 250);
    const events = await watchInbox({ after: known?.handoffInbox.cursor });
    await append(handoffId, 1);
    const cursors = (await events.take(251)).map(({ handoffInbox }) => handoffInbox.cursor);
    expect(cursors).toEqual(Array.from({ length: 251 }, (_, n) => cursorOf(n + 2)));
    events.disconnect();
  });

  test.each([
    ['no cursor at all', 'x'],
    ['an empty one', ''],
    ['one of the future', cursorOf(1_000)],
    ['a number that is none', Buffer.from('inbox:-1').toString('base64url')],
    ['one in another spelling', `${cursorOf(0)}=`],
  ])('rejects %s with VALIDATION_FAILED', async (_name, after) => {
    expect(await refusalOf(inbox, { projectId: tenant.projectId, after })).toBe(
      'VALIDATION_FAILED',
    );
  });

  test('delivers every event once and in order to four subscribers, one of which keeps reconnecting', async () => {
    const start = await watchInbox();
    const handoffId = await newHandoff();
    const [known] = await start.take(1);
    start.disconnect();
    const after = known?.handoffInbox.cursor;
    const total = 300;
    const steady = await Promise.all([1, 2, 3].map(() => watchInbox({ after })));

    const restless = async () => {
      const cursors: string[] = [];
      while (cursors.length < total) {
        const events = await watchInbox({ after: cursors.at(-1) ?? after });
        const taken = await events.take(Math.min(7, total - cursors.length));
        cursors.push(...taken.map(({ handoffInbox }) => handoffInbox.cursor));
        events.disconnect();
      }
      return cursors;
    };
    const write = async () => {
      for (let n = 0; n < total / 10; n += 1) {
        await Promise.all(Array.from({ length: 10 }, () => append(handoffId, 1)));
      }
    };
    const [, coming, ...staying] = await Promise.all([
      write(),
      restless(),
      ...steady.map((events) => events.take(total)),
    ]);

    const expected = Array.from({ length: total }, (_, n) => cursorOf(n + 2));
    expect(coming).toEqual(expected);
    for (const events of staying) {
      expect(events.map(({ handoffInbox }) => handoffInbox.cursor)).toEqual(expected);
    }
    for (const events of steady) events.disconnect();
  }, 60_000);
});

describe('a stream', () => {
  test('ends with FORBIDDEN instead of the next event after the membership is removed; other streams continue', async () => {
    const leaver = newId();
    const token = await tenant.memberToken('VIEWER', { userId: leaver });
    const events = await watchInbox({ token });
    const others = await watchInbox();
    await service.system.db.member.deleteMany({ where: { userId: leaver } });
    const id = await newHandoff();
    expect(codeOf(await events.next())).toBe('FORBIDDEN');
    expect(await events.next()).toBeNull();
    expect(handoffsOf(await others.take(1))).toEqual([id]);
    others.disconnect();
  });

  const lifetimeSeconds = 60;
  const passLifetime = () => vi.setSystemTime(Date.now() + 2 * lifetimeSeconds * 1_000);
  // Changes the times in the database, because the database compares them with its own clock.
  const expireKeys = () =>
    service.system.db.apiKey.updateMany({
      where: { projectId: tenant.projectId, expiresAt: { not: null } },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  test.each<[string, () => Promise<string>, () => unknown]>([
    [
      'the token of an operator',
      () => tenant.memberToken('AGENT', { lifetimeSeconds }),
      passLifetime,
    ],
    [
      'the token of the service',
      () => service.token({ role: 'service_role' }, lifetimeSeconds),
      passLifetime,
    ],
    ['the key', () => tenant.key({ expiresAt: inAnHour() }), expireKeys],
  ])(
    'ends with UNAUTHENTICATED instead of the next event after %s has expired',
    async (_, make, expire) => {
      const events = await watchInbox({ token: await make() });
      const id = await newHandoff();
      expect(handoffsOf(await events.take(1))).toEqual([id]);
      vi.useFakeTimers({ toFake: ['Date'] });
      try {
        await expire();
        await newHandoff();
        expect(codeOf(await events.next())).toBe('UNAUTHENTICATED');
        expect(await events.next()).toBeNull();
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('ends with UNAUTHENTICATED instead of the next event after the key is revoked', async () => {
    const events = await watchInbox({ token: await tenant.key() });
    const { id } = await service.system.db.apiKey.findFirstOrThrow({
      where: { projectId: tenant.projectId },
      orderBy: { id: 'desc' },
    });
    await service.system.db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
    await newHandoff();
    expect(codeOf(await events.next())).toBe('UNAUTHENTICATED');
    expect(await events.next()).toBeNull();
  });

  test('is readable by the graphql-sse client at /graphql/stream', async () => {
    const client = createClient({
      url: `${service.url}/graphql/stream`,
      headers: { Authorization: `Bearer ${key}` },
    });
    const events = client.iterate<InboxData>({
      query: inbox,
      variables: { projectId: tenant.projectId },
    });
    const before = service.adapters.events.subscriptionCount;
    const first = events.next();
    await waitUntil(() => service.adapters.events.subscriptionCount > before);
    const id = await newHandoff();
    expect((await first).value?.data?.handoffInbox.handoff.id).toBe(id);
    await events.return?.();
    client.dispose();
  });

  test('sends comments while idle, so that proxies keep it open', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: {
        Accept: 'text/event-stream',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${key}`,
      },
      body: JSON.stringify({ query: inbox, variables: { projectId: tenant.projectId } }),
      signal: leaving.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (text.length < 6) text += (await reader?.read())?.value ?? '';
    expect(text).toMatch(/^(:\n\n)+$/);
    leaving.abort();
  });

  test('leaves nothing behind when its client disconnects', async () => {
    const { events } = service.adapters;
    await waitUntil(() => events.subscriptionCount === 0);
    const open = await Promise.all(Array.from({ length: 20 }, () => watchInbox()));
    expect(events.subscriptionCount).toBe(20);
    for (const one of open) one.disconnect();
    await waitUntil(() => events.subscriptionCount === 0);
  });

  test('ends with UNAVAILABLE at once when the service shuts down', async () => {
    const other = await startTestService({ isWorker: false, database: service.database });
    const { projectId, key: makeKey } = await other.createTenant();
    const events = await subscribe<InboxData>(`${other.url}/graphql`, await makeKey(), inbox, {
      projectId,
    });
    const stopped = other.stop();
    expect(codeOf(await events.next())).toBe('UNAVAILABLE');
    expect(await events.next()).toBeNull();
    await stopped;
  });
});

describe('conversationUpdated', () => {
  const updated = `subscription ($projectId: ID!, $conversationId: ID) {
    conversationUpdated(projectId: $projectId, conversationId: $conversationId) {
      id status messageCount handoff { id } messages(first: 10) { edges { node { status } } }
    }
  }`;
  interface UpdatedData {
    readonly conversationUpdated: {
      readonly id: string;
      readonly status: string;
      readonly messageCount: number;
      readonly handoff: { readonly id: string } | null;
      readonly messages: {
        readonly edges: readonly { readonly node: { readonly status: string } }[];
      };
    };
  }
  const watch = (variables: object = {}) =>
    subscribe<UpdatedData>(`${service.url}/graphql`, key, updated, {
      projectId: tenant.projectId,
      ...variables,
    });

  test('emits a question, the end of its answer and a handoff', async () => {
    const conversationId = await addConversation(service, tenant.projectId, { messages: ['Hi'] });
    const events = await watch({ conversationId });
    await addConversation(service, tenant.projectId, { messages: ['Of no interest'] });

    await rest().post('/chat', { conversationId, message: 'When is check-out?' });
    const answered = await readUntil(
      events,
      ({ messages }) =>
        messages.edges.at(-1)?.node.status === 'COMPLETED' && messages.edges.length === 3,
    );
    expect(answered).toMatchObject({ id: conversationId, status: 'OPEN', messageCount: 3 });

    const id = await requestHandoff(conversationId);
    const handedOver = await readUntil(events, ({ status }) => status === 'HANDOFF_REQUESTED');
    expect(handedOver).toMatchObject({ id: conversationId, handoff: { id } });
    events.disconnect();
  });

  test('emits every conversation of the project and of no other project', async () => {
    const events = await watch();
    const stranger = await service.createTenant();
    await addConversation(service, stranger.projectId);
    const id = await addConversation(service, tenant.projectId);
    expect((await events.take(1))[0]?.conversationUpdated.id).toBe(id);
    events.disconnect();
  });

  test('rejects a conversation of another project with NOT_FOUND', async () => {
    const stranger = await service.createTenant();
    const conversationId = await addConversation(service, stranger.projectId);
    const variables = { projectId: tenant.projectId, conversationId };
    expect(await refusalOf(updated, variables)).toBe('NOT_FOUND');
  });

  async function readUntil(
    events: Subscription<UpdatedData>,
    isWanted: (conversation: UpdatedData['conversationUpdated']) => boolean,
  ) {
    for (;;) {
      const [data] = await events.take(1);
      if (data === undefined) throw new Error('no data');
      expect(data.conversationUpdated.id).not.toBe('');
      if (isWanted(data.conversationUpdated)) return data.conversationUpdated;
    }
  }
});

test('a client that does not read is disconnected', async () => {
  const { log, text } = captureLog();
  const { database } = service;
  const impatient = await startTestService({ isWorker: false, database, log, stallTimeoutMs: 300 });
  const content = 'x'.repeat(4_000);
  const handoffId = await newHandoff();
  await append(handoffId, 150);
  await service.system.db.handoff.update({ where: { id: handoffId }, data: { reason: content } });
  // Each event has 100 kB. All events together are far more than two socket buffers can contain.
  const reasons = Array.from({ length: 25 }, (_, n) => `r${n}: reason`).join(' ');
  const query = `subscription ($projectId: ID!, $after: String) {
    handoffInbox(projectId: $projectId, after: $after) { handoff { ${reasons} } }
  }`;
  const variables = { projectId: tenant.projectId, after: cursorOf(0) };
  const body = JSON.stringify({ query, variables });
  const { port } = new URL(impatient.url);
  const socket = connect(Number(port), '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      'Accept: text/event-stream\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  const { events } = impatient.adapters;
  await waitUntil(() => events.subscriptionCount === 1);
  await waitUntil(() => events.subscriptionCount === 0);
  expect(text()).toContain('client does not read its stream');
  socket.destroy();
  await impatient.stop();
});

test('documentUpdated emits a new document, its final status and a retried document', async () => {
  const events = await subscribe<{
    documentUpdated: { id: string; status: string; error: { code: string } | null };
  }>(
    `${service.url}/graphql`,
    key,
    'subscription ($projectId: ID!) { documentUpdated(projectId: $projectId) { id status error { code } } }',
    { projectId: tenant.projectId },
  );
  const until = async (status: string) => {
    for (;;) {
      const [data] = await events.take(1);
      if (data?.documentUpdated.status === status) return data.documentUpdated;
    }
  };
  const response = await rest().post('/knowledge/documents', {
    name: 'a',
    content: 'Check-out is at 11.',
  });
  const { id } = await response.json();
  expect(await until('READY')).toEqual({ id, status: 'READY', error: null });

  await service.system.db.document.update({
    where: { id },
    data: { status: 'FAILED', errorCode: 'INTERNAL' },
  });
  expect(await until('FAILED')).toEqual({ id, status: 'FAILED', error: { code: 'INTERNAL' } });
  await graphqlClient(service.url, key).data(
    'mutation ($input: RetryDocumentInput!) { retryDocument(input: $input) { id } }',
    { input: { projectId: tenant.projectId, id } },
  );
  expect(await until('READY')).toMatchObject({ id });
  events.disconnect();
});

function watchInbox({ after, token = key }: { after?: string; token?: string } = {}) {
  const variables = { projectId: tenant.projectId, after };
  return subscribe<InboxData>(`${service.url}/graphql`, token, inbox, variables);
}

async function refusalOf(query: string, variables: object, token = key) {
  const { errors } = await graphqlClient(service.url, token).send(query, variables);
  return errors?.[0]?.extensions.code;
}

function rest() {
  return restClient(`${service.url}/api/v1`, key);
}

async function newHandoff(): Promise<string> {
  return requestHandoff(await addConversation(service, tenant.projectId));
}

async function requestHandoff(conversationId: string): Promise<string> {
  const response = await rest().post('/handoff', { conversationId });
  const { handoffId } = await response.json();
  return handoffId;
}

/** Appends events to a handoff. The handoff need not exist. */
async function append(handoffId: string, count: number): Promise<void> {
  const { projectId } = tenant;
  await service.adapters.prisma.$transaction(async (db) => {
    for (let n = 0; n < count; n += 1) {
      await appendInboxEvent(db, { projectId, type: 'CLAIMED', handoffId });
    }
  });
}

function cursorOf(position: number): string {
  return Buffer.from(`inbox:${position}`).toString('base64url');
}

function handoffsOf(events: readonly InboxData[]): string[] {
  return events.map(({ handoffInbox }) => handoffInbox.handoff.id);
}

function codeOf(result: Awaited<ReturnType<Subscription<unknown>['next']>>): string | undefined {
  return result?.errors?.[0]?.extensions.code;
}
