import { beforeAll, beforeEach, expect, test } from 'vitest';
import { exportConversations } from '../../src/domain/conversations/export-conversations.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { addConversation } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const requestMutation = `mutation ($input: RequestHandoffInput!) { requestHandoff(input: $input) { id } }`;
const takeOverMutation = `mutation ($input: TakeOverConversationInput!) {
  takeOverConversation(input: $input) { id }
}`;
const listQuery = `query ($projectId: ID!, $search: String) {
  conversations(projectId: $projectId, search: $search) {
    edges { node { id endUserName endUserEmail } }
  }
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

async function listed(search?: string, client = agent) {
  const { conversations } = await client.data<{
    conversations: {
      edges: { node: { id: string; endUserName: string | null; endUserEmail: string | null } }[];
    };
  }>(listQuery, { projectId, search });
  return conversations.edges.map(({ node }) => node);
}
const request = (conversationId: string, contact: object) =>
  agent.data(requestMutation, { input: { projectId, conversationId, ...contact } });

test('a conversation has the contact of its handoff, and the search finds it', async () => {
  const id = await addConversation(service, projectId, { messages: ['Where is my bag?'] });
  await addConversation(service, projectId, { messages: ['Is there a lift?'] });
  expect(await listed('lovelace')).toEqual([]);
  await request(id, { name: 'Ada Lovelace' });
  await request(id, { email: 'ada_l@example.com' });
  const found = { id, endUserName: 'Ada Lovelace', endUserEmail: 'ada_l@example.com' };
  expect(await listed('LOVELACE')).toEqual([found]);
  expect(await listed('a_l@')).toEqual([found]);
  expect(await listed('bag')).toEqual([found]);
  // The underscore is no wildcard.
  expect(await listed('adaxl')).toEqual([]);
});

test('the contact of a later handoff replaces the earlier one, but not that of a verified end user', async () => {
  const id = await addConversation(service, projectId, { endUserName: 'Ada' });
  await request(id, { name: 'Ada King' });
  expect(await listed()).toMatchObject([{ endUserName: 'Ada King', endUserEmail: null }]);

  tenant = await service.createTenant();
  ({ projectId } = tenant);
  agent = await tenant.member('AGENT');
  const verified = { endUserId: '7', isEndUserVerified: true, endUserName: 'Grace' };
  await request(await addConversation(service, projectId, verified), {
    name: 'Somebody',
    email: 'grace@example.com',
  });
  expect(await listed()).toMatchObject([
    { endUserName: 'Grace', endUserEmail: 'grace@example.com' },
  ]);
});

test('a conversation that an agent takes over has the contact of the end user', async () => {
  const endUserId = 'customer-9';
  const first = await addConversation(service, projectId, { endUserId });
  await request(first, { name: 'Ida' });
  const second = await addConversation(service, projectId, { endUserId });
  await agent.data(takeOverMutation, { input: { projectId, conversationId: second } });
  expect((await listed()).map(({ endUserName }) => endUserName)).toEqual(['Ida', 'Ida']);
});

test('exports contain the contact, and other projects neither find nor list it', async () => {
  const id = await addConversation(service, projectId, { messages: ['Hello'] });
  await request(id, { name: 'Mira', email: 'mira@example.com' });
  const exported = [];
  for await (const page of exportConversations(service.system, { projectId, search: 'mira@' })) {
    exported.push(...page);
  }
  expect(exported).toMatchObject([{ endUserName: 'Mira', endUserEmail: 'mira@example.com' }]);

  const other = await service.createTenant();
  projectId = other.projectId;
  expect(await listed('mira', await other.member('OWNER'))).toEqual([]);
});
