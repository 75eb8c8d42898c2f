import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { countStatements } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
});

/**
 * Returns the number of statements of one request. Measures five times and returns the lowest number, because other
 * work may run at the same time.
 */
async function countOf(key: string, headers: () => Record<string, string>): Promise<number> {
  const counts: number[] = [];
  for (let n = 0; n < 5; n += 1)
    counts.push(await countStatements(service.adapters.pool, () => create(key, headers())));
  return Math.min(...counts);
}

async function create(key: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/knowledge/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'Pool', content: 'The pool opens at seven.', ...project(key) }),
  });
  expect(response.status, await response.text()).toBe(201);
}

const organizationKeys = new Set<string>();
const project = (key: string) => (organizationKeys.has(key) ? { projectId: tenant.projectId } : {});

test('a new document takes two statements: one for the key, one for document, quota and job', async () => {
  const key = await tenant.key({ projectId: tenant.projectId });
  expect(await countOf(key, () => ({}))).toBe(2);
});

test('a key of the organization needs one more, for the project', async () => {
  const key = await tenant.key({ isOrgWide: true });
  organizationKeys.add(key);
  expect(await countOf(key, () => ({}))).toBe(3);
});

test('an Idempotency-Key needs two more, which claim it and store the response', async () => {
  const key = await tenant.key({ projectId: tenant.projectId });
  expect(await countOf(key, () => ({ 'Idempotency-Key': randomUUID() }))).toBe(4);
});
