import { beforeAll, describe, expect, test } from 'vitest';
import { type HandoffFilter, listHandoffs } from '../../../src/domain/handoff/handoffs.ts';
import {
  type HandoffRequest,
  requestHandoff,
} from '../../../src/domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../../../src/domain/handoff/resolve-handoff.ts';
import { returnToAssistant } from '../../../src/domain/handoff/return-to-assistant.ts';
import { takeOverConversation } from '../../../src/domain/handoff/take-over-conversation.ts';
import {
  type WebhookEventType,
  webhookBody,
  webhookBodyLimitBytes,
  webhookEventTypes,
} from '../../../src/domain/webhooks/webhook-event-types.ts';
import { newId } from '../../../src/platform/ids.ts';
import type {
  ConversationStatus,
  HandoffStatus,
} from '../../../src/platform/postgres/generated/prisma/enums.ts';
import { serverUrl } from '../../support/database/database.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  projectId = tenant.projectId;
});

async function startConversation(
  options: {
    readonly projectId?: string;
    readonly status?: ConversationStatus;
    readonly endUserId?: string;
    readonly messages?: readonly string[];
  } = {},
): Promise<string> {
  const { messages = [], ...data } = { projectId, ...options };
  const { id } = await service.system.db.conversation.create({
    data: { id: newId(), title: 'Refunds', messageCount: messages.length, ...data },
  });
  await service.system.db.message.createMany({
    data: messages.map((content, n) => ({
      id: newId(),
      conversationId: id,
      projectId: data.projectId,
      position: n + 1,
      role: n % 2 === 0 ? 'USER' : 'ASSISTANT',
      content,
    })),
  });
  return id;
}

function request(conversationId: string, input: Partial<HandoffRequest> = {}) {
  return requestHandoff(service.system, { projectId, conversationId, ...input });
}

async function statusOf(id: string): Promise<ConversationStatus> {
  const { status } = await service.system.db.conversation.findUniqueOrThrow({ where: { id } });
  return status;
}

/** Returns all rows that belong to the handoffs of a conversation. */
async function handoffRecords(conversationId: string) {
  const handoffs = await service.system.db.handoff.findMany({
    where: { conversationId },
    orderBy: { id: 'asc' },
  });
  const { rows: inbox } = await service.adapters.pool.query(
    `select event.* from grounded.inbox_events event
     join grounded.handoffs handoff on handoff.id = event.handoff_id
     where handoff.conversation_id = $1 order by position`,
    [conversationId],
  );
  const events = await service.system.db.webhookEvent.findMany({
    where: { data: { path: ['conversationId'], equals: conversationId } },
  });
  return { handoffs, inbox, events };
}

async function addEndpoint(
  types: readonly WebhookEventType[],
  options: { readonly projectId?: string; readonly disabledAt?: Date } = {},
): Promise<string> {
  const data = { url: 'https://example.com/hook', types: [...types], secret: 'whsec_x' };
  const { id } = await service.system.db.webhookEndpoint.create({
    data: { id: newId(), projectId, ...data, ...options },
  });
  return id;
}

async function jobs(): Promise<{ deliveryId: string; projectId: string }[]> {
  const { rows } = await service.adapters.pool.query(
    `select data from grounded_jobs.job where name = 'deliver-webhook'`,
  );
  return rows.map(({ data }) => data);
}

