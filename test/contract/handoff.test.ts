import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { ConversationStatus } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let baseUrl: string;
let tenant: Tenant;
let client: RestClient;
let key: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  baseUrl = `${service.url}/api/v1`;
  tenant = await service.createTenant();
  key = await tenant.key({ scopes: ['CHAT'] });
  client = restClient(baseUrl, key);
});

async function startConversation(
  status: ConversationStatus = 'OPEN',
  projectId = tenant.projectId,
): Promise<string> {
  const { id } = await service.system.db.conversation.create({
    data: { id: newId(), projectId, status, title: 'Refunds' },
  });
  return id;
}

function findConversation(answer: {
  readonly conversationId: string;
}): Promise<{ status: string }> {
  return service.system.db.conversation.findUniqueOrThrow({ where: { id: answer.conversationId } });
}

describe('POST /handoff', () => {
  test('returns 201 with the handoff, and the conversation waits for an agent', async () => {
    const conversationId = await startConversation();
    const response = await client.post('/handoff', {
      conversationId,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      reason: 'The refund has not arrived.',
    });
    expect(response.status).toBe(201);
    const answer = await response.json();
    expect(answer).toEqual({
      handoffId: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      conversationId,
      status: 'HANDOFF_REQUESTED',
      requestedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await findConversation(answer)).toMatchObject({ status: 'HANDOFF_REQUESTED' });
    const handoff = await service.system.db.handoff.findUnique({ where: { id: answer.handoffId } });
    expect(handoff).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      reason: 'The refund has not arrived.',
    });
  });

  test('returns 200 with the same body while the handoff is open', async () => {
    const conversationId = await startConversation();
    const first = await (await client.post('/handoff', { conversationId })).json();
    const again = await client.post('/handoff', { conversationId, email: 'new@example.com' });
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(first);
  });

  test('returns the status HUMAN after an agent has claimed the conversation', async () => {
    const conversationId = await startConversation();
    const first = await (await client.post('/handoff', { conversationId })).json();
    const { pool } = service.adapters;
    await pool.query(
      `update grounded.handoffs set status = 'CLAIMED', claimed_at = now() where id = $1`,
      [first.handoffId],
    );
    await pool.query(`update grounded.conversations set status = 'HUMAN' where id = $1`, [
      conversationId,
    ]);
    const again = await client.post('/handoff', { conversationId });
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual({ ...first, status: 'HUMAN' });
    expect(await findConversation(first)).toMatchObject({ status: 'HUMAN' });
  });
});

const sheepEmoji = '\u{1f411}';
const longDomain = `${`${'d'.repeat(59)}.`.repeat(4)}com`;
const longAddress = (length: number) =>
  `${'a'.repeat(length - longDomain.length - 1)}@${longDomain}`;

const anAddress = 'must be an e-mail address';
const notBlank = 'must not be blank';

const invalid: [string, Record<string, unknown>, string[]][] = [
  ['an address that is none', { email: 'ada' }, [`email ${anAddress}`]],
  ['an empty address', { email: '' }, [`email ${anAddress}`]],
  ['a long address', { email: longAddress(255) }, ['email must be at most 254 characters']],
  ['a long text that is no address', { email: 'a'.repeat(300) }, [`email ${anAddress}`]],
  ['a blank name', { name: ' \n' }, [`name ${notBlank}`]],
  ['a long name', { name: sheepEmoji.repeat(201) }, ['name must be at most 200 characters']],
  ['a long reason', { reason: 'r'.repeat(2001) }, ['reason must be at most 2000 characters']],
  [
    'several at once, NUL and half a character among them',
    { email: 'no@', name: `${'n'.repeat(201)}\0`, reason: '\ud83d' },
    [
      `email ${anAddress}`,
      'name must not contain NUL characters',
      'reason must be well-formed Unicode',
    ],
  ],
];

const unknown = { conversationId: newId() };

const requestHandoff = `mutation ($input: RequestHandoffInput!) {
  requestHandoff(input: $input) { id status isNew email name reason requestedAt claimedBy }
}`;

