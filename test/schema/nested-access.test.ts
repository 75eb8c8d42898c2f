import { isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { schema } from '../../src/schema/schema.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addConversation } from '../support/conversations.ts';
import { insertQuestionSet } from '../support/evaluation/evaluation.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const everyone: readonly Role[] = Object.values(Role);

/** For each nested field with a permission of its own: the roles that may read it, and a query that selects it. */
const nested: Record<string, { readonly roles: readonly Role[]; readonly query: string }> = {
  'Organization.members': {
    roles: everyone,
    query: 'organization(id: $organizationId) { members { edges { node { email } } } }',
  },
  'Organization.projects': {
    roles: everyone,
    query: 'organization(id: $organizationId) { projects { edges { node { id } } } }',
  },
  'Organization.auditLog': {
    roles: ['OWNER'],
    query: 'organization(id: $organizationId) { auditLog { edges { node { id } } } }',
  },
  'Project.documents': {
    roles: everyone,
    query: 'project(id: $projectId) { documents { edges { node { id } } } }',
  },
  'Document.earlierDuplicate': {
    roles: everyone,
    query: 'documents(projectId: $projectId) { edges { node { earlierDuplicate { id } } } }',
  },
  'Project.conversations': {
    roles: everyone,
    query: 'project(id: $projectId) { conversations { edges { node { id } } } }',
  },
  'Project.handoffs': {
    roles: everyone,
    query: 'project(id: $projectId) { handoffs { edges { node { id } } } }',
  },
  'Project.apiKeys': {
    roles: ['OWNER', 'ADMIN'],
    query: 'project(id: $projectId) { apiKeys { edges { node { id } } } }',
  },
  'Project.inboxCursor': {
    roles: everyone,
    query: 'project(id: $projectId) { inboxCursor }',
  },
  'Project.widget': {
    roles: ['OWNER', 'ADMIN'],
    query: 'project(id: $projectId) { widget { publishableKey } }',
  },
  'Conversation.messages': {
    roles: everyone,
    query: 'conversation(id: $conversationId) { messages { edges { node { id } } } }',
  },
  'Conversation.labels': {
    roles: everyone,
    query: 'conversation(id: $conversationId) { labels { id } }',
  },
  'Conversation.newerConversation': {
    roles: everyone,
    query: 'conversation(id: $conversationId) { newerConversation { id } }',
  },
  'Conversation.latestRating': {
    roles: everyone,
    query: 'conversation(id: $conversationId) { latestRating { rating } }',
  },
  'Message.trace': {
    roles: ['OWNER', 'ADMIN', 'AGENT'],
    query:
      'conversation(id: $conversationId) { messages { edges { node { trace { decision { reasons } } } } } }',
  },
  'EvaluationResult.trace': {
    roles: ['OWNER', 'ADMIN', 'AGENT'],
    query:
      'evaluationResultPage(id: $runId, projectId: $projectId) { data { trace { decision { reasons } } } }',
  },
  'Message.cost': {
    roles: everyone,
    query: 'conversation(id: $conversationId) { messages { edges { node { cost { amount } } } } }',
  },
  'Conversation.cost': {
    roles: everyone,
    query: 'conversation(id: $conversationId) { cost { amount } }',
  },
  'WebhookDelivery.body': {
    roles: ['OWNER', 'ADMIN'],
    query: 'webhookDeliveries(projectId: $projectId) { edges { node { body } } }',
  },
  'Analytics.weakAnswers': {
    roles: everyone,
    query: 'analytics(projectId: $projectId) { weakAnswers { messageId } }',
  },
  'Analytics.byAgent': {
    roles: everyone,
    query: 'analytics(projectId: $projectId) { byAgent { agent } }',
  },
  'Analytics.byTopic': {
    roles: everyone,
    query: 'analytics(projectId: $projectId) { byTopic { name } }',
  },
  'HandoffSatisfaction.handoff': {
    roles: everyone,
    query: 'handoffRatings(projectId: $projectId) { edges { node { handoff { id } } } }',
  },
  'Conversation.lowestConfidence': {
    roles: everyone,
    query: 'conversation(id: $conversationId) { lowestConfidence }',
  },
  'Conversation.answersRatedUp': {
    roles: everyone,
    query: 'conversation(id: $conversationId) { answersRatedUp }',
  },
  'Conversation.answersRatedDown': {
    roles: everyone,
    query: 'conversation(id: $conversationId) { answersRatedDown }',
  },
  'Handoff.conversation': {
    roles: everyone,
    query: 'handoffs(projectId: $projectId) { edges { node { conversation { id } } } }',
  },
};

let service: TestService;
let tenant: Tenant;
let conversationId: string;
let runId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  const { projectId } = tenant;
  conversationId = await addConversation(service, projectId, { messages: ['A person please'] });
  await tenant.key();
  ({ runId } = await insertQuestionSet(service.system.db, projectId, 'DONE'));
  await service.system.db.handoff.create({ data: { id: newId(), projectId, conversationId } });
});

