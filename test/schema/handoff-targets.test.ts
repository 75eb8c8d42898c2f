import { beforeAll, beforeEach, expect, test } from 'vitest';
import { claimHandoff } from '../../src/domain/handoff/claim-handoff.ts';
import { releaseHandoff } from '../../src/domain/handoff/release-handoff.ts';
import { replyToConversation } from '../../src/domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { takeOverConversation } from '../../src/domain/handoff/take-over-conversation.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { addConversation } from '../support/conversations.ts';

import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;
let admin: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  ({ projectId } = tenant);
  admin = await tenant.member('ADMIN');
});

const update = `mutation ($input: UpdateProjectInput!) {
  updateProject(input: $input) { handoffTargets { firstReplyMinutes resolutionMinutes } }
}`;

async function setTargets(handoffTargets: object, assistant?: object): Promise<object> {
  const input = { id: projectId, handoffTargets, assistant };
  const data = await admin.data<{ updateProject: { handoffTargets: object } }>(update, { input });
  return data.updateProject.handoffTargets;
}

async function request(): Promise<{ conversationId: string; handoffId: string }> {
  const conversationId = await addConversation(service, projectId);
  const { id } = await requestHandoff(service.system, { projectId, conversationId });
  return { conversationId, handoffId: id };
}

interface Clocks {
  readonly requestedAt: string;
  readonly isRequested: boolean;
  readonly firstReplyAt: string | null;
  readonly firstReplyDueAt: string | null;
  readonly resolutionDueAt: string | null;
}

async function readClocks(client = admin): Promise<Clocks[]> {
  const query = `query ($projectId: ID!) { handoffs(projectId: $projectId, first: 10) { edges { node {
    requestedAt isRequested firstReplyAt firstReplyDueAt resolutionDueAt } } } }`;
  const { handoffs } = await client.data<{ handoffs: { edges: { node: Clocks }[] } }>(query, {
    projectId,
  });
  return handoffs.edges.map(({ node }) => node);
}

const minutesAfter = (start: string | undefined, end: string | null | undefined) =>
  (Date.parse(end ?? '') - Date.parse(start ?? '')) / 60_000;