test.each(invalid)('rejects %s', async (_what, input, messages) => {
  const { errors } = await graphqlClient(service.url, key).send(requestHandoff, {
    input: { ...unknown, ...input },
  });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', messages });
});

test('both accept texts of maximum length, counted in characters after NFC', async () => {
  const input = {
    name: 'e\u0301'.repeat(200),
    reason: sheepEmoji.repeat(2000),
    email: longAddress(254),
  };
  const conversationId = await startConversation();
  expect((await client.post('/handoff', { conversationId, ...input })).status).toBe(201);
  const other = await startConversation();
  const { errors } = await graphqlClient(service.url, key).send(requestHandoff, {
    input: { conversationId: other, ...input },
  });
  expect(errors).toBeUndefined();
  const stored = await service.system.db.handoff.findMany({
    where: { conversationId: { in: [conversationId, other] } },
    select: { name: true, reason: true, email: true },
  });
  const normalized = { ...input, name: 'é'.repeat(200) };
  expect(stored).toEqual([normalized, normalized]);
});

test.each([
  ['ada@example.com', true],
  ["o'brien+orders_7@mail.example.co.uk", true],
  ['{ada}|`!#$%&*/=?^~-@example.com', true],
  [`${'a'.repeat(64)}@example.com`, true],
  ['ada@xn--bcher-kva.xn--p1ai', true],
  ['ADA@EXAMPLE.COM', true],
  [`${'a'.repeat(65)}@example.com`, false],
  [`ada@${'a'.repeat(64)}.com`, false],
  ['ada@localhost', false],
  ['ada@example.com.', false],
  ['ada@-example.com', false],
  ['.ada@example.com', false],
  ['ada..lovelace@example.com', false],
  ['ada.@example.com', false],
  ['ada@@example.com', false],
  ['ada lovelace@example.com', false],
  ['ada@example.com\n', false],
  ['Ada <ada@example.com>', false],
  ['ada@127.0.0.1', false],
  ['@example.com', false],
])('REST and GraphQL agree on the address %j: %s', async (email, isTaken) => {
  const { status } = await client.post('/handoff', { ...unknown, email });
  expect(status).toBe(isTaken ? 404 : 400);
  const { errors } = await graphqlClient(service.url, key).send(requestHandoff, {
    input: { ...unknown, email },
  });
  expect(errors?.[0]?.extensions.code).toBe(isTaken ? 'NOT_FOUND' : 'VALIDATION_FAILED');
});

describe('GraphQL', () => {
  let agent: GraphqlClient;

  beforeAll(async () => {
    agent = await tenant.member('AGENT');
  });

  const list = `query ($projectId: ID!, $status: HandoffStatus) {
    handoffs(projectId: $projectId, status: $status) {
      edges { node { id status isNew conversation { id status handoff { id } } } }
    }
  }`;

  interface Handoffs {
    readonly handoffs: {
      readonly edges: readonly { readonly node: { readonly id: string } }[];
    };
  }

  test('an operator requests a handoff, learns whether it is new, and finds it in the list', async () => {
    const conversationId = await startConversation();
    const input = { projectId: tenant.projectId, conversationId, email: null, reason: 'VIP' };
    const variables = { input };
    const { requestHandoff: first } = await agent.data<{ requestHandoff: { id: string } }>(
      requestHandoff,
      variables,
    );
    expect(first).toMatchObject({ status: 'REQUESTED', isNew: true, email: null, reason: 'VIP' });
    const { requestHandoff: again } = await agent.data<{ requestHandoff: object }>(
      requestHandoff,
      variables,
    );
    expect(again).toEqual({ ...first, isNew: false });
    const { projectId } = tenant;
    const { handoffs } = await agent.data<Handoffs>(list, { projectId, status: 'REQUESTED' });
    expect(handoffs.edges[0]?.node).toEqual({
      id: first.id,
      status: 'REQUESTED',
      isNew: false,
      conversation: {
        id: conversationId,
        status: 'HANDOFF_REQUESTED',
        handoff: { id: first.id },
      },
    });
    const resolved = await agent.data<Handoffs>(list, { projectId, status: 'RESOLVED' });
    expect(resolved.handoffs.edges).toEqual([]);
  });
});
