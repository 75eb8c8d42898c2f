import { beforeAll, beforeEach, expect, test } from 'vitest';
import { eraseEndUser } from '../../src/domain/end-users/erase-end-user.ts';
import { exportEndUser } from '../../src/domain/end-users/export-end-user.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { returnToAssistant } from '../../src/domain/handoff/return-to-assistant.ts';
import { updateProject } from '../../src/domain/organizations/projects.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { inputMutation } from '../support/api/input-mutation.ts';
import { subscribe } from '../support/api/subscription.ts';
import { claimedConversation } from '../support/pages/reply-drafts.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;
let agent: GraphqlClient;
let key: GraphqlClient;
const dayMs = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  ({ projectId } = tenant);
  await updateProject(service.system, { id: projectId, asksForSatisfaction: true });
  agent = await tenant.member('AGENT');
  key = await tenant.graphql({ scopes: ['CHAT'] });
});

/** Creates a handoff that the agent has resolved. */
async function resolved(): Promise<{ handoffId: string; conversationId: string }> {
  const claimed = await claimedConversation(service, projectId);
  const input = { handoffId: claimed.handoffId };
  await agent.data(inputMutation('resolveHandoff'), { input });
  return claimed;
}

const fields = 'handoffId rating comment agent askedAt ratedAt ratableUntil';

interface Rated {
  readonly rateHandoff: Record<string, string | number | null>;
}

async function rate(handoffId: string, rating: number, comment?: string) {
  const input = { handoffId, rating, comment };
  return (await key.data<Rated>(inputMutation('rateHandoff', fields), { input })).rateHandoff;
}

async function refusalOf(client: GraphqlClient, input: object) {
  const { errors } = await client.send(inputMutation('rateHandoff', 'rating'), { input });
  const { code, messages } = errors?.[0]?.extensions ?? {};
  return { code, messages, message: errors?.[0]?.message };
}

const stored = (handoffId: string) =>
  service.system.db.handoffSatisfaction.findUniqueOrThrow({ where: { handoffId } });

const published = async () =>
  (
    await service.system.db.webhookEvent.findMany({
      where: { projectId, type: 'handoff.rated' },
      orderBy: { id: 'asc' },
    })
  ).map(({ data }) => data);

test('the rating of a resolved handoff is stored with the agent, reported once, and can be changed', async () => {
  const { handoffId, conversationId } = await resolved();
  const events = await subscribe<{ handoffInbox: object }>(
    `${service.url}/graphql/stream`,
    await tenant.key({ scopes: ['CONVERSATIONS_READ'] }),
    `subscription ($projectId: ID!) {
      handoffInbox(projectId: $projectId) { type handoff { satisfaction { rating comment } } message { id } }
    }`,
    { projectId },
  );
  const first = await rate(handoffId, 2, ' Slow ');
  const [member] = await service.system.db.member.findMany({
    where: { role: 'AGENT', organizationId: tenant.organizationId },
  });
  expect(first).toMatchObject({ handoffId, rating: 2, comment: 'Slow', agent: member?.email });
  expect(await rate(handoffId, 2, 'Slow')).toEqual(first);
  const changed = await rate(handoffId, 5, ' ');
  expect(changed).toEqual({ ...first, rating: 5, comment: null });
  const update = (rating: number, comment: string | null) => ({
    handoffInbox: {
      type: 'UPDATED',
      handoff: { satisfaction: { rating, comment } },
      message: null,
    },
  });
  // Events show the current state of the handoff. It may be newer than the event.
  expect((await events.take(2))[1]).toEqual(update(5, null));
  events.disconnect();
  expect(await published()).toEqual([
    expect.objectContaining({ handoffId, conversationId, rating: 2, comment: 'Slow' }),
    expect.objectContaining({ handoffId, conversationId, rating: 5, comment: null }),
  ]);
});

test('two ratings at once are stored one after the other, each with its event', async () => {
  const { handoffId } = await resolved();
  await Promise.all([rate(handoffId, 1), rate(handoffId, 5), rate(handoffId, 5)]);
  const events = await published();
  const last = events.at(-1);
  expect(events.length).toBeGreaterThanOrEqual(2);
  expect(last).toMatchObject({ rating: (await stored(handoffId)).rating });
});

test('a rating is final 24 hours after it was given, and is refused 14 days after the handoff was resolved', async () => {
  const [late, given] = [await resolved(), await resolved()];
  const rated = await rate(given.handoffId, 4, 'Good');
  expect(Date.parse(String(rated.ratableUntil)) - Date.parse(String(rated.ratedAt))).toBe(dayMs);
  const { db } = service.system;
  const ago = (ms: number) => new Date(Date.now() - ms);
  await db.handoffSatisfaction.update({
    where: { handoffId: late.handoffId },
    data: { askedAt: ago(14 * dayMs + 1000) },
  });
  await db.handoffSatisfaction.update({
    where: { handoffId: given.handoffId },
    data: { ratedAt: ago(dayMs + 1000) },
  });
  const lateRefusal = await refusalOf(key, { handoffId: late.handoffId, rating: 1 });
  expect(lateRefusal).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('14 days'),
  });
  const change = await refusalOf(key, { handoffId: given.handoffId, rating: 1 });
  expect(change).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('final') });
  expect(await rate(given.handoffId, 4, 'Good')).toMatchObject({ rating: 4 });
});

