import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { type Subscription, subscribe } from '../support/api/subscription.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let tenant: Tenant;
const open: Subscription<unknown>[] = [];

beforeAll(async () => {
  service = await startTestService({
    isWorker: false,
    callerLimits: {
      operatorRequestsPerMinute: 3,
      serviceRequestsPerMinute: 4,
      subscriptionsPerCaller: 2,
    },
  });
  tenant = await service.createTenant();
});

afterAll(async () => {
  for (const one of open) one.disconnect();
  await service?.stop();
});

const smallest = '{ __typename }';
const operatorToken = () =>
  service.token({ sub: newId(), role: 'authenticated', email: 'a@harbour.example' });

function post(token: string, query = smallest, variables = {}): Promise<Response> {
  return fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: {
      Accept: 'application/graphql-response+json, text/event-stream',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query, variables }),
  });
}

async function statusesOf(token: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await post(token)).status);
  return statuses;
}

function backdateWindows(): Promise<unknown> {
  return service.adapters.pool.query(
    `update grounded.request_windows set ends_at = ends_at - interval '61 seconds'`,
  );
}

describe('requests per minute', () => {
  test('an operator over the limit receives 429 with Retry-After, and is served in the next minute', async () => {
    const token = await operatorToken();
    expect(await statusesOf(token, 3)).toEqual([200, 200, 200]);
    const refused = await post(token);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await refused.json()).errors).toMatchObject([
      {
        message: `An operator may make 3 requests a minute. Retry in ${seconds} s`,
        extensions: { code: 'RATE_LIMITED', retryAfterSeconds: seconds },
      },
    ]);
    await backdateWindows();
    expect((await post(token)).status).toBe(200);
  });

  test('all tokens of an operator share the limit, and other operators have their own', async () => {
    const sub = newId();
    const tokens = await Promise.all(
      [1, 2].map((hours) =>
        service.token({ sub, role: 'authenticated', email: 'a@harbour.example' }, hours * 3_600),
      ),
    );
    const statuses = await Promise.all(
      [0, 1, 0, 1, 0].map(async (n) => (await post(tokens[n] ?? '')).status),
    );
    expect(statuses.sort()).toEqual([200, 200, 200, 429, 429]);
    expect((await post(await operatorToken())).status).toBe(200);
  });

  test('the service role has a limit of its own', async () => {
    await backdateWindows();
    const token = await service.token({ role: 'service_role' });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await post(token)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });

  test('a client without GraphQL over HTTP receives the code with status 200', async () => {
    const client = graphqlClient(service.url, await operatorToken());
    for (let n = 0; n < 3; n += 1) await client.send(smallest);
    const { status, errors } = await client.send(smallest);
    expect(status).toBe(200);
    expect(errors?.[0]?.extensions.code).toBe('RATE_LIMITED');
  });

  test('windows that are over are deleted', async () => {
    await statusesOf(await operatorToken(), 1);
    await backdateWindows();
    await statusesOf(await operatorToken(), 1);
    const { rows } = await service.adapters.pool.query('select from grounded.request_windows');
    expect(rows).toHaveLength(1);
  });
});

describe('open subscriptions', () => {
  const query = 'subscription ($projectId: ID!) { documentUpdated(projectId: $projectId) { id } }';

  test('one above the limit of the caller is refused, until another one is closed', async () => {
    const secret = await tenant.key();
    const other = await tenant.key();
    const variables = { projectId: tenant.projectId };
    const start = (token: string) => subscribe(`${service.url}/graphql`, token, query, variables);
    open.push(await start(secret), await start(secret), await start(other));
    const refused = await post(secret, query, variables);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('30');
    expect((await refused.json()).errors).toMatchObject([
      {
        message: 'A caller may have 2 subscriptions open. Close one, then try again',
        extensions: { code: 'RATE_LIMITED' },
      },
    ]);
    open.shift()?.disconnect();
    await waitUntil(async () => {
      const next = await post(secret, query, variables);
      await next.body?.cancel();
      return next.status === 200;
    });
  });
});
