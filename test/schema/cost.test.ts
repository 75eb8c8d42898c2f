import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyDraft } from '../../src/domain/chat/answer-draft.ts';
import { finalizeTurn } from '../../src/domain/chat/finalize-turn.ts';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { startConversation } from '../../src/domain/chat/start-conversation.ts';
import { searchKnowledge } from '../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let admin: GraphqlClient;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  admin = await tenant.member('ADMIN');
});

interface Price {
  readonly model: string;
  readonly kind: string;
  readonly perMillion: number;
  readonly currency: string;
  readonly validFrom?: string;
}

const setPrice = (price: Partial<Price>, client = admin) =>
  client.send(
    'mutation ($input: SetModelPriceInput!) { setModelPrice(input: $input) { model kind perMillion currency validFrom } }',
    { input: { model: 'large', kind: 'INPUT', perMillion: 2, currency: 'EUR', ...price } },
  );

const importPrices = (prices: readonly Partial<Price>[]) =>
  admin.send(
    'mutation ($input: ImportModelPricesInput!) { importModelPrices(input: $input) { model kind perMillion } }',
    { input: { prices } },
  );

const costOf = async (client = admin) =>
  (
    await client.data<{ usage: { cost: { amount: string; currency: string } | null } }>(
      'query ($id: ID!) { usage(organizationId: $id) { cost { amount currency } } }',
      { id: tenant.organizationId },
    )
  ).usage.cost;

/** Milliseconds of a day of the current month, UTC, at midnight. */
function dayOfMonth(day: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), day);
}

const iso = (ms: number) => new Date(ms).toISOString();

