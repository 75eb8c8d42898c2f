import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { addConversation, countStatements } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const query = `query ($projectId: ID!, $id: ID!) {
  conversation(projectId: $projectId, id: $id) { newerConversation { id title } }
}`;
const listQuery = `query ($projectId: ID!) {
  conversations(projectId: $projectId) { edges { node { id newerConversation { id } } } }
}`;

let service: TestService;
let tenant: Tenant;
let projectId: string;
let agent: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  ({ projectId } = tenant);
  agent = await tenant.member('AGENT');
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function newerOf(id: string): Promise<{ id: string; title: string } | null> {
  const { conversation } = await agent.data<{
    conversation: { newerConversation: { id: string; title: string } | null };
  }>(query, { projectId, id });
  return conversation.newerConversation;
}

test('a conversation names the latest one that its end user has started since', async () => {
  const ofMira = { endUserId: 'visitor-mira' };
  const first = await addConversation(service, projectId, { ...ofMira, createdAt: minutesAgo(9) });
  await addConversation(service, projectId, { ...ofMira, createdAt: minutesAgo(8) });
  const createdAt = minutesAgo(7);
  const latest = await addConversation(service, projectId, { ...ofMira, createdAt, title: 'Lift' });
  expect(await newerOf(first)).toEqual({ id: latest, title: 'Lift' });
  expect(await newerOf(latest)).toBeNull();
});

test('conversations of others are not those of the end user', async () => {
  const [endUserId, createdAt] = ['mira', minutesAgo(9)];
  const id = await addConversation(service, projectId, { endUserId, createdAt });
  const nameless = await addConversation(service, projectId, { createdAt });
  await addConversation(service, projectId, { endUserId: 'noor' });
  await addConversation(service, projectId, { endUserId, isEndUserVerified: true });
  await addConversation(service, projectId);
  await addConversation(service, (await service.createTenant()).projectId, { endUserId });
  expect(await newerOf(id)).toBeNull();
  expect(await newerOf(nameless)).toBeNull();
});

test('is read for all conversations of a list together', async () => {
  const add = (endUserId: string) => addConversation(service, projectId, { endUserId });
  const statements = () =>
    countStatements(service.adapters.pool, () => agent.data(listQuery, { projectId }));
  const older = await add('a');
  const newer = await add('a');
  await statements();
  const few = await statements();
  for (const endUserId of ['b', 'b', 'c', 'c', 'd', 'd']) await add(endUserId);
  expect(await statements()).toBe(few);
  const { conversations } = await agent.data<{
    conversations: { edges: { node: { id: string; newerConversation: object | null } }[] };
  }>(listQuery, { projectId });
  const nodes = conversations.edges.map(({ node }) => node);
  expect(nodes.find(({ id }) => id === older)?.newerConversation).toEqual({ id: newer });
});
