import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { inputMutation } from '../support/api/input-mutation.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

interface SavedReply {
  readonly id: string;
  readonly name: string;
  readonly content: string;
}

let service: TestService;
let tenant: Tenant;
let projectId: string;
let admin: GraphqlClient;
let agent: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  ({ projectId } = tenant);
  admin = await tenant.member('ADMIN');
  agent = await tenant.member('AGENT');
});

const fields = 'id name content';

async function create(name: string, content = 'Good day!'): Promise<SavedReply> {
  const input = { projectId, name, content };
  const created = await admin.data<{ createSavedReply: SavedReply }>(
    inputMutation('createSavedReply', fields),
    { input },
  );
  return created.createSavedReply;
}

async function refusalOf(client: GraphqlClient, mutation: string, input: object) {
  const { errors } = await client.send(inputMutation(mutation, 'id'), { input });
  const { code, messages } = errors?.[0]?.extensions ?? {};
  return { code, messages };
}

async function list(client: GraphqlClient, of = projectId): Promise<SavedReply[]> {
  const query = `query ($id: ID!) { savedReplies(projectId: $id) { ${fields} } }`;
  return (await client.data<{ savedReplies: SavedReply[] }>(query, { id: of })).savedReplies;
}

test('saved replies are added, changed, deleted and listed by name', async () => {
  const refund = await create(' Refund ', 'Your money is back in\nfive days, {{visitor}}.');
  const closing = await create('closing');
  expect(refund).toEqual({
    id: refund.id,
    name: 'Refund',
    content: 'Your money is back in\nfive days, {{visitor}}.',
  });
  expect(await list(agent)).toEqual([closing, refund]);
  const input = { savedReplyId: closing.id, name: 'Thanks' };
  const updated = await admin.data(inputMutation('updateSavedReply', fields), { input });
  const thanks = { ...closing, name: 'Thanks' };
  expect(updated).toEqual({ updateSavedReply: thanks });
  const target = { savedReplyId: refund.id, projectId };
  await admin.data(inputMutation('deleteSavedReply', 'id'), { input: target });
  expect(await list(agent)).toEqual([thanks]);
  expect((await refusalOf(admin, 'deleteSavedReply', target)).code).toBe('NOT_FOUND');
});

test('a name is taken whatever its case, also of two calls at once, and free in another project', async () => {
  const taken = {
    code: 'CONFLICT',
    messages: ['name is taken by another saved reply of the project. Choose another one'],
  };
  const input = { projectId, name: 'Refund', content: 'x' };
  const both = await Promise.all([1, 2].map(() => refusalOf(admin, 'createSavedReply', input)));
  expect(both.filter(({ code }) => code === undefined)).toHaveLength(1);
  expect(both.filter(({ code }) => code !== undefined)).toEqual([taken]);
  expect(await refusalOf(admin, 'createSavedReply', { ...input, name: 'REFUND' })).toEqual(taken);
  const other = await create('Other');
  const change = { savedReplyId: other.id, name: 'refund' };
  expect(await refusalOf(admin, 'updateSavedReply', change)).toEqual(taken);
  const stranger = await service.createTenant();
  const owner = await stranger.member('OWNER');
  const elsewhere = { ...input, projectId: stranger.projectId };
  expect((await refusalOf(owner, 'createSavedReply', elsewhere)).code).toBeUndefined();
});

test('a project has at most 200, and names and texts have limits', async () => {
  const rows = Array.from({ length: 199 }, (_, n) => ({
    id: newId(),
    projectId,
    name: `n${n}`,
    content: 'c',
  }));
  await service.system.db.savedReply.createMany({ data: rows });
  const both = await Promise.all(
    ['a', 'b'].map((name) =>
      refusalOf(admin, 'createSavedReply', { projectId, name, content: 'c' }),
    ),
  );
  expect(both.map(({ code }) => code).sort()).toEqual(['CONFLICT', undefined]);
  expect(await list(agent)).toHaveLength(200);
  const bad = { projectId, name: 'n'.repeat(61), content: 'c'.repeat(4_001) };
  expect(await refusalOf(admin, 'createSavedReply', bad)).toEqual({
    code: 'VALIDATION_FAILED',
    messages: ['name must be at most 60 characters', 'content must be at most 4000 characters'],
  });
  const blank = { projectId, name: 'a\nb', content: ' ' };
  expect(await refusalOf(admin, 'createSavedReply', blank)).toEqual({
    code: 'VALIDATION_FAILED',
    messages: ['name must be printable characters', 'content must not be blank'],
  });
});

test('the rows of a deleted project are deleted', async () => {
  await create('Refund');
  await service.system.db.project.delete({ where: { id: projectId } });
  expect(await service.system.db.savedReply.count({ where: { projectId } })).toBe(0);
});

test('a text with an unknown placeholder is refused when it is saved', async () => {
  const input = { projectId, name: 'Hello', content: 'Hi {{visitor}}, I am {{ agent }}.' };
  const refusal = {
    code: 'VALIDATION_FAILED',
    messages: [
      'content contains {{ agent }}, but the only placeholders are {{visitor}} and {{agent}}',
    ],
  };
  expect(await refusalOf(admin, 'createSavedReply', input)).toEqual(refusal);
  const { id: savedReplyId } = await create('Hello', 'Hi {{visitor}}, I am {{agent}}. {x} }} {{');
  const change = { savedReplyId, content: input.content };
  expect(await refusalOf(admin, 'updateSavedReply', change)).toEqual(refusal);
});
