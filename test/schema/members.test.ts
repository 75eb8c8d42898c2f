import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { claimedConversation } from '../support/pages/reply-drafts.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let root: GraphqlClient;
let organizationId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  ({ organizationId } = await service.createTenant());
});

async function operator(email: string): Promise<GraphqlClient> {
  const token = await service.token({ role: 'authenticated', sub: newId(), email });
  return graphqlClient(service.url, token);
}

function change(client: GraphqlClient, name: string, email: string, role?: Role) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return client.send(`mutation ($input: ${type}!) { ${name}(input: $input) { email role } }`, {
    input: { organizationId, email, role },
  });
}

const codeOf = async (answer: ReturnType<typeof change>) =>
  (await answer).errors?.[0]?.extensions.code;

test('an invited operator is a member from the first sign-in, and has no access after the removal', async () => {
  const ada = await operator('Ada@example.com');
  const read = () =>
    ada.send('query ($id: ID!) { organization(id: $id) { name } }', { id: organizationId });
  expect((await read()).errors?.[0]?.extensions.code).toBe('NOT_FOUND');

  await change(root, 'inviteMember', 'ada@EXAMPLE.com', 'ADMIN');
  expect((await read()).data).toMatchObject({ organization: { name: expect.any(String) } });
  const { me } = await ada.data<{ me: { memberships: object[] } }>(
    '{ me { memberships { role organization { id } } } }',
  );
  expect(me.memberships).toEqual([{ role: 'ADMIN', organization: { id: organizationId } }]);

  await change(root, 'removeMember', 'ada@example.com');
  expect((await read()).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});

test('a removal returns the member with its organization, also to a member who leaves', async () => {
  const fay = await operator('fay@example.com');
  await change(root, 'inviteMember', 'fay@example.com', 'ADMIN');
  const { removeMember } = await fay.data<{ removeMember: object }>(
    `mutation ($input: RemoveMemberInput!) {
      removeMember(input: $input) { email organization { id limits { requestsPerMinute } } }
    }`,
    { input: { organizationId, email: 'fay@example.com' } },
  );
  expect(removeMember).toEqual({
    email: 'fay@example.com',
    organization: {
      id: organizationId,
      limits: { requestsPerMinute: expect.any(Number) },
    },
  });
});

test('duplicate invitations and invalid addresses are rejected', async () => {
  await change(root, 'inviteMember', 'bob@example.com', 'VIEWER');
  expect(await codeOf(change(root, 'inviteMember', 'BOB@example.com', 'AGENT'))).toBe('CONFLICT');
  expect(await codeOf(change(root, 'inviteMember', 'bob', 'AGENT'))).toBe('VALIDATION_FAILED');
  expect(await codeOf(change(root, 'updateMember', 'nobody@example.com', 'AGENT'))).toBe(
    'NOT_FOUND',
  );
});

test('an admin can neither appoint, change nor remove an owner', async () => {
  await change(root, 'inviteMember', 'owner@example.com', 'OWNER');
  await change(root, 'inviteMember', 'admin@example.com', 'ADMIN');
  const admin = await operator('admin@example.com');
  expect(await codeOf(change(admin, 'inviteMember', 'new@example.com', 'OWNER'))).toBe('FORBIDDEN');
  expect(await codeOf(change(admin, 'updateMember', 'admin@example.com', 'OWNER'))).toBe(
    'FORBIDDEN',
  );
  expect(await codeOf(change(admin, 'updateMember', 'owner@example.com', 'VIEWER'))).toBe(
    'FORBIDDEN',
  );
  expect(await codeOf(change(admin, 'removeMember', 'owner@example.com'))).toBe('FORBIDDEN');
  expect(await codeOf(change(admin, 'inviteMember', 'new@example.com', 'AGENT'))).toBeUndefined();
});

test('the last owner remains, even if two owners leave concurrently', async () => {
  await change(root, 'inviteMember', 'second@example.com', 'OWNER');
  const left = await Promise.all(
    ['owner@example.com', 'second@example.com'].map((email) =>
      codeOf(change(root, 'removeMember', email)),
    ),
  );
  expect(left.sort()).toEqual(['CONFLICT', undefined]);
});

test('an operator chooses a display name, which replies keep', async () => {
  const tenant = await service.createTenant();
  const agent = await tenant.member('AGENT');
  const choose = (client: GraphqlClient, displayName: string | null) =>
    client.send(
      'mutation ($input: SetDisplayNameInput!) { setDisplayName(input: $input) { displayName } }',
      { input: { organizationId: tenant.organizationId, displayName } },
    );
  const { conversationId, handoffId } = await claimedConversation(service, tenant.projectId);
  expect(handoffId).toBeDefined();
  const reply = async () => {
    const { replyToConversation } = await agent.data<{ replyToConversation: object }>(
      `mutation ($input: ReplyToConversationInput!) {
        replyToConversation(input: $input) { author authorName }
      }`,
      { input: { conversationId, content: 'Hello' } },
    );
    return replyToConversation;
  };
  expect(await reply()).toMatchObject({ authorName: null });
  expect(await choose(agent, '  Ada  ')).toMatchObject({
    data: { setDisplayName: { displayName: 'Ada' } },
  });
  expect(await reply()).toMatchObject({ authorName: 'Ada' });
  await choose(agent, null);
  const query = `query ($id: ID!) {
    conversation(id: $id) { messages(first: 9) { edges { node { authorName } } } }
  }`;
  const { conversation } = await agent.data<{
    conversation: { messages: { edges: { node: object }[] } };
  }>(query, { id: conversationId });
  expect(conversation.messages.edges.map(({ node }) => node)).toEqual([
    { authorName: null },
    { authorName: 'Ada' },
  ]);
  const { change } = await service.system.db.auditEntry.findFirstOrThrow({
    where: { organizationId: tenant.organizationId, action: 'MEMBER_UPDATED' },
    orderBy: { id: 'asc' },
  });
  expect(change).toEqual({ displayName: 'Ada' });

  const codeOfChoice = async (client: GraphqlClient, name: string) =>
    (await choose(client, name)).errors?.[0]?.extensions.code;
  expect(await codeOfChoice(agent, ' ')).toBe('VALIDATION_FAILED');
  expect(await codeOfChoice(agent, 'a\nb')).toBe('VALIDATION_FAILED');
  expect(await codeOfChoice(root, 'Root')).toBe('NOT_FOUND');
  expect(await codeOfChoice(await operator('stranger@example.com'), 'Eve')).toBe('NOT_FOUND');
});
