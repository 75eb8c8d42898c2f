import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addConversation, countStatements } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;
let operator: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  projectId = tenant.projectId;
  operator = await tenant.member('VIEWER');
});

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

/** The query of the dashboard's conversation list. */
const overview = `query Overview(
  $projectId: ID!, $status: ConversationStatus, $endUserId: String, $search: String, $from: DateTime,
  $to: DateTime, $after: String
) {
  conversations(
    projectId: $projectId, status: $status, endUserId: $endUserId, search: $search, from: $from, to: $to,
    first: 50, after: $after
  ) {
    edges {
      cursor
      node {
        id projectId status endUserId title messageCount lastMessageAt createdAt updatedAt
        handoff { id status email name reason requestedAt claimedAt resolvedAt }
        messages(last: 1) { edges { node { id role status content createdAt } } }
      }
    }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

interface Listed {
  readonly id: string;
  readonly handoff: { readonly reason: string } | null;
  readonly messages: Connection<{ readonly content: string }>;
}

async function listed(client: GraphqlClient, variables: object): Promise<Listed[]> {
  const { conversations } = await client.data<{ conversations: Connection<Listed> }>(
    overview,
    variables,
  );
  return conversations.edges.map(({ node }) => node);
}

test('an operator sees each conversation with its last message and latest handoff', async () => {
  const own = await service.createTenant();
  const viewer = await own.member('VIEWER');
  const { projectId } = own;
  const quiet = await addConversation(service, projectId, { messages: ['First', 'Last'] });
  const handed = await addConversation(service, projectId, {
    status: 'HANDOFF_REQUESTED',
    endUserId: 'customer-1',
    lastMessageAt: new Date('2026-11-02T10:00:00Z'),
    messages: ['A person please'],
  });
  for (const [reason, day] of [
    ['later', 3],
    ['earlier', 2],
  ] as const) {
    const requestedAt = new Date(Date.UTC(2026, 10, day));
    await service.system.db.handoff.create({
      data: {
        id: newId(),
        projectId,
        conversationId: handed,
        reason,
        requestedAt,
        status: 'RESOLVED',
      },
    });
  }
  const shown = (await listed(viewer, { projectId })).map(({ id, handoff, messages }) => [
    id,
    messages.edges.map(({ node }) => node.content).join(),
    handoff?.reason ?? null,
  ]);
  expect(shown).toEqual([
    [quiet, 'Last', null],
    [handed, 'A person please', 'later'],
  ]);
  const filter = {
    status: 'HANDOFF_REQUESTED',
    endUserId: 'customer-1',
    search: 'PERSON',
    from: '2026-11-02T10:00:00.000Z',
    to: '2026-11-02T11:00:00+01:00',
  };
  const found = await listed(viewer, { projectId, ...filter });
  expect(found.map(({ id }) => id)).toEqual([handed]);
});

test('the messages of a conversation are limited to one hundred per page, and more are refused', async () => {
  const many = Array.from({ length: 120 }, (_, n) => `Message ${n + 1}`);
  const id = await addConversation(service, projectId, { messages: many });
  const queryOf = (args: string) =>
    `query ($id: ID!) { conversation(id: $id) { messages(${args}) { edges { node { content } } } } }`;
  const { conversation } = await operator.data<{
    conversation: { messages: Connection<{ content: string }> };
  }>(queryOf('first: 100'), { id });
  const contents = conversation.messages.edges.map(({ node }) => node.content);
  expect(contents).toEqual(many.slice(0, 100));
  for (const name of ['first', 'last']) {
    for (const size of [101, -1]) {
      const { errors } = await operator.send(queryOf(`${name}: ${size}`), { id });
      expect(errors).toMatchObject([
        {
          message: `${name} must be an integer between 0 and 100`,
          extensions: { code: 'VALIDATION_FAILED' },
        },
      ]);
    }
  }
});

interface Transcript {
  readonly messages: readonly { readonly content: string }[];
  readonly handoff: object | null;
}

test('a transcript contains all messages in order, in four statements', async () => {
  const contents = Array.from({ length: 500 }, (_, n) => `Message ${n + 1}`);
  const conversationId = await addConversation(service, projectId, { messages: contents });
  const root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  let transcript: Transcript | undefined;
  const read = async () => {
    ({ transcript } = await root.data<{ transcript: Transcript }>(
      `query ($projectId: ID!, $conversationId: ID!) {
        transcript(projectId: $projectId, conversationId: $conversationId) {
          id messages { content citations { quote } } handoff { id }
        }
      }`,
      { projectId, conversationId },
    ));
  };
  expect(await countStatements(service.adapters.pool, read)).toBe(4);
  expect(transcript?.messages.map(({ content }) => content)).toEqual(contents);
  expect(transcript?.handoff).toBeNull();
});

test('every invalid filter is named', async () => {
  const { errors } = await operator.send(
    `query ($projectId: ID!, $search: String, $endUserId: String) {
      conversationPage(
        projectId: $projectId, search: $search, endUserId: $endUserId, page: 0, limit: 101,
        from: "0000-12-31T23:59:59Z"
      ) { total }
    }`,
    { projectId, search: 's'.repeat(256), endUserId: '' },
  );
  expect(errors?.[0]?.extensions.messages?.toSorted()).toEqual([
    'endUserId must not be empty',
    'from must be in the year 1 or later',
    'limit must be an integer between 1 and 100',
    'page must be an integer between 1 and 1000000',
    'search must be at most 255 characters',
  ]);
});
