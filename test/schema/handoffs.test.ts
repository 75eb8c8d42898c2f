import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { newId } from '../../src/platform/ids.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';

import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;
let agent: GraphqlClient;
let admin: GraphqlClient;
let conversationId: string;
let handoffId: string;

const agentEmail = 'ada@example.com';
const adminEmail = 'grace@example.com';

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  projectId = tenant.projectId;
  agent = await tenant.member('AGENT', agentEmail);
  admin = await tenant.member('ADMIN', adminEmail);
});

beforeEach(async () => {
  const { id } = await service.system.db.conversation.create({
    data: { id: newId(), projectId, title: 'Refunds' },
  });
  conversationId = id;
  ({ id: handoffId } = await requestHandoff(service.system, { projectId, conversationId }));
});

const handoffFields = `id projectId conversationId status claimedBy claimedAt resolvedAt isNew
  conversation { id status messageCount }`;
const documents = {
  claim: `mutation ($input: ClaimHandoffInput!) {
    claimHandoff(input: $input) { ${handoffFields} }
  }`,
  transfer: `mutation ($input: TransferHandoffInput!) {
    transferHandoff(input: $input) { ${handoffFields} }
  }`,
  release: `mutation ($input: ReleaseHandoffInput!) {
    releaseHandoff(input: $input) { ${handoffFields} }
  }`,
  resolve: `mutation ($input: ResolveHandoffInput!) {
    resolveHandoff(input: $input) { ${handoffFields} }
  }`,
  returnIt: `mutation ($input: ReturnToAssistantInput!) {
    returnToAssistant(input: $input) { ${handoffFields} }
  }`,
  reply: `mutation ($input: ReplyToConversationInput!) {
    replyToConversation(input: $input) { id role status content author citations { score } }
  }`,
  update: `mutation ($input: UpdateProjectInput!) {
    updateProject(input: $input) {
      assistant {
        holdingText outOfHoursText businessHours { timeZone weekly { day from to } }
      }
    }
  }`,
};

async function run(client: GraphqlClient, document: string, input: object) {
  return Object.values(await client.data<Record<string, unknown>>(document, { input }))[0];
}

async function refusalOf(client: GraphqlClient, document: string, input: object) {
  const { data, errors } = await client.send(document, { input });
  expect(data ?? null).toBeNull();
  return errors?.[0]?.extensions;
}

test('a handoff goes from its request to its resolution, and each payload returns the selected fields', async () => {
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const claimed = {
    id: handoffId,
    projectId,
    conversationId,
    status: 'CLAIMED',
    claimedBy: agentEmail,
    claimedAt: moment,
    resolvedAt: null,
    isNew: false,
    conversation: { id: conversationId, status: 'HUMAN', messageCount: 0 },
  };
  expect(await run(agent, documents.claim, { handoffId })).toEqual(claimed);
  expect(await run(agent, documents.claim, { handoffId })).toEqual(claimed);
  expect(await refusalOf(admin, documents.claim, { handoffId })).toMatchObject({
    code: 'CONFLICT',
  });

  const transfer = { handoffId, to: adminEmail };
  const transferred = { ...claimed, claimedBy: adminEmail };
  expect(await run(agent, documents.transfer, transfer)).toEqual(transferred);

  const reply = { conversationId, content: 'Caf\u0065\u0301 opens at nine.' };
  expect(await run(admin, documents.reply, reply)).toEqual({
    id: expect.any(String),
    role: 'AGENT',
    status: 'COMPLETED',
    content: 'Caf\u00e9 opens at nine.',
    author: adminEmail,
    citations: [],
  });

  const resolved = {
    ...transferred,
    status: 'RESOLVED',
    resolvedAt: moment,
    conversation: { id: conversationId, status: 'RESOLVED', messageCount: 1 },
  };
  expect(await run(admin, documents.resolve, { handoffId })).toEqual(resolved);
  expect(await run(agent, documents.resolve, { handoffId })).toEqual(resolved);
});

test('a returned handoff leaves an open conversation', async () => {
  expect(await run(agent, documents.returnIt, { handoffId })).toMatchObject({
    status: 'RESOLVED',
    conversation: { status: 'OPEN' },
  });
  expect(await refusalOf(agent, documents.reply, { conversationId, content: 'x' })).toMatchObject({
    code: 'CONFLICT',
    messages: ['No agent owns the conversation: claim its handoff first'],
  });
});

