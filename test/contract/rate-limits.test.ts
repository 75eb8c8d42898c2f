import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiKeyScope } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { operations } from '../support/api/openapi-document.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** Two nodes that use the same database. */
let service: TestService;
let secondNode: TestService;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  secondNode = await startTestService({ isWorker: false, database: service.database });
});
afterAll(async () => {
  await secondNode?.stop();
});

interface RateLimitedKey {
  readonly tenant: Tenant;
  readonly key: string;
  readonly client: RestClient;
}

/** Returns a key of a new organization that may send this many requests per minute. */
async function createRateLimitedKey(
  limit: number,
  scopes?: readonly ApiKeyScope[],
): Promise<RateLimitedKey> {
  const tenant = await service.createTenant();
  await setLimit(tenant, limit);
  const key = await tenant.key({ scopes });
  return { tenant, key, client: clientOf(key) };
}

function clientOf(key: string, node = service): RestClient {
  return restClient(`${node.url}/api/v1`, key);
}

function setLimit({ organizationId }: Tenant, requestsPerMinute: number | null): Promise<object> {
  const { organization } = service.system.db;
  return organization.update({ where: { id: organizationId }, data: { requestsPerMinute } });
}

/** Makes the rate limit windows of the tenant's keys `seconds` older. */
async function backdateRateWindows({ organizationId }: Tenant, seconds: number): Promise<void> {
  await service.adapters.pool.query(
    `update grounded.request_windows set ends_at = ends_at - make_interval(secs => $2)
     where name in (select 'key ' || id from grounded.api_keys where organization_id = $1)`,
    [organizationId, seconds],
  );
}

function parseRateLimitHeaders({ headers }: Response): {
  policy: string | null;
  left: number;
  reset: number;
} {
  const [, left, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '') ?? [];
  return {
    policy: headers.get('RateLimit-Policy'),
    left: Number(left),
    reset: Number(reset),
  };
}

const documents = '/knowledge/documents';

test('every response to a known key reports its rate limit: success, error and stream', async () => {
  const { client } = await createRateLimitedKey(10, ['CHAT', 'KNOWLEDGE_READ']);
  const answers = [
    await client.get(documents),
    await client.get(`${documents}?limit=0`),
    await client.get(`${documents}/${crypto.randomUUID()}`),
    await client.post(documents, { name: 'Tides', content: 'Twice a day.' }),
    await client.send('/chat', { method: 'POST', body: 'no JSON' }),
    await client.post('/chat', { message: 'When is high tide?' }),
    await client.post('/chat', { message: 'When is high tide?', stream: true }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 403, 400, 200, 200]);
  expect(answers.map((answer) => parseRateLimitHeaders(answer).left)).toEqual([
    9, 8, 7, 6, 5, 4, 3,
  ]);
  for (const answer of answers) {
    const { policy, reset } = parseRateLimitHeaders(answer);
    expect(policy).toBe('"default";q=10;w=60');
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);
    await answer.text();
  }
});

test('responses to an unknown key or route contain no rate limit', async () => {
  const { client } = await createRateLimitedKey(10);
  for (const answer of [
    await clientOf('sk_unknown').get(documents),
    await client.get('/nowhere'),
  ]) {
    expect(answer.headers.has('RateLimit')).toBe(false);
    expect(answer.headers.has('RateLimit-Policy')).toBe(false);
  }
  expect(parseRateLimitHeaders(await client.get(documents)).left).toBe(9);
});

