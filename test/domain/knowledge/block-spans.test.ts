import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBlockSpans } from '../../../src/domain/knowledge/ingestion/add-block-spans.ts';
import { readBlockSpans } from '../../../src/text/block-spans.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const leave = `# Leave

You have thirty days a year.

- Ask your manager first.
- Then enter the days.

| Years | Days |
|---|---|
| 1 | 30 |
| 10 | 33 |
`;

async function chunksOf(projectId: string) {
  const { pool } = service.adapters;
  const { rows } = await pool.query<{ content: string; blocks: string | null; vectors: number }>(
    `select content, blocks, (select count(*)::int from grounded.chunk_vectors v where v.chunk_id = c.id) as vectors
     from grounded.published_chunks c where project_id = $1 order by document_id, position`,
    [projectId],
  );
  return rows;
}

test('chunks have the blocks of their document; those of an earlier version get them later', async () => {
  const { pool } = service.adapters;
  const { projectId } = await service.createTenant();
  await addDocuments(service, projectId, { 'leave.md': leave, 'gone.md': 'This text is short.' });
  const stored = await chunksOf(projectId);
  const { content = '', blocks } = stored.find((chunk) => chunk.content.includes('Leave')) ?? {};
  expect(
    readBlockSpans(blocks ?? '').map(({ kind, start, end }) => [kind, content.slice(start, end)]),
  ).toEqual([
    ['heading', 'Leave'],
    ['paragraph', 'You have thirty days a year.'],
    ['list-item', '- Ask your manager first.'],
    ['list-item', '- Then enter the days.'],
    ['table-row', 'Years | Days'],
    ['table-row', '1 | 30'],
    ['table-row', '10 | 33'],
  ]);

  await pool.query('update grounded.chunks set blocks = null where project_id = $1', [projectId]);
  await pool.query('update grounded.documents set block_spans = 0 where project_id = $1', [
    projectId,
  ]);
  const gone = await pool.query<{ id: string }>(
    `update grounded.documents set file_id = gen_random_uuid()
     where project_id = $1 and name = 'gone.md' returning id`,
    [projectId],
  );
  await addBlockSpans(service.adapters, AbortSignal.timeout(60_000));
  const filled = await chunksOf(projectId);
  expect(filled.filter(({ content }) => content.includes('Leave'))).toEqual(
    stored.filter(({ content }) => content.includes('Leave')),
  );
  const waiting = await pool.query<{ id: string }>(
    'select id from grounded.documents where project_id = $1 and block_spans = 0',
    [projectId],
  );
  expect(waiting.rows).toEqual(gone.rows);
});
