import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectErrorBody, type RestClient } from '../support/api/rest-client.ts';
import { pageOf, startWebsite, type Website } from '../support/servers/website.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';

let service: TestService;
let client: RestClient;
let site: Website;

beforeAll(async () => {
  service = await startTestService({
    allowPrivateSources: true,
    database: await sharedDatabase(),
  });
  const tenant = await service.createTenant();
  client = await tenant.rest();
  site = await startWebsite();
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/draft']));
});
afterAll(async () => {
  await site?.close();
  await service?.stop();
});

const path = '/knowledge/sources';
const create = (body: object = {}) =>
  client.post(path, {
    kind: 'WEBSITE',
    name: 'Help center',
    config: { startUrls: [`${site.url}/`], requestsPerSecond: 50 },
    ...body,
  });

test('a source is created, read, changed, run and deleted', async () => {
  const created = await create({ schedule: '0 3 * * *' });
  expect(created.status).toBe(201);
  const source = await created.json();
  expect(source).toMatchObject({
    ...{ kind: 'WEBSITE', name: 'Help center', schedule: '0 3 * * *', status: 'IDLE' },
    config: {
      startUrls: [`${site.url}/`],
      ...{ sitemaps: [], include: [], exclude: [], maxPages: 1_000, maxDepth: 10 },
      ...{ respectRobots: true, requestsPerSecond: 50 },
    },
    lastRun: null,
  });
  expect(source.nextRunAt).toMatch(/T03:00:00\.000Z$/);
  const one = `${path}/${source.id}`;

  const changed = await client.patch(one, { config: { maxPages: 5 }, schedule: '' });
  expect(await changed.json()).toMatchObject({
    ...{ schedule: null, nextRunAt: null },
    config: { maxPages: 5, requestsPerSecond: 50 },
  });

  const started = await client.post(`${one}/sync`);
  expect(started.status).toBe(202);
  expect(await started.json()).toMatchObject({ sourceId: source.id, finishedAt: null });
  await expect
    .poll(async () => (await (await client.get(one)).json()).lastRun?.finishedAt, {
      timeout: 30_000,
    })
    .toMatch(/Z$/);
  expect(await (await client.get(one)).json()).toMatchObject({
    ...{ status: 'IDLE', lastRun: { added: 1, changed: 0, removed: 0, refused: 0, error: null } },
  });
  expect(await (await client.get(`${one}/runs`)).json()).toMatchObject({ total: 1 });
  expect(await (await client.get(path)).json()).toMatchObject({ data: [{ id: source.id }] });
  expect(await (await client.get('/knowledge/documents')).json()).toMatchObject({
    data: [{ name: 'Home' }],
  });

  expect((await client.patch(one, { isPaused: true })).status).toBe(200);
  expect(await expectErrorBody(client.post(`${one}/sync`))).toMatchObject({ statusCode: 409 });
  expect((await client.delete(one)).status).toBe(204);
  for (const call of [client.get(one), client.delete(one), client.post(`${one}/sync`)]) {
    expect(await expectErrorBody(call)).toMatchObject({ statusCode: 404 });
  }
  await expect
    .poll(async () => (await (await client.get('/knowledge/documents')).json()).total, {
      timeout: 30_000,
    })
    .toBe(0);
});

