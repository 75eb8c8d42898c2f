import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ensureEmbeddingModel,
  ensureTriedModel,
} from '../../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { runSql } from '../../../src/platform/postgres/run-sql.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ isWorker: false });
});
afterAll(() => service?.stop());

const model = (name: string) => ({ name, dimensions: 3 });

async function statusOf(id: number): Promise<string | undefined> {
  const { pool } = service.system;
  const sql = 'select status from grounded.embedding_models where id = $1::smallint';
  return (await runSql<{ status: string }>(pool, sql, [id]))[0]?.status;
}

test('a model that runs have tried becomes the active model with the first document, or is built', async () => {
  const { pool } = service.system;
  const first = await ensureTriedModel(pool, model('first'));
  const second = await ensureTriedModel(pool, model('second'));
  expect([first.status, second.status]).toEqual(['CANDIDATE', 'CANDIDATE']);
  expect(await ensureEmbeddingModel(pool, model('first'))).toBe(first.id);
  expect(await ensureEmbeddingModel(pool, model('second'))).toBe(second.id);
  expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['ACTIVE', 'BUILDING']);
});

test('a run that tries a model leaves its status', async () => {
  const { pool } = service.system;
  expect(await ensureTriedModel(pool, model('first'))).toMatchObject({ status: 'ACTIVE' });
  expect(await ensureTriedModel(pool, model('second'))).toMatchObject({ status: 'BUILDING' });
});

test('after the last id, free ids are used again', async () => {
  await service.ownerPool.query(
    'alter table grounded.embedding_models alter column id restart with 32767',
  );
  const { pool } = service.system;
  expect(await ensureTriedModel(pool, model('last'))).toMatchObject({ id: 32_767 });
  expect(await ensureTriedModel(pool, model('third'))).toMatchObject({ id: 3 });
});
