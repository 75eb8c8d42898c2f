import { beforeAll, expect, test } from 'vitest';
import { runSql } from '../../src/platform/postgres/run-sql.ts';
import { countStatements } from '../support/conversations.ts';
import { addDocuments, waitForProjectIndex } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  key = await tenant.key({ projectId: tenant.projectId });
  await addDocuments(service, tenant.projectId, { 'Sauna.txt': 'The sauna opens at noon.' });
  await search();
}, 60_000);

async function search(): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/knowledge/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'When does the sauna open?' }),
  });
  expect(response.status).toBe(200);
}

const storedTokens = async () => {
  const [row] = await runSql<{ tokens: number }>(
    service.system.pool,
    'select embedding_tokens::float8 as tokens from grounded.usage_periods where organization_id = $1',
    [tenant.organizationId],
  );
  return row?.tokens ?? 0;
};

test('a search with a project-scoped key reads key and documents, and nothing else', async () => {
  await waitForProjectIndex(service, tenant.projectId);
  const counts: number[] = [];
  // Jobs and the storing of token counts run at the same time, so the lowest count belongs to the search only.
  for (let n = 0; n < 5; n += 1) counts.push(await countStatements(service.adapters.pool, search));
  expect(Math.min(...counts)).toBe(2);
});

test('the embedding tokens of a search are stored soon, and before a flush returns', async () => {
  const before = await storedTokens();
  await search();
  await service.adapters.embeddingTokens.flush();
  const first = await storedTokens();
  expect(first).toBeGreaterThan(before);
  await search();
  await expect.poll(storedTokens).toBeGreaterThan(first);
});