test.each([
  [{ kind: 'FTP' }, 'kind'],
  [{ kind: 'S3' }, 'config.startUrls is not a setting of a source of the kind S3'],
  [{ kind: 'S3', config: { endpoint: 'https://s3.example' } }, 'config.bucket'],
  [{ kind: 'S3', config: { endpoint: 'https://s3.example/x', bucket: 'abc' } }, 'config.endpoint'],
  [{ kind: 'GIT', config: {} }, 'config.url'],
  [{ kind: 'GIT', config: { url: 'http://git.example/a.git' } }, 'config.url'],
  [{ kind: 'GIT', config: { url: 'https://user:pass@git.example/a.git' } }, 'config.url'],
  [{ kind: 'GIT', config: { url: 'ssh://git.example/a.git' } }, 'config.url'],
  [{ kind: 'GIT', config: { url: 'https://git.example/a', branch: 'a b' } }, 'config.branch'],
  [{ kind: 'GIT', config: { url: 'https://git.example/a', token: 'a\nb' } }, 'config.token'],
  [{ config: { startUrls: ['https://a.example'], token: 'x' } }, 'config.token'],
  [{ kind: 'NOTION', config: { roots: ['Handbook'] } }, 'config.roots'],
  [{ kind: 'NOTION', config: {} }, 'config.token is required'],
  [{ kind: 'NOTION', config: { token: '' } }, 'config.token is required'],
  [
    { kind: 'NOTION', config: { url: 'https://api.notion.example' } },
    'config.url is not a setting',
  ],
  [{ config: {} }, 'config.startUrls'],
  [{ config: { startUrls: ['ftp://a.example'] } }, 'config.startUrls'],
  [{ config: { startUrls: ['https://user:secret@a.example'] } }, 'config.startUrls'],
  [{ config: { startUrls: ['https://a.example'], include: ['docs'] } }, 'config.include'],
  [{ config: { startUrls: ['https://a.example'], colour: 'red' } }, 'config'],
  [{ config: { startUrls: ['https://a.example'], maxPages: 1_000_000 } }, 'config'],
  [{ schedule: 'every day' }, 'schedule'],
  [{ schedule: '* * * * * *' }, 'schedule'],
  [{ schedule: '99 3 * * *' }, 'schedule'],
  [{ name: ' ' }, 'name'],
])('refuses %j with 400', async (body, field) => {
  const error = await expectErrorBody(create(body));
  expect(error).toMatchObject({ statusCode: 400, code: 'VALIDATION_FAILED' });
  expect(error.message.toString()).toContain(field);
});

test('a repeated request with the same Idempotency-Key creates one source', async () => {
  const body = { kind: 'WEBSITE', name: 'Twice', config: { startUrls: [site.url] } };
  const send = () => client.post(path, body, { 'Idempotency-Key': 'one source' });
  const [first, second] = [await (await send()).json(), await (await send()).json()];
  expect(second).toEqual(first);
  const { total } = await (await client.get(path)).json();
  expect(total).toBe(1);
});

test.each([
  [
    'GIT',
    { url: 'https://git.example/docs.git', token: 'hidden-secret' },
    {
      ...{ url: 'https://git.example/docs.git', branch: '', path: '', username: 'git' },
      ...{ include: [], exclude: [], maxFiles: 1_000, hasSecret: true },
    },
  ],
  [
    'S3',
    {
      ...{ endpoint: 'https://s3.example/', bucket: 'docs', accessKeyId: 'AKID' },
      secretAccessKey: 'hidden-secret',
    },
    {
      ...{ endpoint: 'https://s3.example', bucket: 'docs', accessKeyId: 'AKID', prefix: '' },
      ...{ region: 'us-east-1', pathStyle: true, include: [], exclude: [], maxFiles: 1_000 },
      hasSecret: true,
    },
  ],
  [
    'NOTION',
    { roots: ['https://www.notion.so/A-0a1b2c3d4e5f4a0b8c0d0123456789ab'], token: 'hidden-secret' },
    { roots: ['0a1b2c3d-4e5f-4a0b-8c0d-0123456789ab'], maxFiles: 1_000, hasSecret: true },
  ],
])(
  'a %s source has its own settings, and its secret is never returned',
  async (kind, config, stored) => {
    const answers = [];
    const created = await create({ kind, config });
    expect(created.status).toBe(201);
    answers.push(await created.json());
    const one = `${path}/${answers[0].id}`;
    answers.push(await (await client.get(one)).json());
    answers.push(await (await client.patch(one, { name: 'Renamed' })).json());
    answers.push((await (await client.get(path)).json()).data[0]);
    for (const answer of answers) expect(answer.config).toEqual(stored);
    expect(JSON.stringify(answers)).not.toContain('hidden-secret');
    expect((await client.delete(one)).status).toBe(204);
  },
);
