import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const fields = 'look { title greeting color position logoUrl starterQuestions agentNames }';
const update = `mutation ($input: UpdateWidgetInput!) { updateWidget(input: $input) { ${fields} } }`;
const defaults = {
  title: null,
  greeting: null,
  color: null,
  position: 'RIGHT',
  logoUrl: null,
  starterQuestions: [],
  agentNames: true,
};
const designed = {
  title: 'Ask the harbour',
  greeting: 'Ahoy! How can we help?',
  color: '#0f766e',
  position: 'LEFT',
  logoUrl: 'https://www.harbour.example/logo.svg',
  starterQuestions: ['When is breakfast served?', 'Where may I park?'],
  agentNames: false,
};

let service: TestService;
let tenant: Tenant;
let owner: GraphqlClient;
beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  tenant = await service.createTenant();
  owner = await tenant.member('OWNER');
});

async function set(look: object): Promise<object> {
  const input = { projectId: tenant.projectId, look };
  return (await owner.data<{ updateWidget: { look: object } }>(update, { input })).updateWidget
    .look;
}

test('a change of the look keeps the other fields, and null restores the default of a field', async () => {
  expect(await set({})).toEqual(defaults);
  expect(await set(designed)).toEqual(designed);
  expect(await set({ title: ' Ask us \n', color: '#0F766E' })).toEqual({
    ...designed,
    title: 'Ask us',
  });
  expect(await set({ title: null, position: null, starterQuestions: null })).toEqual({
    ...designed,
    title: null,
    position: 'RIGHT',
    starterQuestions: [],
  });
  const none = Object.fromEntries(Object.keys(defaults).map((field) => [field, null]));
  expect(await set(none)).toEqual(defaults);
});

test.each<[object, string]>([
  [{ title: ' ' }, 'look.title must not be blank'],
  [{ title: 'x'.repeat(61) }, 'look.title must be at most 60 characters'],
  [{ greeting: 'x'.repeat(301) }, 'look.greeting must be at most 300 characters'],
  [{ color: 'teal' }, 'look.color must be a color such as #1d4ed8'],
  [
    { logoUrl: 'http://www.harbour.example/logo.svg' },
    'look.logoUrl must be an https URL of at most 500 characters',
  ],
  [
    { logoUrl: `https://www.harbour.example/${'x'.repeat(500)}` },
    'look.logoUrl must be an https URL of at most 500 characters',
  ],
  [
    { starterQuestions: ['a', 'b', 'c', 'd', 'e'] },
    'look.starterQuestions must have at most 4 items',
  ],
  [{ starterQuestions: ['a', ''] }, 'look.starterQuestions.1 must not be blank'],
  [
    { starterQuestions: ['x'.repeat(121)] },
    'look.starterQuestions.0 must be at most 120 characters',
  ],
])('%j is refused', async (look, message) => {
  const input = { projectId: tenant.projectId, look };
  const { errors } = await owner.send(update, { input });
  expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
  expect(errors?.[0]?.message).toBe(message);
});

test('the look of another organization cannot be changed', async () => {
  const { projectId } = await service.createTenant();
  const { errors } = await owner.send(update, { input: { projectId, look: designed } });
  expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});