test('a project has no targets by default, null removes one, and the audit log records changes', async () => {
  expect(await setTargets({})).toEqual({ firstReplyMinutes: null, resolutionMinutes: null });
  const targets = { firstReplyMinutes: 30, resolutionMinutes: 480 };
  expect(await setTargets(targets)).toEqual(targets);
  expect(await setTargets({ firstReplyMinutes: null })).toEqual({
    ...targets,
    firstReplyMinutes: null,
  });
  const { change } = await service.system.db.auditEntry.findFirstOrThrow({
    where: { organizationId: tenant.organizationId, action: 'PROJECT_UPDATED' },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  expect(change).toMatchObject({ handoffTargets: { firstReplyMinutes: null } });
});

test.each([
  [{ firstReplyMinutes: 0 }, 'handoffTargets.firstReplyMinutes'],
  [{ resolutionMinutes: 43_201 }, 'handoffTargets.resolutionMinutes'],
])('refuses %j and names the field', async (handoffTargets, field) => {
  const { errors } = await admin.send(update, { input: { id: projectId, handoffTargets } });
  expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
  expect(JSON.stringify(errors)).toContain(field);
});

test('a request has due times by the targets of its time, and later changes do not move them', async () => {
  await request();
  await setTargets({ firstReplyMinutes: 30, resolutionMinutes: 480 });
  await request();
  await setTargets({ firstReplyMinutes: 1, resolutionMinutes: null });
  const [latest, first] = await readClocks();
  expect(first).toMatchObject({ firstReplyDueAt: null, resolutionDueAt: null, isRequested: true });
  expect(minutesAfter(latest?.requestedAt, latest?.firstReplyDueAt)).toBe(30);
  expect(minutesAfter(latest?.requestedAt, latest?.resolutionDueAt)).toBe(480);
});

test('only business hours count', async () => {
  const closed = { timeZone: 'UTC', weekly: [] };
  await setTargets({ firstReplyMinutes: 30 }, { businessHours: closed });
  await request();
  const day = new Date(Date.now() + 2 * 86_400_000);
  const name = day.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toUpperCase();
  const weekly = [{ day: name, from: '09:00', to: '17:00' }];
  await setTargets({}, { businessHours: { timeZone: 'UTC', weekly } });
  await request();
  const [inTwoDays, never] = await readClocks();
  expect(never?.firstReplyDueAt).toBeNull();
  expect(inTwoDays?.firstReplyDueAt).toBe(`${day.toISOString().slice(0, 10)}T09:30:00.000Z`);
});

test('the first reply counts, also of two at once, and later replies, releases and claims keep it', async () => {
  await setTargets({ firstReplyMinutes: 30 });
  const { conversationId, handoffId } = await request();
  await claimHandoff(service.system, { handoffId });
  expect((await readClocks())[0]?.firstReplyAt).toBeNull();
  const reply = () => replyToConversation(service.system, { conversationId, content: 'Hello' });
  const replies = await Promise.all([reply(), reply()]);
  const first = replies.toSorted((a, b) => a.position - b.position)[0]?.createdAt.toISOString();
  const [before] = await readClocks();
  expect(before?.firstReplyAt).toBe(first);
  await releaseHandoff(service.system, { handoffId });
  await claimHandoff(service.system, { handoffId });
  await reply();
  await resolveHandoff(service.system, { handoffId });
  expect(await readClocks()).toEqual([before]);
});

test('a conversation that is handed over again has new clocks', async () => {
  await setTargets({ firstReplyMinutes: 30 });
  const { conversationId, handoffId } = await request();
  await claimHandoff(service.system, { handoffId });
  await replyToConversation(service.system, { conversationId, content: 'Hello' });
  await resolveHandoff(service.system, { handoffId });
  await requestHandoff(service.system, { projectId, conversationId });
  const [second, first] = await readClocks();
  expect(first?.firstReplyAt).not.toBeNull();
  expect(second?.firstReplyAt).toBeNull();
  expect(minutesAfter(second?.requestedAt, second?.firstReplyDueAt)).toBe(30);
});

test('a conversation that is taken over without a request has no due times', async () => {
  await setTargets({ firstReplyMinutes: 30, resolutionMinutes: 60 });
  const conversationId = await addConversation(service, projectId);
  await takeOverConversation(service.system, { conversationId });
  const withoutTargets = { isRequested: false, firstReplyDueAt: null, resolutionDueAt: null };
  expect(await readClocks()).toEqual([expect.objectContaining(withoutTargets)]);
  const requested = await request();
  await takeOverConversation(service.system, requested);
  const [latest] = await readClocks();
  expect(latest?.isRequested).toBe(true);
  expect(latest?.firstReplyDueAt).not.toBeNull();
});

test('the REST API lists the clocks, and transcripts for end users do not contain them', async () => {
  await setTargets({ firstReplyMinutes: 30, resolutionMinutes: 60 });
  const { conversationId } = await request();
  const client = await tenant.rest();
  const { data } = await (await client.get('/handoffs')).json();
  const [{ firstReplyAt, firstReplyDueAt, resolutionDueAt }] = (await readClocks()) as [Clocks];
  expect(data).toEqual([
    expect.objectContaining({ firstReplyAt, firstReplyDueAt, resolutionDueAt }),
  ]);
  const transcript = await (await client.get(`/conversations/${conversationId}`)).json();
  expect(transcript.handoff).not.toHaveProperty('firstReplyDueAt');
});

test('overdue handoffs are open and past the due time of the first reply or of the resolution', async () => {
  await setTargets({ firstReplyMinutes: 30, resolutionMinutes: 480 });
  const [unanswered, answered, unresolved, resolved] = await Promise.all([
    request(),
    request(),
    request(),
    request(),
  ]);
  await request();
  const past = new Date(Date.now() - 60_000);
  const { db } = service.system;
  const change = (handoffId: string, data: object) =>
    db.handoff.update({ where: { id: handoffId, projectId }, data });
  await change(unanswered.handoffId, { firstReplyDueAt: past });
  await change(answered.handoffId, { firstReplyDueAt: past, firstReplyAt: past });
  await change(unresolved.handoffId, { resolutionDueAt: past, firstReplyAt: past });
  await change(resolved.handoffId, { resolutionDueAt: past });
  await claimHandoff(service.system, { handoffId: resolved.handoffId });
  await resolveHandoff(service.system, { handoffId: resolved.handoffId });
  const { handoffs } = await admin.data<{ handoffs: { edges: { node: { id: string } }[] } }>(
    `query ($projectId: ID!) {
      handoffs(projectId: $projectId, isOverdue: true, first: 10) { edges { node { id } } }
    }`,
    { projectId },
  );
  const ids = handoffs.edges.map(({ node }) => node.id);
  expect(new Set(ids)).toEqual(new Set([unanswered.handoffId, unresolved.handoffId]));
});