test('a key over its limit receives Retry-After, and is served after that time', async () => {
  const { client, tenant } = await createRateLimitedKey(3);
  for (const left of [2, 1, 0]) {
    expect(parseRateLimitHeaders(await client.get(documents)).left).toBe(left);
  }
  const refused = await client.get(documents);
  const { left, reset } = parseRateLimitHeaders(refused);
  expect({ status: refused.status, left }).toEqual({ status: 429, left: 0 });
  expect(refused.headers.get('Retry-After')).toBe(String(reset));
  expect(reset).toBeGreaterThan(10);
  expect(await expectErrorBody(Promise.resolve(refused))).toMatchObject({
    statusCode: 429,
    error: 'Too Many Requests',
    code: 'RATE_LIMITED',
    message: `The API key may make 3 requests a minute. Retry in ${reset} s`,
  });

  await backdateRateWindows(tenant, reset - 10);
  const early = await client.get(documents);
  expect(early.status).toBe(429);
  const wait = Number(early.headers.get('Retry-After'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(10);

  await backdateRateWindows(tenant, wait);
  const served = await client.get(documents);
  expect(served.status).toBe(200);
  expect(parseRateLimitHeaders(served)).toEqual({
    policy: '"default";q=3;w=60',
    left: 2,
    reset: 60,
  });
});

test('the limit is checked after the key, and before scope and request shape', async () => {
  const { client, tenant } = await createRateLimitedKey(1, ['CHAT']);
  expect((await client.post('/knowledge/search', {})).status).toBe(403);
  expect((await client.post('/knowledge/search', {})).status).toBe(429);
  expect((await client.post('/chat', {})).status).toBe(429);

  await service.system.db.apiKey.updateMany({
    where: { organizationId: tenant.organizationId },
    data: { revokedAt: new Date() },
  });
  expect((await client.post('/chat', {})).status).toBe(401);
});

test('the limit is that of the organization, or else of its plan, read at each request', async () => {
  const { client, tenant } = await createRateLimitedKey(1);
  await client.get(documents);
  expect((await client.get(documents)).status).toBe(429);
  await setLimit(tenant, 5);
  expect(parseRateLimitHeaders(await client.get(documents))).toMatchObject({
    policy: '"default";q=5;w=60',
    left: 2,
  });
  await setLimit(tenant, null);
  expect(parseRateLimitHeaders(await client.get(documents)).policy).toBe('"default";q=3000;w=60');
});

test('each key has its own limit', async () => {
  const { client, tenant } = await createRateLimitedKey(1);
  const other = clientOf(await tenant.key());
  expect((await client.get(documents)).status).toBe(200);
  expect((await other.get(documents)).status).toBe(200);
  expect((await client.get(documents)).status).toBe(429);
  expect((await other.get(documents)).status).toBe(429);
});

test('GraphQL with a key counts in the same window, and is rejected with Retry-After', async () => {
  const { client, key, tenant } = await createRateLimitedKey(2);
  const graphql = graphqlClient(service.url, key);
  const query = 'query ($projectId: ID!) { project(id: $projectId) { id } }';
  expect((await graphql.send(query, { projectId: tenant.projectId })).status).toBe(200);
  expect(parseRateLimitHeaders(await client.get(documents)).left).toBe(0);

  const { errors, data } = await graphql.send(query, { projectId: tenant.projectId });
  expect(data ?? null).toBeNull();
  expect(errors).toHaveLength(1);
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'RATE_LIMITED',
    retryable: true,
    retryAfterSeconds: expect.any(Number),
  });
});

test('with a limit of 50, exactly 50 of 200 concurrent requests to two nodes succeed', async () => {
  const { key } = await createRateLimitedKey(50);
  const nodes = [clientOf(key), clientOf(key, secondNode)] as const;
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => nodes[n % 2 === 0 ? 0 : 1].get(documents)),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(150);

  const left = answers
    .filter(({ status }) => status === 200)
    .map((answer) => parseRateLimitHeaders(answer).left);
  expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  for (const answer of answers) {
    expect(Number(answer.headers.get('Retry-After') ?? 1)).toBeLessThanOrEqual(60);
  }
});

test('the OpenAPI document declares the headers for every response to a known key', () => {
  for (const { id, responses } of operations) {
    for (const [status, { headers }] of Object.entries(responses)) {
      if (status === '401') expect(headers, id).not.toHaveProperty('RateLimit');
      else expect(Object.keys(headers), `${id} ${status}`).toContain('RateLimit');
    }
    expect(Object.keys(responses['429']?.headers ?? {}), id).toContain('Retry-After');
  }
});