/** Returns millionths of a currency as an amount with 6 decimals. */
function amountOf(millionths: bigint): string {
  const digits = String(millionths).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

test('100 answers cost what their tokens cost, also over a change of prices at midnight UTC', async () => {
  const { projectId, organizationId } = tenant;
  await importPrices([
    { model: 'large', kind: 'INPUT', perMillion: 3, currency: 'EUR', validFrom: iso(0) },
    { model: 'large', kind: 'OUTPUT', perMillion: 15, currency: 'EUR', validFrom: iso(0) },
    { model: 'small', kind: 'EMBEDDING', perMillion: 1, currency: 'EUR', validFrom: iso(0) },
    // Any time of the day counts as its start.
    ...(['INPUT', 'OUTPUT'] as const).map((kind) => ({
      ...{ model: 'large', kind, perMillion: kind === 'INPUT' ? 2 : 11, currency: 'EUR' },
      validFrom: iso(dayOfMonth(2) + 80_000_000),
    })),
  ]);
  const project = { id: projectId, organizationId };
  const question = { message: 'Where?', endUserId: null, isResumable: false };
  let expected = 0n;
  let expectedFirstDay = 0n;
  for (let index = 0; index < 100; index += 1) {
    const { turn } = await startConversation(service.system, project, question);
    const isBefore = index % 2 === 0;
    const createdAt = new Date(dayOfMonth(2) - (isBefore ? 1 : 0));
    await service.system.db.message.update({ where: { id: turn.messageId }, data: { createdAt } });
    const [inputTokens, outputTokens, tokens] = [1_000 + index, 7 * index, 13 + index];
    const answer = {
      ...emptyDraft,
      ...({ status: 'COMPLETED', trace: null, chatModel: 'large' } as const),
      usage: { inputTokens, outputTokens },
      searchTokens: [{ model: 'small', kind: 'EMBEDDING', tokens }] as const,
    };
    await finalizeTurn(service.system, { projectId, messageId: turn.messageId }, answer, {
      ...{ seq: 0, events: [] },
    });
    const [input, output] = isBefore ? [3, 15] : [2, 11];
    const cost = BigInt(inputTokens * input + outputTokens * output + tokens);
    expected += cost;
    if (isBefore) expectedFirstDay += cost;
  }
  expect(await costOf()).toEqual({ amount: amountOf(expected), currency: 'EUR' });

  const read = `query ($id: ID!, $projectId: ID!, $from: DateTime, $to: DateTime) {
    usageByDay(organizationId: $id, from: $from, to: $to) { cost { amount } }
    analytics(projectId: $projectId, from: $from, to: $to) {
      cost { total { amount } days { day cost { amount } } models { model kind tokens cost { amount } } }
    }
  }`;
  const range = { from: iso(dayOfMonth(1)), to: iso(dayOfMonth(3)) };
  const { usageByDay, analytics } = await admin.data<{
    usageByDay: { cost: { amount: string } }[];
    analytics: { cost: { total: object; days: object[]; models: { tokens: number }[] } };
  }>(read, { id: organizationId, projectId, ...range });
  const first = { amount: amountOf(expectedFirstDay) };
  const second = { amount: amountOf(expected - expectedFirstDay) };
  expect(usageByDay.map(({ cost }) => cost)).toEqual([first, second, { amount: '0.000000' }]);
  expect(analytics.cost.total).toEqual({ amount: amountOf(expected) });
  expect(analytics.cost.days).toEqual([
    { day: iso(dayOfMonth(1)), cost: first },
    { day: iso(dayOfMonth(2)), cost: second },
  ]);
  expect(analytics.cost.models.map(({ tokens }) => tokens)).toHaveLength(3);
});

test('an answer, its conversation and the organization cost the same; searches are counted, too', async () => {
  const { projectId } = tenant;
  await addDocuments(service, projectId, { 'Hours.md': 'Check-out is until 11:00.' });
  models.script({ deltas: ['Until 11:00 [1].'] });
  const asked = { projectId, message: 'Until when is check-out?' };
  const { conversationId, messageId, usage } = await sendMessage(service.system, asked);
  if (usage === undefined) throw new Error('the answer has no usage');
  const cost = 'cost { amount currency }';
  const read = `query ($id: ID!) { conversation(id: $id) { ${cost} messages(first: 5) { edges { node { id ${cost} } } } } }`;
  const readCosts = async () => {
    const { conversation } = await admin.data<{
      conversation: {
        cost: unknown;
        messages: { edges: { node: { id: string; cost: unknown } }[] };
      };
    }>(read, { id: conversationId });
    const nodes = conversation.messages.edges.map(({ node }) => node);
    return {
      whole: conversation.cost,
      answer: nodes.find(({ id }) => id === messageId)?.cost,
      nodes,
    };
  };
  expect(await readCosts()).toMatchObject({ whole: null, answer: null });
  expect(await costOf()).toBeNull();

  const model = 'stand-in';
  const price = { model, currency: 'USD' };
  await setPrice({ ...price, kind: 'INPUT', perMillion: 1_000 });
  await setPrice({ ...price, kind: 'OUTPUT', perMillion: 20_000 });
  const expected = BigInt(1_000 * usage.inputTokens + 20_000 * usage.outputTokens);
  const charged = { amount: amountOf(expected), currency: 'USD' };
  const { whole, answer, nodes } = await readCosts();
  expect(whole).toEqual(charged);
  expect(answer).toEqual(charged);
  expect(nodes.filter(({ cost }) => cost === null)).toHaveLength(1);
  expect(await costOf()).toEqual(charged);

  await setPrice({
    ...price,
    model: 'built-in/all-MiniLM-L6-v2',
    kind: 'EMBEDDING',
    perMillion: 5,
  });
  const before = Number((await costOf())?.amount);
  await searchKnowledge(service.system, { projectId, query: 'check-out' });
  expect(Number((await costOf())?.amount)).toBeGreaterThan(before);
});

test('REST has the cost of the period, for a key of a project, too', async () => {
  const read = async (isOrgWide: boolean) => {
    const rest = await tenant.rest({ scopes: ['ANALYTICS_READ'], isOrgWide });
    const response = await rest.get(isOrgWide ? `/usage?projectId=${tenant.projectId}` : '/usage');
    return (await response.json()).cost;
  };
  expect(await read(true)).toBeNull();
  await setPrice({ perMillion: 2.5, validFrom: iso(0) });
  const { organizationId } = tenant;
  const { id: sibling } = await createProject(service.system, { organizationId, name: 'Other' });
  service.adapters.tokenCounter.add(sibling, [
    { model: 'large', kind: 'INPUT', tokens: 2_000_000 },
  ]);
  const cost = { amount: '5.000000', currency: 'EUR' };
  expect(await read(true)).toEqual(cost);
  expect(await read(false)).toEqual(cost);
});

describe('prices', () => {
  test('are listed latest first, replaced, and deleted', async () => {
    const list = async () =>
      (await admin.data<{ modelPrices: Price[] }>('{ modelPrices { kind perMillion validFrom } }'))
        .modelPrices;
    await setPrice({ perMillion: 0.15, validFrom: '2026-01-01T23:00:00Z' });
    await setPrice({ perMillion: 0.1, validFrom: '2026-03-01T00:00:00Z' });
    await setPrice({ perMillion: 0.12, validFrom: '2026-03-01T08:00:00Z' });
    await setPrice({ kind: 'OUTPUT', perMillion: 0.000001 });
    const january = { kind: 'INPUT', perMillion: 0.15, validFrom: '2026-01-01T00:00:00.000Z' };
    expect(await list()).toEqual([
      { kind: 'INPUT', perMillion: 0.12, validFrom: '2026-03-01T00:00:00.000Z' },
      january,
      { kind: 'OUTPUT', perMillion: 0.000001, validFrom: iso(dayOfMonth(new Date().getUTCDate())) },
    ]);
    const remove = () =>
      admin.send(
        'mutation ($input: DeleteModelPriceInput!) { deleteModelPrice(input: $input) { kind } }',
        { input: { model: 'large', kind: 'INPUT', validFrom: '2026-03-01T12:00:00Z' } },
      );
    const left = { deleteModelPrice: [{ kind: 'INPUT' }, { kind: 'OUTPUT' }] };
    expect((await remove()).data).toEqual(left);
    expect((await remove()).data).toEqual(left);
    expect(await list()).toContainEqual(january);
  });

  test.each([
    [{ perMillion: -1 }, 'perMillion must be a number between 0 and 1000000'],
    [{ perMillion: 1e7 }, 'perMillion must be a number between 0 and 1000000'],
    [{ currency: 'eur' }, 'currency must be an ISO 4217 code, such as EUR'],
    [{ model: ' ' }, 'model must not be blank'],
    [{ model: 'x'.repeat(201) }, 'model must be at most 200 characters'],
  ])('%j is refused', async (price, message) => {
    expect((await setPrice(price)).errors).toMatchObject([
      { extensions: { code: 'VALIDATION_FAILED', messages: [message] } },
    ]);
  });

  test('are imported all or none, and have one currency', async () => {
    const euro = { model: 'a', kind: 'INPUT', perMillion: 1, currency: 'EUR' };
    const bad = await importPrices([euro, { ...euro, model: 'b', perMillion: -1 }]);
    expect(bad.errors?.[0]?.extensions.messages).toEqual([
      'prices.1.perMillion must be a number between 0 and 1000000',
    ]);
    expect((await importPrices([euro, { ...euro, currency: 'USD' }])).errors).toMatchObject([
      { extensions: { messages: ['All prices must have the same currency'] } },
    ]);
    expect((await importPrices([])).errors).toMatchObject([
      { extensions: { code: 'VALIDATION_FAILED' } },
    ]);
    expect((await importPrices([euro, { ...euro, model: 'b' }])).data).toMatchObject({
      importModelPrices: [{ model: 'a' }, { model: 'b' }],
    });
    const dollar = await setPrice({ model: 'c', currency: 'USD' });
    expect(dollar.errors).toMatchObject([
      {
        message: 'The other prices are in EUR: delete them before you set prices in USD',
        extensions: { code: 'CONFLICT' },
      },
    ]);
  });

  test('are at most 1,000 of an organization, also if two imports run at once', async () => {
    const prices = (start: number) =>
      Array.from({ length: 500 }, (_, index) => ({
        ...{ model: `model-${start + index}`, kind: 'INPUT', perMillion: 1, currency: 'EUR' },
      }));
    expect((await importPrices(prices(0))).errors).toBeUndefined();
    const both = await Promise.all([importPrices(prices(500)), importPrices(prices(1_000))]);
    const refused = both.flatMap(({ errors }) => errors ?? []);
    expect(refused).toMatchObject([
      { message: 'An organization has at most 1000 prices', extensions: { code: 'CONFLICT' } },
    ]);
  });

  test('belong to one organization, and only owners and admins set them', async () => {
    await setPrice({ validFrom: iso(0) });
    const other = await service.createTenant();
    const stranger = await other.member('OWNER');
    expect((await stranger.send('{ modelPrices { model } }')).data).toEqual({ modelPrices: [] });
    const { organizationId } = tenant;
    const foreign = await stranger.send(
      'query ($organizationId: ID) { modelPrices(organizationId: $organizationId) { model } }',
      { organizationId },
    );
    expect(foreign.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    for (const role of ['AGENT', 'VIEWER'] as const) {
      const member = await tenant.member(role);
      expect((await setPrice({}, member)).errors).toMatchObject([
        { extensions: { code: 'FORBIDDEN' } },
      ]);
      expect((await member.send('{ modelPrices { model } }')).data).toMatchObject({
        modelPrices: [{ model: 'large' }],
      });
    }
    const root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
    expect((await root.send('{ modelPrices { model } }')).errors).toMatchObject([
      { extensions: { messages: ['organizationId is required'] } },
    ]);
  });
});
