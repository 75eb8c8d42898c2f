import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../src/domain/caller.ts';
import type { Context } from '../../src/domain/context.ts';
import {
  type ConversationFilter,
  getConversation,
  listConversations,
  listConversationsByPage,
} from '../../src/domain/conversations/conversations.ts';
import { listMessages } from '../../src/domain/conversations/messages.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { newId } from '../../src/platform/ids.ts';
import type { ApiKeyScope } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { addConversation, countStatements } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});

function contextOf(caller: Caller): Context {
  return { ...service.system, caller };
}

function keyOf(
  { organizationId, projectId }: Tenant,
  options: { isOrgWide?: boolean; scopes?: readonly ApiKeyScope[] } = {},
): Context {
  return contextOf({
    type: 'key',
    filter: null,
    keyId: newId(),
    organizationId,
    projectId: options.isOrgWide ? null : projectId,
    scopes: options.scopes ?? ['CONVERSATIONS_READ'],
  });
}

async function operatorOf({ organizationId }: Tenant): Promise<Context> {
  const userId = newId();
  const email = `${userId}@example.com`;
  await service.system.db.member.create({
    data: { id: newId(), organizationId, email, userId, role: 'VIEWER' },
  });
  return contextOf({ type: 'operator', userId, email });
}

describe('a list of conversations', () => {
  const moments = ['10:00', '12:00', '12:00', '12:00', '11:00', '12:00', '09:00'];
  let tenant: Tenant;
  let newestFirst: string[];

  beforeAll(async () => {
    tenant = await service.createTenant();
    const added: { id: string; moment: string }[] = [];
    for (const moment of moments) {
      const lastMessageAt = new Date(`2026-11-21T${moment}:00Z`);
      added.push({
        id: await addConversation(service, tenant.projectId, { lastMessageAt }),
        moment,
      });
    }
    newestFirst = added
      .sort((a, b) => (`${a.moment} ${a.id}` < `${b.moment} ${b.id}` ? 1 : -1))
      .map(({ id }) => id);
  });

  const pageOf = (page: number, limit: number) =>
    listConversationsByPage(service.system, { projectId: tenant.projectId, page, limit });

  test('is ordered by the latest message, with equal timestamps by descending id', async () => {
    const { data, ...rest } = await pageOf(1, 100);
    expect(data.map(({ id }) => id)).toEqual(newestFirst);
    expect(rest).toEqual({ page: 1, limit: 100, total: 7, totalPages: 1, hasMore: false });
  });

  test('contains each conversation once across its pages', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => pageOf(page, 2)));
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(newestFirst);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, true, false]);
    expect(pages.map(({ total, totalPages }) => [total, totalPages])).toEqual(
      Array(4).fill([7, 4]),
    );
  });

  test('has an empty page after the last', async () => {
    const page = await pageOf(1_000_000, 100);
    expect(page).toMatchObject({ data: [], total: 7, totalPages: 1, hasMore: false });
  });

  test('continues after a cursor', async () => {
    const { projectId } = tenant;
    const seen: string[] = [];
    let cursor: { place: { lastMessageAt: Date; id: string } } | undefined;
    while (seen.length < 7) {
      const found = await listConversations(service.system, { projectId }, { take: 3, cursor });
      seen.push(...found.map(({ id }) => id));
      const last = found.at(-1);
      cursor = last && { place: { lastMessageAt: last.lastMessageAt, id: last.id } };
    }
    expect(seen).toEqual(newestFirst);
  });

  test('takes at most three statements, including a search', async () => {
    const { adapters } = service;
    const input = { page: 1, limit: 20, search: 'x' };
    const byKey = () => listConversationsByPage(keyOf(tenant), input);
    expect(await countStatements(adapters.pool, byKey)).toBe(3);
  });
});

