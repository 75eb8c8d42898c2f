import { parse, validate } from 'graphql';
import { createClient } from 'graphql-sse';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { schema } from '../../src/schema/schema.ts';
import { exampleOperations } from '../../src/schema/serving/example-operations.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addConversation } from '../support/conversations.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let operator: GraphqlClient;
let key: string;

const cursor = (start: string, end: string) =>
  Buffer.from(`${start}${newId()}${end}`).toString('base64');

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  operator = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  key = await tenant.key();
  await addDocuments(service, tenant.projectId, {
    'Check-out.md':
      '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros an hour.',
  });
});

const ask = `subscription ($input: SendMessageInput!) {
  chat(input: $input) {
    __typename
    ... on ChatMeta { conversationId messageId }
    ... on ChatDelta { text }
    ... on ChatDone { reply { content } }
  }
}`;

test('an operator creates an organization, a project and a key, and the key answers questions', async () => {
  const { createOrganization } = await operator.data<{
    createOrganization: { id: string; plan: string; limits: { requestsPerMinute: number } };
  }>(
    `mutation { createOrganization(input: {name: "New"}) { id plan limits { requestsPerMinute } } }`,
  );
  expect(createOrganization).toMatchObject({
    plan: 'free',
    limits: { requestsPerMinute: expect.any(Number) },
  });
  const { createProject } = await operator.data<{ createProject: { id: string } }>(
    `mutation ($organizationId: ID!) { createProject(input: {organizationId: $organizationId, name: "P"}) { id } }`,
    { organizationId: createOrganization.id },
  );
  const { createApiKey } = await operator.data<{ createApiKey: { secret: string } }>(
    `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }`,
    {
      input: {
        organizationId: createOrganization.id,
        projectId: createProject.id,
        name: 'k',
        scopes: ['CHAT', 'KNOWLEDGE_WRITE', 'KNOWLEDGE_READ'],
      },
    },
  );
  const holder = graphqlClient(service.url, createApiKey.secret);
  const { sendMessage } = await holder.data<{ sendMessage: { content: string; citations: [] } }>(
    `mutation { sendMessage(input: {message: "Anyone?"}) { content citations { chunkId } } }`,
  );
  expect(sendMessage).toMatchObject({
    content: expect.stringContaining("I don't know"),
    citations: [],
  });
});

describe.each(['/graphql', '/graphql/stream'])('a subscription at %s', (path) => {
  const client = () =>
    createClient({
      url: `${service.url}${path}`,
      headers: { Authorization: `Bearer ${key}` },
      retryAttempts: 0,
    });

  test('streams an answer to the graphql-sse client', async () => {
    const events: string[] = [];
    const results = client().iterate({
      query: ask,
      variables: { input: { message: 'Until when is check-out?' } },
    });
    let text = '';
    let content = '';
    for await (const { data, errors } of results) {
      expect(errors).toBeUndefined();
      const chat = (
        data as { chat: { __typename: string; text?: string; reply?: { content: string } } }
      ).chat;
      events.push(chat.__typename);
      text += chat.text ?? '';
      content = chat.reply?.content ?? content;
    }
    expect(events.join(' ')).toMatch(/^ChatMeta ChatSources (ChatDelta )+ChatDone$/);
    expect(text).toBe(content);
    expect(content).toContain('11:00');
  });

  test('that is rejected fails before it opens, with its error code', async () => {
    const input = { message: 'x', conversationId: '01980a3c-0000-7000-8000-000000000000' };
    const results = client().iterate({ query: ask, variables: { input } });
    const { value } = await results.next();
    expect(value.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('input', () => {
  test('every invalid field is named, in one error', async () => {
    const { errors } = await operator.send(
      `mutation ($projectId: ID!) { createDocument(input: {projectId: $projectId, name: " ", content: ""}) { id } }`,
      { projectId: tenant.projectId },
    );
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: ['name must not be blank', 'content must not be blank'],
    });
  });

  test.each([
    ['no base64', '%%%'],
    ['not ours', Buffer.from('GPC:S:nonsense').toString('base64')],
    ['of values of another type', cursor('GPC:T:["S:yesterday","S:', '"]')],
    ['of a time that no calendar has', cursor('GPC:T:["D:99999999999999999","S:', '"]')],
    ['of a year after 9999', cursor('GPC:T:["D:8640000000000000","S:', '"]')],
    ['no tuple', cursor('GPC:T:["D:1","S:', '"')],
  ])('a cursor that is %s is rejected by name', async (_what, after) => {
    const { errors } = await operator.send(
      `query ($projectId: ID!, $after: String) {
        documents(projectId: $projectId, after: $after) { edges { cursor } }
      }`,
      { projectId: tenant.projectId, after },
    );
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: ['after must be a cursor of this list'],
    });
  });

  test('a cursor of a list with another order is rejected', async () => {
    const other = { projectId: tenant.projectId, after: cursor('3:', '') };
    const { errors } = await operator.send(
      `query ($projectId: ID!, $after: String) {
        documents(projectId: $projectId, after: $after) { edges { cursor } }
      }`,
      other,
    );
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: ['after and before must be a cursor of this list'],
    });
  });

  test('paging forward and backward at once is rejected', async () => {
    const place = { projectId: tenant.projectId, place: cursor('GPC:T:["D:1","S:', '"]') };
    const { errors } = await operator.send(
      `query ($projectId: ID!, $place: String) {
        documents(projectId: $projectId, after: $place, before: $place) { edges { cursor } }
      }`,
      place,
    );
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
  });

  test('a timestamp on a nonexistent date is rejected', async () => {
    const { errors } = await operator.send(
      `query ($projectId: ID!) {
        conversations(projectId: $projectId, from: "2026-02-30T00:00:00Z") { edges { cursor } }
      }`,
      { projectId: tenant.projectId },
    );
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
  });

  test('lengths count characters, not bytes', async () => {
    const send = (message: string) =>
      operator.send(
        `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { content } }`,
        {
          input: { projectId: tenant.projectId, message },
        },
      );
    expect((await send('🙂'.repeat(4000))).errors).toBeUndefined();
    expect((await send('🙂'.repeat(4001))).errors?.[0]?.message).toBe(
      'message must be at most 4000 characters',
    );
  });

  test('a document may have its documented maximum size, and a larger request is rejected as too large', async () => {
    const create =
      'mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { name } }';
    const createOf = (content: string) =>
      operator.send(create, { input: { projectId: tenant.projectId, name: 'Long.txt', content } });
    // In JSON, each of these characters needs six bytes.
    const longest = '\x1f'.repeat(999_999);
    expect((await createOf(`a${longest}`)).errors).toBeUndefined();
    expect(await createOf(`ab${longest}`)).toMatchObject({
      errors: [{ extensions: { code: 'VALIDATION_FAILED' } }],
    });
    expect(await createOf('x'.repeat(7_000_000))).toMatchObject({
      status: 413,
      errors: [
        {
          message: 'The body must be at most 6500000 bytes',
          extensions: { code: 'PAYLOAD_TOO_LARGE' },
        },
      ],
    });
  });

  test('a JSON value is not accepted as an uploaded file', async () => {
    const { errors } = await operator.send(
      `mutation ($input: UploadDocumentInput!) { uploadDocument(input: $input) { id } }`,
      {
        input: {
          projectId: tenant.projectId,
          file: { name: 'a.txt', path: '/etc/passwd', sizeBytes: 3, sha256: '', head: [] },
        },
      },
    );
    expect(errors?.[0]?.message).toContain('REST API');
  });
});

