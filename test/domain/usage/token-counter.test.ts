import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTokenCounter,
  retryDelayMs,
} from '../../../src/domain/usage/create-token-counter.ts';
import type { TokenCounter } from '../../../src/domain/usage/token-counter.ts';
import { newId } from '../../../src/platform/ids.ts';
import { connectDatabase, type Database } from '../../../src/platform/tenancy/tenant-database.ts';
import { type CapturedLog, captureLog } from '../../support/captured-log.ts';
import { databaseAccessFor } from '../../support/database/database-access.ts';
import { type FaultProxy, startFaultProxy } from '../../support/servers/fault-proxy.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

let service: TestService;
let proxy: FaultProxy;
let database: Database;
let tenant: Tenant;
let counter: TokenCounter;
let captured: CapturedLog;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  proxy = await startFaultProxy(service.database.url);
  const url = new URL(service.database.url);
  [url.hostname, url.port] = [new URL(proxy.url).hostname, new URL(proxy.url).port];
  const access = databaseAccessFor({ url: url.href }, { connectTimeoutMs: 1_000 });
  database = await connectDatabase(access, { size: 1, log: captureLog().log });
});
afterAll(async () => {
  await database?.stop();
  await proxy?.close();
});
beforeEach(async () => {
  tenant = await service.createTenant();
  captured = captureLog();
  counter = createTokenCounter({ database, log: captured.log });
});
afterEach(async () => {
  proxy.restore();
  await counter.stop();
});

const embedded = (tokens: number) => [{ model: 'small', kind: 'EMBEDDING', tokens }] as const;

async function stored(): Promise<number> {
  const { rows } = await service.ownerPool.query(
    'select coalesce(sum(embedding_tokens), 0)::float8 as tokens from grounded.usage_periods where organization_id = $1',
    [tenant.organizationId],
  );
  return rows[0].tokens;
}

const messages = () => captured.lines().map(({ level, msg }) => [level, msg]);

test('sums are stored without a flush', async () => {
  counter.add(tenant.projectId, embedded(3));
  counter.add(tenant.projectId, embedded(4));
  await waitUntil(async () => (await stored()) === 7);
});

test('each model and kind has its own sum', async () => {
  counter.add(tenant.projectId, embedded(3));
  counter.add(tenant.projectId, [
    { model: 'small', kind: 'EMBEDDING', tokens: 4 },
    { model: 'reader', kind: 'RERANK', tokens: 9 },
    { model: 'reader', kind: 'RERANK', tokens: 0 },
    { model: 'other', kind: 'EMBEDDING', tokens: 0 },
  ]);
  await counter.flush();
  const { rows } = await service.ownerPool.query(
    'select model, kind, tokens::int from grounded.token_days where project_id = $1 order by model',
    [tenant.projectId],
  );
  expect(rows).toEqual([
    { model: 'reader', kind: 'RERANK', tokens: 9 },
    { model: 'small', kind: 'EMBEDDING', tokens: 7 },
  ]);
  expect(await stored()).toBe(7);
});

describe('a sum that the database refuses', () => {
  test.each([
    ['is too large', () => tenant.projectId, 1e19],
    ['is not whole', () => tenant.projectId, 0.5],
    ['has an id that is none', () => 'no-id', 1],
  ])('because it %s is dropped and logged once, and others are stored', async (_, id, tokens) => {
    const other = await service.createTenant();
    counter.add(id(), embedded(tokens));
    counter.add(other.projectId, embedded(5));
    await counter.flush();
    tenant = other;
    expect(await stored()).toBe(5);
    await counter.flush();
    expect(messages()).toEqual([['error', 'tokens cannot be stored: dropped']]);
    counter.add(other.projectId, embedded(2));
    await counter.flush();
    expect(await stored()).toBe(7);
  });
});

test('the sum of a deleted project is dropped without a message', async () => {
  counter.add(newId(), embedded(5));
  await counter.flush();
  expect(messages()).toEqual([]);
});

test('an outage is logged once, and no tokens are lost or counted twice', async () => {
  const other = await service.createTenant();
  proxy.cut();
  counter.add(tenant.projectId, embedded(3));
  counter.add(other.projectId, embedded(1));
  await counter.flush();
  counter.add(tenant.projectId, embedded(4));
  await counter.flush();
  expect(messages()).toEqual([['warn', 'failed to store tokens: retrying']]);
  proxy.restore();
  // By its own retry, without a flush.
  await waitUntil(async () => (await stored()) === 7);
  await counter.flush();
  expect(await stored()).toBe(7);
  expect(messages().slice(1)).toEqual([['info', 'tokens are stored again']]);
});

test('retries wait for 2 s after the first failure, then twice as long each time, up to a minute', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 1_100].map(retryDelayMs);
  expect(delays).toEqual([2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
});