describe('a filter', () => {
  let tenant: Tenant;
  let siblingId: string;
  let names: Map<string, string>;

  beforeAll(async () => {
    tenant = await service.createTenant();
    const { organizationId, projectId } = tenant;
    siblingId = (await createProject(service.system, { organizationId, name: 'Sibling' })).id;
    const other = await service.createTenant();
    const add = (name: string, fields: Parameters<typeof addConversation>[2]) =>
      addConversation(service, projectId, fields).then((id) => [id, name] as const);
    names = new Map([
      await add('refund', {
        lastMessageAt: new Date('2026-11-01T00:00:00.000Z'),
        endUserId: 'customer-1',
        messages: ['Where is my money?', 'Your REFUND is on its way.', 'Thanks', 'A refund it is'],
      }),
      await add('fees', {
        lastMessageAt: new Date('2026-11-02T00:00:00.000Z'),
        endUserId: 'Customer-1',
        status: 'HUMAN',
        messages: ['Is 100% of it paid back?', 'Über GRÖSSE und ÄNDERUNG: no refund.'],
      }),
      await add('file', {
        lastMessageAt: new Date('2026-11-02T00:00:00.001Z'),
        endUserId: 'customer-1',
        status: 'HUMAN',
        messages: ['Refund for C:\\files\\a_b', ''],
      }),
      await add('silent', {
        lastMessageAt: new Date('2026-11-30T23:59:59.999Z'),
        status: 'RESOLVED',
      }),
    ]);
    for (const project of [siblingId, other.projectId]) {
      await addConversation(service, project, {
        lastMessageAt: new Date('2026-11-02T00:00:00.000Z'),
        endUserId: 'customer-1',
        status: 'HUMAN',
        messages: ['A refund elsewhere'],
      });
    }
  });

  /**
   * Returns the names of the conversations that match. Also checks that both list functions return the same
   * conversations.
   */
  async function found(filter: ConversationFilter): Promise<string> {
    const input = { ...filter, projectId: tenant.projectId };
    const listed = await listConversations(service.system, input);
    const page = await listConversationsByPage(service.system, { ...input, page: 1, limit: 100 });
    expect(page.data).toEqual(listed);
    expect(page.total).toBe(listed.length);
    return listed.map(({ id }) => names.get(id) ?? 'foreign').join(' ');
  }

  test.each<[string, ConversationFilter, string]>([
    ['nothing finds all', {}, 'silent file fees refund'],
    ['nulls and an empty search find all', { status: null, search: '' }, 'silent file fees refund'],
    ['a status', { status: 'HUMAN' }, 'file fees'],
    ['a status nobody has', { status: 'HANDOFF_REQUESTED' }, ''],
    ['an end user, to the letter', { endUserId: 'customer-1' }, 'file refund'],
    ['a part of an end user', { endUserId: 'customer' }, ''],
    [
      'a text, in upper or lower case, once per conversation',
      { search: 'rEfund' },
      'file fees refund',
    ],
    ['umlauts, in upper or lower case', { search: 'über grösse und änderung' }, 'fees'],
    ['a percent sign as itself', { search: '0%' }, 'fees'],
    ['a percent sign alone', { search: '%' }, 'fees'],
    ['an underscore as itself', { search: '_' }, 'file'],
    ['a backslash as itself', { search: 'C:\\files\\a_b' }, 'file'],
    ['a quote', { search: "it's" }, ''],
    ['from, that moment included', { from: new Date('2026-11-02T00:00:00.001Z') }, 'silent file'],
    ['to, that moment included', { to: new Date('2026-11-02T00:00:00.000Z') }, 'fees refund'],
    [
      'one moment',
      { from: new Date('2026-11-02T00:00:00.000Z'), to: new Date('2026-11-02T00:00:00.000Z') },
      'fees',
    ],
    [
      'a from behind its to finds nothing',
      { from: new Date('2026-11-03T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') },
      '',
    ],
    [
      'all of them together',
      {
        status: 'HUMAN',
        endUserId: 'customer-1',
        search: 'refund',
        from: new Date('2026-11-01T00:00:00Z'),
        to: new Date('2026-11-30T00:00:00Z'),
      },
      'file',
    ],
  ])('by %s', async (_what, filter, expected) => {
    expect(await found(filter)).toBe(expected);
  });
});

