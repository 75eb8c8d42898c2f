import { beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { executeGraphql, graphql } from '../../src/rest/graphql/execute-graphql.ts';
import { schema } from '../../src/schema/schema.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addConversation, countStatements } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let small: Tenant;
let large: Tenant;
let owner: GraphqlClient;

const sizes = { small: 1, large: 4 };
const ownerId = newId();

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  small = await service.createTenant();
  large = await service.createTenant();
  await fill(small, sizes.small);
  await fill(large, sizes.large);
  owner = graphqlClient(
    service.url,
    await service.token({ role: 'authenticated', sub: ownerId, email: 'owner@example.com' }),
  );
});

/** Creates `size` projects. Each has `size` rows of every kind. */
async function fill(tenant: Tenant, size: number): Promise<void> {
  const { organizationId } = tenant;
  await addMember(organizationId, 'OWNER', ownerId, 'owner@example.com');
  for (let n = 0; n < size; n += 1) {
    await addMember(organizationId, 'VIEWER', newId(), `member-${n}@example.com`);
    if (n > 0) await createProject(service.system, { organizationId, name: `Project ${n}` });
  }
  const { db } = service.system;
  for (const { id } of await db.project.findMany({ where: { organizationId } })) {
    for (let n = 0; n < size; n += 1) await fillProject(tenant, id, n);
  }
}

function addMember(organizationId: string, role: Role, userId: string, email: string) {
  return service.system.db.member.create({
    data: { id: newId(), organizationId, email, userId, role },
  });
}

async function fillProject(tenant: Tenant, projectId: string, n: number): Promise<void> {
  const { db } = service.system;
  const messages = Array.from({ length: 4 }, (_, index) => `Message ${index}`);
  const conversationId = await addConversation(service, projectId, { messages });
  const [, answer] = await db.message.findMany({ where: { conversationId } });
  if (answer === undefined) throw new Error('no answer');
  await db.messageFeedback.create({ data: { messageId: answer.id, projectId, rating: 'UP' } });
  await db.handoff.create({ data: { id: newId(), projectId, conversationId, status: 'RESOLVED' } });
  await tenant.key({ projectId });
  await db.document.create({
    data: {
      id: newId(),
      projectId,
      name: `Document ${n}`,
      sourceType: 'TEXT',
      mimeType: 'text/plain',
      sizeBytes: 1,
      contentHash: '',
    },
  });
  const endpoint = await db.webhookEndpoint.create({
    data: { id: newId(), projectId, url: 'https://example.com/', types: [], secret: 'whsec_x' },
  });
  const event = await db.webhookEvent.create({
    data: { id: newId(), projectId, type: 'document.ready', data: {} },
  });
  await db.webhookDelivery.create({
    data: {
      id: newId(),
      projectId,
      eventId: event.id,
      endpointId: endpoint.id,
      log: { create: { number: 1, sentAt: new Date(), latencyMs: 1 } },
    },
  });
}

/** GraphQL operations, by the data that they read. */
const operations: Record<string, string> = {
  'the projects of an organization with all that is in them': `query ($organizationId: ID!) {
    organization(id: $organizationId) {
      limits { monthlyMessages }
      members { edges { node { email role organization { name } } } }
      projects { edges { node {
        name
        organization { name }
        documents { edges { node { name error { code } } } }
        conversations { edges { node { title handoff { status } } } }
        handoffs { edges { node { status conversation { title } } } }
        apiKeys { edges { node { name } } }
      } } }
    }
  }`,
  'the conversations of a project with messages, feedback and handoff': `query ($projectId: ID!) {
    project(id: $projectId) {
      conversations { edges { node {
        title
        handoff { status }
        messages(last: 2) { edges { node { content citations { quote } feedback { rating } } } pageInfo { hasPreviousPage } }
      } } }
    }
  }`,
  'a list of conversations with their messages': `query ($projectId: ID!) {
    conversations(projectId: $projectId) { edges { node {
      handoff { status }
      messages { edges { node { content feedback { rating } } } }
    } } }
  }`,
  'a list of conversations with their channels, labels, confidence and ratings': `query ($projectId: ID!) {
    conversations(projectId: $projectId) { edges { node {
      channel labels { name } handoff { claimedBy } lowestConfidence answersRatedUp answersRatedDown
    } } }
  }`,
  'a list of handoffs with their conversations and messages': `query ($projectId: ID!) {
    handoffs(projectId: $projectId) { edges { node {
      conversation { title messages(first: 2) { edges { node { content } } } }
    } } }
  }`,
  'a list of deliveries with their logs': `query ($projectId: ID!) {
    webhookDeliveries(projectId: $projectId) { edges { node { eventType log { number } } } }
  }`,
  'the keys of an organization': `query ($organizationId: ID!) {
    apiKeys(organizationId: $organizationId) { edges { node { name } } }
  }`,
  'a page of documents': `query ($projectId: ID!) {
    documentPage(projectId: $projectId) { data { name sizeBytes error { code } } total }
  }`,
  'the memberships of an operator': `{
    me { memberships { organization { projects { edges { node { documents { edges { node { name } } } } } } } } }
  }`,
};