describe('a conversation without an open handoff', () => {
  test.each(['OPEN', 'RESOLVED'] as const)(
    'that is %s receives one, with an inbox event and a webhook event',
    async (status) => {
      const id = await startConversation({ status });
      const before = await service.system.db.conversation.findUniqueOrThrow({ where: { id } });
      if (status === 'RESOLVED') await addHandoff(id, 'RESOLVED');
      const contact = { email: 'ada@example.com', name: 'Ada', reason: 'Refund' };
      const handoff = await request(id, contact);

      expect(handoff).toMatchObject({ ...contact, isNew: true, status: 'REQUESTED', projectId });
      expect(handoff).toMatchObject({ conversationId: id, claimedAt: null, resolvedAt: null });
      const after = await service.system.db.conversation.findUniqueOrThrow({ where: { id } });
      expect(after.status).toBe('HANDOFF_REQUESTED');
      expect(after.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
      const { handoffs, inbox, events } = await handoffRecords(id);
      expect(handoffs.at(-1)).toMatchObject({ id: handoff.id, ...contact });
      expect(inbox).toMatchObject([
        { type: 'REQUESTED', handoff_id: handoff.id, project_id: projectId, message_id: null },
      ]);
      expect(events).toMatchObject([{ type: 'human.requested', projectId }]);
    },
  );
});

async function addHandoff(conversationId: string, status: HandoffStatus): Promise<string> {
  const { id } = await service.system.db.handoff.create({
    data: { id: newId(), projectId, conversationId, status, email: 'first@example.com' },
  });
  return id;
}

describe('a conversation with an open handoff', () => {
  test.each([
    ['HANDOFF_REQUESTED', 'REQUESTED'],
    ['HUMAN', 'CLAIMED'],
  ] as const)(
    'that is %s receives no other, and adds the details of the request to it',
    async (status, handoffStatus) => {
      const id = await startConversation({ status });
      const handoffId = await addHandoff(id, handoffStatus);
      const before = await handoffRecords(id);
      const unchanged = { id: handoffId, isNew: false, status: handoffStatus };

      const withDetails = await request(id, { email: 'second@example.com', reason: 'Waiting' });
      const details = { email: 'second@example.com', name: null, reason: 'Waiting' };
      expect(withDetails).toMatchObject({ ...unchanged, ...details });
      expect(await statusOf(id)).toBe(status);
      const { handoffs, inbox, events } = await handoffRecords(id);
      expect(handoffs).toEqual([expect.objectContaining({ id: handoffId, ...details })]);
      expect(inbox.slice(before.inbox.length)).toMatchObject([
        { type: 'MESSAGE', handoff_id: handoffId, message_id: null },
      ]);
      expect(events).toMatchObject([{ type: 'handoff.updated', data: { handoffId, ...details } }]);

      for (const same of [{}, { email: null, name: null }, { reason: 'Waiting' }]) {
        expect(await request(id, same)).toMatchObject({ ...unchanged, ...details });
      }
      expect((await handoffRecords(id)).events).toHaveLength(1);
      expect((await handoffRecords(id)).inbox).toHaveLength(inbox.length);
    },
  );

  test('receives another one after the first is resolved', async () => {
    const id = await startConversation();
    const first = await request(id);
    await service.system.db.handoff.update({
      where: { id: first.id },
      data: { status: 'RESOLVED' },
    });
    await service.system.db.conversation.update({ where: { id }, data: { status: 'RESOLVED' } });
    const second = await request(id);
    expect(second.isNew).toBe(true);
    expect(second.id).not.toBe(first.id);
    expect((await handoffRecords(id)).events).toHaveLength(2);
  });

  test('has the name and e-mail address that the end user gave before, unless there are new ones', async () => {
    const endUserId = newId();
    const resolved = async (details: object) => {
      const id = await startConversation({ endUserId });
      const handoff = await request(id, details);
      await resolveHandoff(service.system, { handoffId: handoff.id });
      return { id, handoff };
    };
    const first = await resolved({ name: 'Mira', email: 'mira@example.com', reason: 'A bag' });
    expect((await resolved({})).handoff).toMatchObject({
      ...{ name: 'Mira', email: 'mira@example.com', reason: null },
    });
    expect((await resolved({ email: 'new@example.com' })).handoff).toMatchObject({
      ...{ name: 'Mira', email: 'new@example.com' },
    });
    const taken = await takeOverConversation(service.system, { conversationId: first.id });
    expect(taken).toMatchObject({ name: 'Mira', email: 'new@example.com' });
    const stranger = await startConversation({ endUserId: newId() });
    expect(await request(stranger)).toMatchObject({ name: null, email: null });
    const anonymous = await startConversation();
    expect(await request(anonymous)).toMatchObject({ name: null, email: null });
  });
});

test('a reopened handoff keeps the reason of the request, and a take over of an open conversation has none', async () => {
  const id = await startConversation();
  const first = await request(id, { reason: 'Lost a bag' });
  const context = service.system;
  await resolveHandoff(context, { handoffId: first.id });
  const reopened = await takeOverConversation(context, { conversationId: id });
  expect(reopened).toMatchObject({ isNew: true, isRequested: false, reason: 'Lost a bag' });
  await resolveHandoff(context, { handoffId: reopened.id });
  const again = await takeOverConversation(context, { conversationId: id });
  expect(again).toMatchObject({ isNew: true, reason: 'Lost a bag' });
  await returnToAssistant(context, { handoffId: again.id });
  const taken = await takeOverConversation(context, { conversationId: id });
  expect(taken).toMatchObject({ isNew: true, reason: null });
});

describe('concurrently', () => {
  test('20 requests for one conversation open one handoff and emit one event', async () => {
    const id = await startConversation();
    const results = await Promise.all(Array.from({ length: 20 }, () => request(id)));
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(results.map((handoff) => handoff.id)).size).toBe(1);
    const { handoffs, inbox, events } = await handoffRecords(id);
    expect([handoffs, inbox, events].map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test('requests for 20 conversations are numbered without gaps for any reader', async () => {
    const other = await service.createTenant();
    const scope = { projectId: other.projectId };
    const ids = await Promise.all(Array.from({ length: 20 }, () => startConversation(scope)));
    const seen = async (): Promise<{ count: number; last: number }> => {
      const { rows } = await service.adapters.pool.query(
        `select count(*)::int as count, coalesce(max(position), 0)::int as last
         from grounded.inbox_events where project_id = $1`,
        [other.projectId],
      );
      return rows[0];
    };
    const requests = Promise.all(ids.map((id) => request(id, scope)));
    for (let now = await seen(); now.count < ids.length; now = await seen()) {
      expect(now.last).toBe(now.count);
    }
    await requests;
    expect(await seen()).toEqual({ count: ids.length, last: ids.length });
  });
});

describe('an id that is no conversation of the project is not found', () => {
  test.each([
    ['a random id', async () => newId()],
    ['no id at all', async () => 'nonsense'],
    ['an empty id', async () => ''],
    [
      "another organization's",
      async () => startConversation({ projectId: (await service.createTenant()).projectId }),
    ],
    [
      'one of another project of the organization',
      async () => {
        const sibling = await service.system.db.project.create({
          data: { id: newId(), organizationId: tenant.organizationId, name: 'Sibling' },
        });
        return startConversation({ projectId: sibling.id });
      },
    ],
  ])('%s', async (_what, make) => {
    const id = await make();
    await expect(request(id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Conversation not found',
    });
    const { rows } = await service.adapters.pool.query(
      'select status from grounded.conversations where id::text = $1',
      [id],
    );
    expect(rows.filter(({ status }) => status !== 'OPEN')).toEqual([]);
  });
});

describe.each(['webhook_events', 'webhook_deliveries', 'inbox_events'])(
  'if writing to %s fails',
  (table) => {
    test('nothing of the request remains, and no position is skipped', async () => {
      const { ownerPool: owner } = service;
      const id = await startConversation();
      await addEndpoint(['human.requested']);
      const before = { jobs: await jobs(), position: await inboxPosition() };
      await owner.query(
        `create or replace function public.refuse() returns trigger language plpgsql
       as $$ begin raise exception 'refused'; end $$`,
      );
      await owner.query(
        `create trigger refuse before insert on grounded.${table}
       for each row execute function public.refuse()`,
      );
      try {
        await expect(request(id)).rejects.toThrow('refused');
      } finally {
        await owner.query(`drop trigger refuse on grounded.${table}`);
      }
      expect(await handoffRecords(id)).toEqual({ handoffs: [], inbox: [], events: [] });
      expect(await statusOf(id)).toBe('OPEN');
      expect({ jobs: await jobs(), position: await inboxPosition() }).toEqual(before);
      expect(await request(id)).toMatchObject({ isNew: true });
      expect(await inboxPosition()).toBe(before.position + 1n);
    });
  },
);

async function inboxPosition(): Promise<bigint> {
  const project = await service.system.db.project.findUniqueOrThrow({ where: { id: projectId } });
  return project.inboxPosition;
}

describe('deliveries', () => {
  test('are enqueued for each enabled endpoint of the project that subscribes to the type', async () => {
    const own = await service.createTenant();
    const scope = { projectId: own.projectId };
    const wanted = [
      await addEndpoint(['human.requested'], scope),
      await addEndpoint(webhookEventTypes, scope),
    ];
    await addEndpoint(['handoff.claimed', 'message.created'], scope);
    await addEndpoint(['human.requested'], { ...scope, disabledAt: new Date() });
    await addEndpoint(['human.requested'], { projectId: (await service.createTenant()).projectId });

    const id = await startConversation(scope);
    await request(id, scope);
    await request(id, scope);
    const { events } = await handoffRecords(id);
    const deliveries = await service.system.db.webhookDelivery.findMany({
      where: scope,
      orderBy: { id: 'asc' },
    });
    expect(deliveries).toMatchObject(
      wanted.map((endpointId) => ({ endpointId, eventId: events[0]?.id, status: 'PENDING' })),
    );
    const queuedJobs = (await jobs()).filter((job) => job.projectId === own.projectId);
    expect(queuedJobs.map(({ deliveryId }) => deliveryId).sort()).toEqual(
      deliveries.map((delivery) => delivery.id),
    );
  });

  test.runIf(serverUrl())('exclude an endpoint that was deleted in the meantime', async () => {
    const own = await service.createTenant();
    const scope = { projectId: own.projectId };
    const endpoint = await addEndpoint(['human.requested'], scope);
    const id = await startConversation(scope);
    const deleter = await service.ownerPool.connect();
    try {
      await deleter.query('begin');
      await deleter.query('delete from grounded.webhook_endpoints where id = $1', [endpoint]);
      const requested = request(id, scope);
      await waitUntil(async () => {
        const { rows } = await deleter.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      await deleter.query('commit');
      expect(await requested).toMatchObject({ isNew: true });
    } finally {
      deleter.release();
    }
    expect(await service.system.db.webhookDelivery.count({ where: scope })).toBe(0);
  });
});

describe('the event human.requested', () => {
  test('contains the requester, the conversation and the last messages', async () => {
    const messages = Array.from({ length: 12 }, (_, n) => `Message ${n + 1}`);
    const id = await startConversation({ endUserId: 'customer-4711', messages });
    const answer = { role: 'ASSISTANT', status: 'GENERATING' } as const;
    await service.system.db.message.create({
      data: { id: newId(), conversationId: id, projectId, position: 13, ...answer },
    });
    const handoff = await request(id, { email: 'ada@example.com' });
    const stored = await service.system.db.message.findMany({
      where: { conversationId: id, position: { gt: 2, lt: 13 } },
      orderBy: { position: 'asc' },
    });
    expect((await handoffRecords(id)).events[0]?.data).toEqual({
      handoffId: handoff.id,
      organizationId: tenant.organizationId,
      projectId,
      conversationId: id,
      endUserId: 'customer-4711',
      email: 'ada@example.com',
      name: null,
      reason: null,
      requestedAt: handoff.requestedAt.toISOString(),
      lastMessages: stored.map(({ id, role, content, createdAt }) => ({
        id,
        role,
        content,
        createdAt: createdAt.toISOString(),
      })),
    });
  });

  test.each([
    ['characters of four bytes', '\u{1f411}'],
    ['characters that JSON writes as six', '\u0001'],
    ['quotes and accents', '"é'],
  ])('stays below 20 kB, nearly used up, with long texts of %s', async (_what, piece) => {
    const long = piece.repeat(4000 / [...piece].length);
    const short = 'Is anybody there?';
    const messages = [...Array.from({ length: 9 }, () => long), short];
    const id = await startConversation({ endUserId: 'x'.repeat(128), messages });
    const reason = [...long].slice(0, 2000).join('');
    await request(id, { reason, name: [...long].slice(0, 200).join(''), email: 'a@example.com' });

    const { data, bytes } = await humanRequested(id);
    expect(bytes).toBeLessThan(webhookBodyLimitBytes);
    expect(bytes).toBeGreaterThan(webhookBodyLimitBytes - 200);
    expect(data.reason).toBe(reason);
    const contents = data.lastMessages.map(({ content }) => content);
    expect(contents.at(-1)).toBe(short);
    for (const content of contents.slice(0, -1)) {
      expect(content.isWellFormed()).toBe(true);
      expect(content.endsWith('…')).toBe(true);
      expect(content.length).toBeGreaterThan(10);
      expect(long.startsWith(content.slice(0, -1))).toBe(true);
    }
  });

  test('truncates long messages before short ones', async () => {
    const short = Array.from({ length: 9 }, () => 'm'.repeat(1500));
    const id = await startConversation({ messages: ['m'.repeat(15_000), ...short] });
    await request(id);
    const { data, bytes } = await humanRequested(id);
    expect(bytes).toBeLessThan(webhookBodyLimitBytes);
    expect(bytes).toBeGreaterThan(webhookBodyLimitBytes - 30);
    const [long = '', ...others] = data.lastMessages.map(({ content }) => content);
    expect(others).toEqual(short);
    expect(long).toMatch(/^m+…$/);
  });

  test('is not truncated if it fits', async () => {
    const messages = Array.from({ length: 10 }, (_, n) => 'm'.repeat(n === 4 ? 15_000 : 200));
    const id = await startConversation({ messages });
    await request(id);
    const { data } = await humanRequested(id);
    expect(data.lastMessages.map(({ content }) => content)).toEqual(messages);
  });
});

interface HumanRequested {
  readonly reason: string;
  readonly lastMessages: { readonly content: string }[];
}

/** Returns the event's data, and the size of the webhook body. */
async function humanRequested(conversationId: string) {
  const { events } = await handoffRecords(conversationId);
  const [event] = events;
  if (event === undefined) throw new Error('no event');
  const { occurredAt } = event;
  const data = JSON.parse(JSON.stringify(event.data));
  const body = webhookBody({ type: 'human.requested', occurredAt, data });
  return { data: data as HumanRequested, bytes: Buffer.byteLength(body) };
}

test('the handoffs of a project are listed by status, latest first, without those of other projects', async () => {
  const own = await service.createTenant();
  const scope = { projectId: own.projectId };
  const requested: string[] = [];
  for (let n = 0; n < 3; n++) {
    requested.unshift((await request(await startConversation(scope), scope)).id);
  }
  const [latest = ''] = requested;
  await service.system.db.handoff.update({ where: { id: latest }, data: { status: 'CLAIMED' } });
  const list = async (status?: HandoffStatus) =>
    (await listHandoffs(service.system, { ...scope, status })).map(({ id }) => id);
  expect(await list()).toEqual(requested);
  expect(await list('CLAIMED')).toEqual([latest]);
  expect(await list('REQUESTED')).toEqual(requested.slice(1));
  expect(await list('RESOLVED')).toEqual([]);
});

test('a list can be filtered by owner and by text', async () => {
  const { projectId } = await service.createTenant();
  const { projectId: elsewhere } = await service.createTenant();
  const add = async (title: string, fields: object, scope = projectId) => {
    const data = { projectId: scope, title, id: newId() };
    const { id: conversationId } = await service.system.db.conversation.create({ data });
    await service.system.db.handoff.create({
      data: { id: newId(), projectId: scope, conversationId, ...fields },
    });
  };
  await add('Refund of 100%', { name: 'Mira', claimedBy: 'ada@example.com' });
  await add('Opening hours', { reason: 'Wants a REFUND', email: 'otto_1@example.com' });
  await add('Parking', { name: 'Yusuf', claimedBy: 'ada@example.com' });
  await add('Refund', { name: 'Foreign', claimedBy: 'ada@example.com' }, elsewhere);
  const find = async (filter: HandoffFilter) =>
    (await listHandoffs(service.system, { projectId, ...filter }))
      .map(({ name }) => name ?? 'Otto')
      .sort()
      .join(' ');
  expect(await find({ search: 'refund' })).toBe('Mira Otto');
  expect(await find({ search: '100%' })).toBe('Mira');
  expect(await find({ search: 'O_1@' })).toBe('Otto');
  expect(await find({ search: '' })).toBe('Mira Otto Yusuf');
  expect(await find({ claimedBy: 'Ada@example.com' })).toBe('Mira Yusuf');
  expect(await find({ claimedBy: 'ada@example.com', search: 'YUS' })).toBe('Yusuf');
  expect(await find({ claimedBy: 'ben@example.com' })).toBe('');
});