test('finds the conversations that have an answer with the given rating', async () => {
  const { projectId } = await service.createTenant();
  const add = (rating: 'UP' | 'DOWN' | null) =>
    addConversation(service, projectId, { messages: [`${rating}?`, 'An answer'] }).then(
      async (conversationId) => {
        const { id: messageId } = await service.system.db.message.findFirstOrThrow({
          where: { conversationId, role: 'ASSISTANT' },
        });
        if (rating === null) return;
        await service.system.db.messageFeedback.create({ data: { messageId, projectId, rating } });
      },
    );
  for (const rating of ['UP', 'DOWN', null] as const) await add(rating);
  const find = async (filter: ConversationFilter) =>
    (await listConversations(service.system, { projectId, ...filter })).map(({ title }) => title);
  expect(await find({ feedback: 'DOWN' })).toEqual(['DOWN?']);
  expect(await find({ feedback: 'UP' })).toEqual(['UP?']);
  expect(await find({ feedback: 'UP', search: 'down' })).toEqual([]);
  expect(await find({})).toHaveLength(3);
});

describe('a conversation', () => {
  let tenant: Tenant;
  let siblingId: string;
  let id: string;

  beforeAll(async () => {
    tenant = await service.createTenant();
    const { organizationId, projectId } = tenant;
    siblingId = (await createProject(service.system, { organizationId, name: 'Sibling' })).id;
    id = await addConversation(service, projectId, { messages: ['Hello?', 'Hello.'] });
  });

  test('is found by its id if the caller may read it', async () => {
    const callers = [service.system, keyOf(tenant), keyOf(tenant, { isOrgWide: true })];
    for (const context of [...callers, await operatorOf(tenant)]) {
      expect(await getConversation(context, { id })).toMatchObject({ id, messageCount: 2 });
    }
  });

  test('of another project or organization is not found, with the same error as an unknown id', async () => {
    const other = await service.createTenant();
    const foreign = [
      keyOf({ ...tenant, projectId: siblingId }),
      keyOf(other),
      keyOf(other, { isOrgWide: true }),
      await operatorOf(other),
    ];
    for (const context of foreign) {
      await expect(getConversation(context, { id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'Conversation not found',
      });
    }
  });

  test.each([newId(), 'nonsense', '', '\0'])('with the id %j is not found', async (unknown) => {
    for (const projectId of [undefined, tenant.projectId]) {
      const input = { projectId, id: unknown };
      await expect(getConversation(service.system, input)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }
  });

  test('is not found in another project', async () => {
    const input = { projectId: siblingId, id };
    for (const context of [service.system, keyOf(tenant, { isOrgWide: true })]) {
      await expect(getConversation(context, input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('is not readable without the scope', async () => {
    const context = keyOf(tenant, { scopes: ['CHAT', 'KNOWLEDGE_READ'] });
    const { projectId } = tenant;
    const reads = [
      () => getConversation(context, { id }),
      () => listMessages(context, { id, projectId }),
      () => listConversations(context, {}),
      () => listConversationsByPage(context, { page: 1, limit: 1 }),
    ];
    for (const read of reads) {
      await expect(read()).rejects.toMatchObject({ code: 'SCOPE_MISSING' });
    }
  });

  test('has its messages ordered by position, regardless of their ids', async () => {
    const { projectId } = tenant;
    const messages = Array.from({ length: 7 }, (_, n) => `Message ${n + 1}`);
    const id = await addConversation(service, projectId);
    for (const [index, content] of [...messages.entries()].reverse()) {
      await service.system.db.message.create({
        data: {
          id: newId(),
          conversationId: id,
          projectId,
          position: index + 1,
          role: 'USER',
          content,
        },
      });
    }
    const listed = await listMessages(service.system, { id, projectId });
    expect(listed.map(({ content }) => content)).toEqual(messages);
    expect(await listMessages(service.system, { id, projectId: siblingId })).toEqual([]);
  });
});