const bounds: Record<string, number> = {
  'the projects of an organization with all that is in them': 26,
  'the conversations of a project with messages, feedback and handoff': 10,
  'a list of conversations with their messages': 8,
  'a list of conversations with their channels, labels, confidence and ratings': 7,
  'a list of handoffs with their conversations and messages': 7,
  'a list of deliveries with their logs': 6,
  'the keys of an organization': 4,
  'a page of documents': 4,
  'the memberships of an operator': 10,
};

describe('the number of statements does not grow with the number of rows for', () => {
  test.each(Object.entries(operations))('%s', async (name, query) => {
    const variables = ({ organizationId, projectId }: Tenant) => ({ organizationId, projectId });
    const countOnce = (tenant: Tenant) =>
      countStatements(service.adapters.pool, () => owner.data(query, variables(tenant)));
    // Uses the lowest of three counts, because other work of the service can add a statement to one of them.
    const count = async (tenant: Tenant) =>
      Math.min(await countOnce(tenant), await countOnce(tenant), await countOnce(tenant));
    const few = await count(small);
    expect(await count(large)).toBe(few);
    expect(few).toBeLessThanOrEqual(bounds[name] ?? 0);
  });
});

test('nested lists contain the rows of their own parent, in order', async () => {
  const { organization } = await owner.data<{
    organization: {
      projects: {
        edges: { node: { id: string; conversations: Conversations } }[];
      };
    };
  }>(
    `query ($id: ID!) {
        organization(id: $id) { projects { edges { node { id conversations(first: 3) { edges { node {
          id projectId messages(last: 3) { edges { node { content } } pageInfo { hasNextPage hasPreviousPage } }
        } } } } } } }
      }`,
    { id: large.organizationId },
  );
  expect(organization.projects.edges).toHaveLength(sizes.large);
  for (const { node: project } of organization.projects.edges) {
    const listed = project.conversations.edges.map(({ node }) => node);
    expect(listed.map(({ projectId }) => projectId)).toEqual(Array(3).fill(project.id));
    const newest = await service.system.db.conversation.findMany({
      where: { projectId: project.id },
      orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
      take: 3,
    });
    expect(listed.map(({ id }) => id)).toEqual(newest.map(({ id }) => id));
    for (const { messages } of listed) {
      expect(messages.edges.map(({ node }) => node.content)).toEqual([
        'Message 1',
        'Message 2',
        'Message 3',
      ]);
      expect(messages.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true });
    }
  }
});

interface Conversations {
  readonly edges: readonly {
    readonly node: {
      readonly id: string;
      readonly projectId: string;
      readonly messages: {
        readonly edges: readonly { readonly node: { readonly content: string } }[];
        readonly pageInfo: object;
      };
    };
  }[];
}

test('a nested list with more than 20,000 entries in total is rejected', async () => {
  const { db } = service.system;
  const { organizationId, projectId } = await service.createTenant();
  const { id: other } = await createProject(service.system, { organizationId, name: 'Other' });
  await db.conversation.createMany({
    data: Array.from({ length: 200 }, (_, n) => ({
      ...{ id: newId(), title: 't' },
      projectId: n % 2 === 0 ? projectId : other,
    })),
  });
  // Runs without HTTP, because the endpoint would refuse the operation.
  const ask = (projects: number) =>
    executeGraphql(
      { schema, context: service.system },
      graphql(`query ($id: ID!, $projects: Int, $first: Int) {
        organization(id: $id) { projects(first: $projects) { edges { node {
          conversations(first: $first) { edges { node { messages(first: $first) { edges { cursor } } } } }
        } } } }
      }`),
      { id: organizationId, projects, first: 100 },
    );
  await ask(1);
  await expect(ask(2)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});