test('the end user is asked only if the project asks and an agent who had claimed the handoff resolves it', async () => {
  const { system } = service;
  const open = await claimedConversation(service, projectId);
  const returned = await claimedConversation(service, projectId);
  await returnToAssistant(system, { handoffId: returned.handoffId });
  const waiting = await claimedConversation(service, projectId, undefined, { isClaimed: false });
  await resolveHandoff(system, { handoffId: waiting.handoffId });
  await updateProject(system, { id: projectId, asksForSatisfaction: false });
  const unasked = await resolved();
  for (const { handoffId } of [open, returned, waiting, unasked]) {
    expect((await refusalOf(key, { handoffId, rating: 5 })).code).toBe('CONFLICT');
  }
  await updateProject(system, { id: projectId, asksForSatisfaction: true });
  const asked = await resolved();
  await rate(asked.handoffId, 3);
  await updateProject(system, { id: projectId, asksForSatisfaction: false });
  expect((await refusalOf(key, { handoffId: asked.handoffId, rating: 5 })).code).toBe('CONFLICT');
  const query = `query ($id: ID!) { handoffs(projectId: $id, first: 9) { edges { node { id satisfaction { rating } } } } }`;
  const { handoffs } = await agent.data<{
    handoffs: { edges: { node: { id: string; satisfaction: object | null } }[] };
  }>(query, { id: projectId });
  expect(handoffs.edges.filter(({ node }) => node.satisfaction !== null)).toEqual([
    { node: { id: asked.handoffId, satisfaction: { rating: 3 } } },
  ]);
});

test('a reopened conversation keeps the rating, and the next handoff has one of its own', async () => {
  const { handoffId, conversationId } = await resolved();
  await service.system.db.conversation.update({
    where: { id: conversationId },
    data: { status: 'OPEN' },
  });
  await rate(handoffId, 1);
  await requestHandoff(service.system, { projectId, conversationId });
  await rate(handoffId, 2);
  const next = await claimedConversation(service, projectId, conversationId);
  expect(next.handoffId).not.toBe(handoffId);
  await agent.data(inputMutation('resolveHandoff'), { input: { handoffId: next.handoffId } });
  await rate(next.handoffId, 5);
  expect((await stored(handoffId)).rating).toBe(2);
  expect((await stored(next.handoffId)).rating).toBe(5);
});

test('a rating is 1 to 5, and a comment has at most 2,000 characters', async () => {
  const { handoffId } = await resolved();
  for (const rating of [0, 6, -1]) {
    expect(await refusalOf(key, { handoffId, rating })).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: ['rating must be an integer between 1 and 5'],
    });
  }
  expect((await refusalOf(key, { handoffId, rating: 4.5 })).code).toBeDefined();
  expect((await refusalOf(key, { handoffId, rating: 5, comment: '\0' })).code).toBe(
    'VALIDATION_FAILED',
  );
  expect((await refusalOf(key, { handoffId, rating: 5, comment: 'x'.repeat(2001) })).code).toBe(
    'VALIDATION_FAILED',
  );
  // Even the largest event is below the size limit of a webhook.
  await rate(handoffId, 5, '\u0001'.repeat(2000));
  expect(JSON.stringify(await published()).length).toBeLessThan(20_000);
});

