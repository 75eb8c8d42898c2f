import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { type Subscription, subscribe } from '../support/api/subscription.ts';
import { eventReader, makeWidget, visitorClient } from '../support/api/visitor-client.ts';
import { addConversation } from '../support/conversations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

/** Two processes that use one database. */
let service: TestService;
let otherNode: TestService;
let database: TestDatabase;
let tenant: Tenant;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({ database });
  otherNode = await startTestService({ database, isWorker: false });
  tenant = await service.createTenant();
  await typeOnce();
});
afterAll(async () => {
  await otherNode?.stop();
  await service?.stop();
  await database?.drop();
});
beforeEach(async () => {
  tenant = await service.createTenant();
});

/**
 * Resolves when a typing signal has expired, which takes seconds. The signal starts before the first test, so that the
 * other tests run in the meantime.
 */
const unrepeated: { isOver: Promise<void> } = { isOver: Promise.resolve() };

async function typeOnce(): Promise<void> {
  const [ada, grace] = [await agent(), await agent()];
  const id = await addConversation(service, tenant.projectId);
  await claimed(grace, id);
  const seen = await watch(ada, id);
  await type(grace, id);
  await until(seen, [{ agent: grace.email, isTyping: true }]);
  unrepeated.isOver = until(seen, []).then(() => seen.disconnect());
  // The test of this signal reports the failure, so this handler ignores it.
  unrepeated.isOver.catch(() => {});
}

interface ActivityData {
  readonly conversationActivity: readonly {
    readonly agent: string | null;
    readonly isTyping: boolean;
  }[];
}

const activityQuery = `subscription ($projectId: ID!, $conversationId: ID!) {
  conversationActivity(projectId: $projectId, conversationId: $conversationId) { agent isTyping }
}`;
const signalTyping = `mutation ($input: SignalTypingInput!) { signalTyping(input: $input) }`;
const claim = `mutation ($input: ClaimHandoffInput!) { claimHandoff(input: $input) { id } }`;
const requestHandoff = `mutation ($input: RequestHandoffInput!) { requestHandoff(input: $input) { id } }`;

interface Agent {
  readonly email: string;
  readonly token: string;
}

async function agent(role: Role = 'AGENT'): Promise<Agent> {
  const email = `${newId()}@example.com`;
  return { email, token: await tenant.memberToken(role, { email }) };
}

async function claimed({ token }: Agent, conversationId: string): Promise<void> {
  const { projectId } = tenant;
  const handoff = await graphqlClient(service.url, token).data<{ requestHandoff: { id: string } }>(
    requestHandoff,
    { input: { projectId, conversationId } },
  );
  const handoffId = handoff.requestHandoff.id;
  await graphqlClient(service.url, token).data(claim, { input: { handoffId } });
}

function watch({ token }: Agent, conversationId: string, node = service) {
  const { projectId } = tenant;
  const variables = { projectId, conversationId };
  return subscribe<ActivityData>(`${node.url}/graphql`, token, activityQuery, variables);
}

async function type({ token }: Agent, conversationId: string, isTyping = true, node = service) {
  const { data, errors } = await graphqlClient(node.url, token).send(signalTyping, {
    input: { conversationId, isTyping },
  });
  return errors?.[0]?.extensions.code ?? data?.signalTyping;
}

async function until(events: Subscription<ActivityData>, expected: object[]): Promise<void> {
  for (;;) {
    const [data] = await events.take(1);
    const wanted = JSON.stringify(expected);
    if (JSON.stringify(data?.conversationActivity) === wanted) return;
  }
}