test('an invalid reply is rejected', async () => {
  await run(agent, documents.claim, { handoffId });
  for (const [content, message] of [
    [' \n', 'content must not be blank'],
    ['a\0b', 'content must not contain NUL characters'],
    ['é'.repeat(10_001), 'content must be at most 10000 characters'],
  ]) {
    expect(await refusalOf(agent, documents.reply, { conversationId, content })).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: [message],
    });
  }
  for (const messageId of ['7', '8f6d7a34-6a2b-4f0e-9c0d-3f1d2b4c5e6f']) {
    const numbered = { conversationId, content: 'x', messageId };
    expect(await refusalOf(agent, documents.reply, numbered)).toMatchObject({
      messages: ['messageId must be a UUIDv7'],
    });
  }
  const content = '\u{1f411}'.repeat(10_000);
  expect(await run(agent, documents.reply, { conversationId, content })).toMatchObject({ content });
});

test('a transfer to an invalid e-mail address is rejected', async () => {
  const input = { handoffId, to: 'Ada' };
  expect(await refusalOf(agent, documents.transfer, input)).toMatchObject({
    code: 'VALIDATION_FAILED',
    messages: ['to must be an e-mail address'],
  });
});

describe('the business hours of a project', () => {
  const businessHours = {
    timeZone: 'Europe/Berlin',
    weekly: [
      { day: 'MONDAY', from: '09:00', to: '12:00' },
      { day: 'MONDAY', from: '13:00', to: '17:30' },
      { day: 'FRIDAY', from: '22:00', to: '24:00' },
    ],
  };
  const set = (assistant: object) =>
    run(admin, documents.update, { id: projectId, assistant }) as Promise<{ assistant: object }>;

  test('are stored as given until they are removed', async () => {
    const outOfHoursText = 'We open at nine.';
    const all = { holdingText: null, outOfHoursText, businessHours };
    expect(await set({ outOfHoursText, businessHours })).toEqual({ assistant: all });
    const changed = { ...all, holdingText: 'Ada will answer you.' };
    expect(await set({ holdingText: changed.holdingText })).toEqual({ assistant: changed });
    const none = { holdingText: null, outOfHoursText: null, businessHours: null };
    expect(await set(none)).toEqual({ assistant: none });
    const never = { timeZone: 'UTC', weekly: [] };
    expect(await set({ businessHours: never })).toMatchObject({
      assistant: { businessHours: never },
    });
  });

  const hour = { day: 'MONDAY', from: '09:00', to: '17:00' };
  const span = 'assistant.businessHours.weekly.0';
  test.each([
    [
      'a time zone that is none',
      { ...businessHours, timeZone: 'Europe/Atlantis' },
      'assistant.businessHours.timeZone must be an IANA time zone, such as Europe/Berlin',
    ],
    [
      'an offset for a time zone',
      { ...businessHours, timeZone: '+02:00' },
      'assistant.businessHours.timeZone must be an IANA time zone, such as Europe/Berlin',
    ],
    [
      'a span across midnight',
      { timeZone: 'UTC', weekly: [{ ...hour, from: '22:00', to: '02:00' }] },
      `${span}.to must be later than from: split hours across midnight into two spans, the first of which ends at 24:00`,
    ],
    [
      'an empty span',
      { timeZone: 'UTC', weekly: [{ ...hour, to: '09:00' }] },
      `${span}.to must be later than from: split hours across midnight into two spans, the first of which ends at 24:00`,
    ],
    [
      'a begin that is no time',
      { timeZone: 'UTC', weekly: [{ ...hour, from: '9:00' }] },
      `${span}.from must be a time from 00:00 to 23:59`,
    ],
    [
      'an end that is no time',
      { timeZone: 'UTC', weekly: [{ ...hour, to: '24:01' }] },
      `${span}.to must be a time from 00:01 to 24:00`,
    ],
    [
      'more spans than anyone needs',
      { timeZone: 'UTC', weekly: Array.from({ length: 51 }, () => hour) },
      'assistant.businessHours.weekly must be at most 50 spans',
    ],
  ])('are rejected with %s', async (_what, wrong, message) => {
    await set({ businessHours });
    const input = { id: projectId, assistant: { businessHours: wrong } };
    expect(await refusalOf(admin, documents.update, input)).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: [message],
    });
    expect(await set({})).toMatchObject({ assistant: { businessHours } });
  });

  test('are rejected with all their errors at once', async () => {
    const wrong = {
      timeZone: 'Mars/Olympus',
      weekly: [hour, { ...hour, from: 'nine' }, { ...hour, to: '08:00' }],
    };
    const assistant = { businessHours: wrong, outOfHoursText: 'a\0b' };
    const input = { id: projectId, name: ' ', assistant };
    const refusal = await refusalOf(admin, documents.update, input);
    expect(refusal?.messages?.map((message) => message.split(' ')[0])).toEqual([
      'name',
      'assistant.outOfHoursText',
      'assistant.businessHours.timeZone',
      'assistant.businessHours.weekly.1.from',
      'assistant.businessHours.weekly.2.to',
    ]);
  });
});
