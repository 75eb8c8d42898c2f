import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bucketName } from '../../src/platform/storage/supabase-storage.ts';
import { expectErrorBody, type RestClient } from '../support/api/rest-client.ts';
import { waitForDocuments } from '../support/knowledge.ts';
import {
  type SupabaseProjectServer,
  startSupabaseProject,
} from '../support/servers/supabase-project.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

let project: SupabaseProjectServer;
let service: TestService;
let tenant: Tenant;
let client: RestClient;

beforeAll(async () => {
  project = await startSupabaseProject();
  service = await startTestService({ supabase: project });
  tenant = await service.createTenant();
  client = await tenant.rest();
});
afterEach(() => project.storage.injectFault(null));
afterAll(async () => {
  await service?.stop();
  await project?.close();
});

const objects = () => project.storage.buckets.get(bucketName)?.objects ?? new Map();
const file = () => new File(['The pool opens at seven. '.repeat(2_000)], 'Pool.txt');

async function states() {
  const response = await fetch(`${service.url}/health/ready`);
  return { httpStatus: response.status, ...(await response.json()) };
}

test.each(['busy', 'down', 'cut'] as const)(
  'a storage that is %s makes uploads return 503 and leaves no partial document',
  async (fault) => {
    const before = { objects: objects().size, documents: await documentCount() };
    project.storage.injectFault(fault);
    for (const upload of [
      () => client.upload('/knowledge/documents/upload', file()),
      () => client.post('/knowledge/documents', { name: 'Pool', content: 'It opens at seven.' }),
    ]) {
      expect(await expectErrorBody(upload())).toMatchObject({
        statusCode: 503,
        code: 'UNAVAILABLE',
      });
    }
    expect({ objects: objects().size, documents: await documentCount() }).toEqual(before);
    project.storage.injectFault(null);
    expect((await client.get('/usage')).status).toBe(200);
  },
);

test('documents that wait for the storage are ingested after it recovers', async () => {
  const made = await (await client.upload('/knowledge/documents/upload', file())).json();
  const [first] = await waitForDocuments(service, tenant.projectId, [made.id]);
  expect(first).toMatchObject({ status: 'READY' });
  // One file access has fewer retries than this, and the job has more attempts.
  project.storage.injectFault('down', 3);
  const { system } = service;
  await system.db.document.update({ where: { id: made.id }, data: { status: 'FAILED' } });
  expect((await client.post(`/knowledge/documents/${made.id}/retry`)).status).toBeLessThan(300);
  const [again] = await waitForDocuments(service, tenant.projectId, [made.id]);
  expect(again).toMatchObject({ status: 'READY' });
}, 60_000);

test('readiness reports the outage and the recovery, and keeps the node in rotation', async () => {
  expect(await states()).toMatchObject({ httpStatus: 200, status: 'ok' });
  project.storage.injectFault('down');
  expect(await states()).toMatchObject({
    httpStatus: 200,
    status: 'degraded',
    checks: { database: 'ok', storage: 'unavailable', queue: 'ok' },
  });
  project.storage.injectFault(null);
  expect(await states()).toMatchObject({ httpStatus: 200, status: 'ok' });
});

test('the storage path of an original consists of ids, and the original is deleted with its document', async () => {
  const strange = new File(['The bar has rum.'], '../../etc/päss?wd#.txt');
  const { id } = await (await client.upload('/knowledge/documents/upload', strange)).json();
  const key = `${tenant.projectId}/${id}`;
  expect(objects().get(key)).toMatchObject({ contentType: 'application/octet-stream' });
  await waitForDocuments(service, tenant.projectId, [id]);
  expect((await client.delete(`/knowledge/documents/${id}`)).ok).toBe(true);
  await expect.poll(() => objects().has(key), { timeout: 20_000 }).toBe(false);
});

function documentCount(): Promise<number> {
  return service.system.db.document.count({ where: { projectId: tenant.projectId } });
}