describe('conversationActivity', () => {
  test('shows an agent on another process who opens a conversation, types, stops and leaves', async () => {
    const [ada, grace] = [await agent(), await agent()];
    const id = await addConversation(service, tenant.projectId);
    await claimed(grace, id);
    const seen = await watch(ada, id);
    expect(await seen.take(1)).toEqual([{ conversationActivity: [] }]);
    const graces = await watch(grace, id, otherNode);
    await until(seen, [{ agent: grace.email, isTyping: false }]);
    expect(await type(grace, id, true, otherNode)).toBe(true);
    await until(seen, [{ agent: grace.email, isTyping: true }]);
    expect(await type(grace, id, false, otherNode)).toBe(true);
    await until(seen, [{ agent: grace.email, isTyping: false }]);
    graces.disconnect();
    await until(seen, []);
    seen.disconnect();
  });

  test('shows at once who was there before, and never the caller', async () => {
    const [ada, grace] = [await agent(), await agent()];
    const id = await addConversation(service, tenant.projectId);
    await claimed(grace, id);
    const first = await watch(grace, id);
    await first.take(1);
    await type(grace, id);
    const seen = await watch(ada, id);
    await until(seen, [{ agent: grace.email, isTyping: true }]);
    await until(first, [{ agent: ada.email, isTyping: false }]);
    for (const events of [first, seen]) events.disconnect();
  });

  test('stays silent about viewers, who may watch', async () => {
    const [ada, viewer] = [await agent(), await agent('VIEWER')];
    const id = await addConversation(service, tenant.projectId);
    await claimed(ada, id);
    const seen = await watch(ada, id);
    const viewers = await watch(viewer, id);
    await until(viewers, [{ agent: ada.email, isTyping: false }]);
    await type(ada, id);
    await until(viewers, [{ agent: ada.email, isTyping: true }]);
    expect(await seen.take(1)).toEqual([{ conversationActivity: [] }]);
    expect(await type(viewer, id)).toBe('FORBIDDEN');
    for (const events of [seen, viewers]) events.disconnect();
  });

  test('takes no signal while the assistant has the conversation', async () => {
    const ada = await agent();
    const id = await addConversation(service, tenant.projectId);
    expect(await type(ada, id)).toBe(false);
  });
});

describe('a visitor', () => {
  test('sees, on any process, when the owner types and stops, without a name, and not other agents', async () => {
    const [ada, grace] = [await agent(), await agent()];
    const { page, id } = await visitor();
    await claimed(grace, id);
    const updates = eventReader(await page.post('updates', { conversationId: id }));
    await updates.readUntil('"isTeamTyping":false');
    expect(await type(ada, id)).toBe(true);
    expect(await type(grace, id, true, otherNode)).toBe(true);
    const events = await updates.readUntil('"isTeamTyping":true');
    expect(JSON.stringify(events)).not.toContain('example.com');
    expect(await type(grace, id, false)).toBe(true);
    await updates.readUntil('"isTeamTyping":false');
    await updates.close();
    const seen = await (await page.post('conversation', { conversationId: id })).json();
    expect(seen.isTeamTyping).toBe(false);
  });

  test('who types is shown to the agents, on any process, and only once an agent has the conversation', async () => {
    const grace = await agent();
    const { page, id } = await visitor();
    const signal = async (isTyping?: boolean) =>
      (await page.post('typing', { conversationId: id, isTyping })).json();
    expect(await signal()).toEqual({ isSignalled: false });
    await claimed(grace, id);
    const seen = await watch(grace, id, otherNode);
    expect(await signal()).toEqual({ isSignalled: true });
    await until(seen, [{ agent: null, isTyping: true }]);
    await signal(false);
    await until(seen, []);
    seen.disconnect();
  });

  test('cannot signal in the conversation of another visitor, nor without a limit', async () => {
    const { page, id } = await visitor();
    const { page: stranger } = await visitor();
    expect((await stranger.post('typing', { conversationId: id })).status).toBe(404);
    expect((await page.post('typing', { conversationId: id, text: 'secret' })).status).toBe(400);
    const statuses = new Set<number>();
    for (let n = 0; n < 60; n += 1) {
      statuses.add((await page.post('typing', { conversationId: id })).status);
    }
    expect(statuses).toEqual(new Set([200, 429]));
  });

  async function visitor() {
    await service.system.db.$executeRaw`delete from grounded.request_windows`;
    const page = visitorClient(service, await makeWidget(service, tenant.projectId));
    await page.visit();
    const [meta] = await page.ask('When is breakfast served?');
    return { page, id: String(meta?.conversationId) };
  }
});

test('conversationActivity ends by itself a typing signal that is not repeated', async () => {
  await unrepeated.isOver;
});