async function codeOf(client: GraphqlClient, query: string): Promise<string | null> {
  const { organizationId, projectId } = tenant;
  const used = Object.entries({ organizationId, projectId, conversationId, runId }).filter(
    ([name]) => query.includes(`$${name}`),
  );
  const declared = used.map(([name]) => `$${name}: ID!`).join(', ');
  const { errors } = await client.send(
    `query (${declared}) { ${query} }`,
    Object.fromEntries(used),
  );
  return errors?.[0]?.extensions.code ?? null;
}

test('the table names every nested field that has a permission of its own', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const ruled = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter((type) => !roots.includes(type))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter(({ extensions }) => hasRule(extensions.pothosOptions))
        .map((field) => `${type.name}.${field.name}`),
    );
  expect(ruled.sort()).toEqual(Object.keys(nested).sort());
});

function hasRule(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'authScopes' in options;
}

describe.each(Object.entries(nested))('%s', (_name, { roles, query }) => {
  test.each(everyone)('for an operator with the role %s', async (role) => {
    expect(await codeOf(await tenant.member(role), query)).toBe(
      roles.includes(role) ? null : 'FORBIDDEN',
    );
  });

  test('returns nothing to an operator without membership', async () => {
    const stranger = await (await service.createTenant()).member('OWNER');
    expect(await codeOf(stranger, query)).toBe('NOT_FOUND');
  });
});

test('a key that requests a handoff reads its conversation only with the required scope', async () => {
  const ask = async (scopes: readonly ('CHAT' | 'CONVERSATIONS_READ')[]) => {
    const client = await tenant.graphql({ scopes });
    const { errors } = await client.send(
      `mutation ($id: ID!) {
        requestHandoff(input: {conversationId: $id}) { conversation { messages { edges { node { content } } } } }
      }`,
      { id: conversationId },
    );
    return errors?.[0]?.extensions.code ?? null;
  };
  expect(await ask(['CHAT'])).toBe('SCOPE_MISSING');
  expect(await ask(['CHAT', 'CONVERSATIONS_READ'])).toBeNull();
});

test('an admin of one organization reads keys there, and not where the same person is a viewer', async () => {
  const other = await service.createTenant();
  const sub = newId();
  const email = `${sub}@example.com`;
  for (const [organizationId, role] of [
    [tenant.organizationId, 'VIEWER'],
    [other.organizationId, 'OWNER'],
  ] as const) {
    await service.system.db.member.create({
      data: { id: newId(), organizationId, email, userId: sub, role },
    });
  }
  const client = graphqlClient(
    service.url,
    await service.token({ role: 'authenticated', sub, email }),
  );
  await other.key();
  const { data, errors } = await client.send(
    `query ($mine: ID!, $theirs: ID!) {
      mine: project(id: $mine) { apiKeys { edges { node { id } } } }
      theirs: project(id: $theirs) { apiKeys { edges { node { id } } } }
    }`,
    { mine: other.projectId, theirs: tenant.projectId },
  );
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  expect(data).toEqual({
    mine: { apiKeys: { edges: [{ node: { id: expect.any(String) } }] } },
    theirs: null,
  });
});