test('lists ratings, latest first, with filters and pages, and counts them', async () => {
  const ids: string[] = [];
  for (const rating of [1, 4, 5]) {
    const { handoffId } = await resolved();
    await rate(handoffId, rating, `<b>${rating}</b>`);
    ids.unshift(handoffId);
  }
  await resolved();
  const query = `query ($id: ID!, $min: Int, $max: Int, $agent: String, $first: Int, $after: String) {
    handoffRatings(projectId: $id, minRating: $min, maxRating: $max, agent: $agent, first: $first, after: $after) {
      edges { node { handoffId comment handoff { conversation { title } } } } pageInfo { endCursor }
    }
  }`;
  interface List {
    handoffRatings: {
      edges: { node: { handoffId: string } }[];
      pageInfo: { endCursor: string };
    };
  }
  const list = async (variables: object) => {
    const data = await agent.data<List>(query, { id: projectId, first: 5, ...variables });
    const { edges, pageInfo } = data.handoffRatings;
    return { ids: edges.map(({ node }) => node.handoffId), after: pageInfo.endCursor };
  };
  expect((await list({})).ids).toEqual(ids);
  expect((await list({ min: 4 })).ids).toEqual(ids.slice(0, 2));
  expect((await list({ max: 3 })).ids).toEqual(ids.slice(2));
  const { agent: email } = await stored(ids[0] ?? '');
  expect((await list({ agent: email.toUpperCase() })).ids).toEqual(ids);
  expect((await list({ agent: 'nobody@example.com' })).ids).toEqual([]);
  const { after } = await list({ first: 2 });
  expect((await list({ first: 2, after })).ids).toEqual(ids.slice(2));

  const figures = `query ($organizationId: ID!, $projectId: ID, $from: DateTime, $to: DateTime) {
    satisfaction(organizationId: $organizationId, projectId: $projectId, from: $from, to: $to) {
      asked ratings satisfied distribution
    }
  }`;
  const { organizationId } = tenant;
  const satisfaction = { asked: 4, ratings: 3, satisfied: 2, distribution: [1, 0, 0, 1, 1] };
  expect(await agent.data(figures, { organizationId })).toEqual({ satisfaction });
  expect(await agent.data(figures, { organizationId, projectId })).toEqual({ satisfaction });
  const yesterday = new Date(Date.now() - dayMs).toISOString();
  const none = { asked: 0, ratings: 0, satisfied: 0, distribution: [0, 0, 0, 0, 0] };
  expect(await agent.data(figures, { organizationId, from: yesterday, to: yesterday })).toEqual({
    satisfaction: none,
  });
  const { projectId: foreign } = await service.createTenant();
  const refused = await agent.send(figures, { organizationId, projectId: foreign });
  expect(refused.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});

test('REST rates, transcripts show when to ask, and never who the agent was', async () => {
  const rest = await tenant.rest();
  const { handoffId, conversationId } = await resolved();
  const transcript = async () => (await rest.get(`/conversations/${conversationId}`)).json();
  expect((await transcript()).handoff.satisfaction).toMatchObject({ rating: null, ratedAt: null });
  const response = await rest.put(`/handoffs/${handoffId}/satisfaction`, { rating: 4 });
  expect(response.status).toBe(200);
  const { handoffId: id, ...record } = await response.json();
  expect(id).toBe(handoffId);
  expect((await transcript()).handoff.satisfaction).toEqual(record);
  expect(JSON.stringify(await transcript())).not.toContain((await stored(handoffId)).agent);
});

test('the setting is audited, and is off by default', async () => {
  const { projectId: id, organizationId } = await service.createTenant();
  const project = await service.system.db.project.findUniqueOrThrow({ where: { id } });
  expect(project.asksForSatisfaction).toBe(false);
  const input = { id: projectId, asksForSatisfaction: false };
  const admin = await tenant.member('ADMIN');
  const changed = await admin.data(inputMutation('updateProject', 'asksForSatisfaction'), {
    input,
  });
  expect(changed).toEqual({ updateProject: { asksForSatisfaction: false } });
  const entry = await service.system.db.auditEntry.findFirstOrThrow({
    where: { action: 'PROJECT_UPDATED', organizationId: tenant.organizationId },
    orderBy: { id: 'desc' },
  });
  expect(entry.change).toMatchObject({ asksForSatisfaction: false });
  expect(organizationId).not.toBe(tenant.organizationId);
});

test('exports of the end user contain the rating, and erasures delete it with its webhook events', async () => {
  const { handoffId, conversationId } = await resolved();
  const { db } = service.system;
  await db.conversation.update({ where: { id: conversationId }, data: { endUserId: 'guest-1' } });
  await rate(handoffId, 1, 'My name is Ada');
  const endUser = { projectId, endUserId: 'guest-1' };
  const { conversations } = await exportEndUser(service.system, endUser);
  expect(conversations[0]?.handoffs[0]?.satisfaction).toMatchObject({
    rating: 1,
    comment: 'My name is Ada',
  });
  expect(await eraseEndUser(service.system, endUser)).toMatchObject({ satisfaction: 1 });
  expect(await db.handoffSatisfaction.count({ where: { projectId } })).toBe(0);
  expect(await published()).toEqual([]);
});

test('a conversation keeps its latest rating when it is reopened', async () => {
  const { handoffId, conversationId } = await resolved();
  const query = `query ($id: ID!) { conversation(id: $id) { latestRating { handoffId rating } } }`;
  const latest = async () => (await agent.data(query, { id: conversationId })) as object;
  expect(await latest()).toEqual({ conversation: { latestRating: null } });
  await rate(handoffId, 5);
  const input = { projectId, conversationId };
  await agent.data(inputMutation('takeOverConversation'), { input });
  expect(await latest()).toEqual({ conversation: { latestRating: { handoffId, rating: 5 } } });
});
