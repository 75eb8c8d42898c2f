import { beforeAll, beforeEach, expect, test } from 'vitest';
import { exportEndUser } from '../../src/domain/end-users/export-end-user.ts';
import { makeWidget, type VisitorClient, visitorClient } from '../support/api/visitor-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let page: VisitorClient;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  await addDocuments(service, tenant.projectId, { Guide: 'Breakfast is served from seven.' });
});
beforeEach(async () => {
  page = visitorClient(service, await makeWidget(service, tenant.projectId));
  await page.visit();
});

const post = (attributes: unknown, conversationId?: string) =>
  page.post('messages', { message: 'When is breakfast served?', conversationId, attributes });

/** Sends a message and returns the id of its conversation. */
async function ask(attributes: unknown, conversationId?: string): Promise<string> {
  const text = await (await post(attributes, conversationId)).text();
  return /"conversationId":"([^"]+)"/.exec(text)?.[1] ?? '';
}

async function read(id: string) {
  const agent = await tenant.member('AGENT');
  const { conversation } = await agent.data<{ conversation: Record<string, unknown> }>(
    'query ($id: ID!) { conversation(id: $id) { endUserId updatedAt visitorAttributes { name value } } }',
    { id },
  );
  return conversation;
}

test('agents see the attributes that the page gave last, sorted and as texts', async () => {
  const attributes = { seats: 12, plan: 'pro', 'Trial user': false };
  const id = await ask(attributes);
  const expected = [
    { name: 'plan', value: 'pro' },
    { name: 'seats', value: '12' },
    { name: 'Trial user', value: 'false' },
  ];
  const first = await read(id);
  expect(first.visitorAttributes).toEqual(expected);
  await ask(undefined, id);
  expect((await read(id)).visitorAttributes).toEqual(expected);
  await ask({ plan: 'free' }, id);
  expect((await read(id)).visitorAttributes).toEqual([{ name: 'plan', value: 'free' }]);

  const input = { projectId: tenant.projectId, endUserId: String(first.endUserId) };
  const exported = await exportEndUser(service.system, input);
  expect(exported.conversations).toMatchObject([{ attributes: { plan: 'free' } }]);

  await ask({}, id);
  expect((await read(id)).visitorAttributes).toEqual([]);
});

test('a conversation without attributes has none', async () => {
  expect((await read(await ask(undefined))).visitorAttributes).toEqual([]);
});

const names = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, index]));

test('the largest attributes are stored', async () => {
  // Each control character takes six bytes in JSON.
  const values = Object.keys(names(20)).map((name) => [
    `${'𝒜'.repeat(36)}${name}`,
    '\u0001'.repeat(200),
  ]);
  const id = await ask(Object.fromEntries(values));
  expect((await read(id)).visitorAttributes).toHaveLength(20);
});

const longName = 'n'.repeat(41);
test.each([
  ['a list', [1], ['attributes must be an object']],
  ['null', null, ['attributes must be an object']],
  ['21 names', names(21), ['attributes must have at most 20 names']],
  [
    'invalid names',
    JSON.parse(`{"":1," ":1,"a<b>":1,"${longName}":1,"__proto__":1,"ok":1}`),
    ['', ' ', 'a?b?', 'n'.repeat(40), '__proto__'].map(
      (name) =>
        `attributes.${name} must have a name of 1 to 40 letters, digits, "_", "-" and spaces`,
    ),
  ],
  [
    'invalid values',
    { a: null, b: [1], c: 'x'.repeat(201), d: 'x\0', e: '\ud800' },
    [
      'attributes.a must be a string, a number or a boolean',
      'attributes.b must be a string, a number or a boolean',
      'attributes.c must be at most 200 characters',
      'attributes.d must not contain NUL characters',
      'attributes.e must be well-formed Unicode',
    ],
  ],
])('refuses %s with one message for each problem', async (_, attributes, message) => {
  const response = await post(attributes);
  expect(response.status).toBe(400);
  const body = await response.json();
  expect(body.code).toBe('VALIDATION_FAILED');
  expect([body.message].flat()).toEqual(message);
});