describe('limits on one operation', () => {
  const deep = `{ me { memberships { organization { projects { edges { node { assistant { __typename } } } } } } } }`;
  const refused: Record<string, string> = {
    'too deep': `{ me { memberships { ${'organization { projects { edges { node { '.repeat(4)} id ${'} } } } '.repeat(4)} } } }`,
    'too dear': `{ me { memberships { organization { projects(first: 100) { edges { node {
      conversations(first: 100) { edges { node { id title } } } } } } } } } }`,
    'too many aliases': `{ ${Array.from({ length: 40 }, (_, n) => `a${n}: me { id }`).join(' ')} }`,
    'too many tokens': `{ ${'me { id } '.repeat(900)} }`,
  };
  test.each(Object.entries(refused))('reject an operation that is %s', async (_what, query) => {
    const { data, errors } = await operator.send(query);
    expect(errors?.length).toBeGreaterThan(0);
    expect(data ?? null).toBeNull();
  });

  test('accept ordinary nesting', async () => {
    expect((await operator.send(deep)).errors).toBeUndefined();
  });

  test('accept a whole transcript, regardless of the number of fragments', async () => {
    const query = `
      query ($projectId: ID!, $id: ID!) {
        conversation(projectId: $projectId, id: $id) { messages(last: 100) { edges { node { ...M } } } }
      }
      fragment M on Message { id content ...Grounds feedback { ...F } }
      fragment Grounds on Message { citations { ...C } }
      fragment C on Citation { documentName page quote ...Place }
      fragment Place on Citation { chunkId startOffset }
      fragment F on MessageFeedback { rating comment }
    `;
    const { projectId } = tenant;
    const id = await addConversation(service, projectId, { messages: ['Hello', 'Hello'] });
    expect((await operator.send(query, { projectId, id })).errors).toBeUndefined();
  });
});

test('a list is paginated forward by cursor, newest first, without gaps', async () => {
  const other = await service.createTenant();
  const names = Array.from({ length: 5 }, (_, n) => `Document ${n}`);
  for (const name of names) {
    await addDocuments(service, other.projectId, { [name]: `Text of ${name}` });
  }
  const page = (after: string | null) =>
    operator.data<{
      documents: {
        edges: { node: { name: string } }[];
        pageInfo: { endCursor: string; hasNextPage: boolean };
      };
    }>(
      `query ($projectId: ID!, $after: String) {
        documents(projectId: $projectId, first: 2, after: $after) {
          edges { node { name } } pageInfo { endCursor hasNextPage }
        }
      }`,
      { projectId: other.projectId, after },
    );
  const seen: string[] = [];
  let after: string | null = null;
  for (let hasNext = true; hasNext; ) {
    const { documents } = await page(after);
    seen.push(...documents.edges.map(({ node }) => node.name));
    after = documents.pageInfo.endCursor;
    hasNext = documents.pageInfo.hasNextPage;
  }
  expect(seen).toEqual(names.reverse());
});

describe('a token', () => {
  test.each(['', 'nonsense', 'a.b.c', 'sk_short'])('%j is rejected', async (token) => {
    const { errors } = await graphqlClient(service.url, token).send('{ me { id } }');
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  test('with another algorithm, secret or lifetime is rejected', async () => {
    const [header, payload] = (await service.token({ role: 'service_role' })).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const forged of [`${none}.${payload}.`, `${header}.${payload}.AAAA`]) {
      const { errors } = await graphqlClient(service.url, forged).send('{ me { id } }');
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });
});

test('the example operations of GraphiQL are valid', () => {
  expect(validate(schema, parse(exampleOperations))).toEqual([]);
});
