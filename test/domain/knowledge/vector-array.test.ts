import { expect, test } from 'vitest';
import { vectorArray } from '../../../src/domain/knowledge/ingestion/vector-array.ts';
import { runSql } from '../../../src/platform/postgres/run-sql.ts';
import { sharedService } from '../../support/shared-service.ts';

test('Postgres reads the vectors that it receives, with all bits of their numbers', async () => {
  const { pool } = (await sharedService()).system;
  const vectors = [
    Float32Array.of(0.1, -0.25, 1e-7),
    Float32Array.of(Math.fround(1 / 3), -0, 3.4e38),
  ];
  const rows = await runSql<{ vector: string }>(
    pool,
    'select v::text as vector from unnest($1::grounded.embedding[]) with ordinality as t (v, n) order by n',
    [vectorArray(vectors)],
  );
  expect(rows.map(({ vector }) => Float32Array.from(JSON.parse(vector)))).toEqual(vectors);
});

test('an empty list of vectors is an empty array', async () => {
  const { pool } = (await sharedService()).system;
  const [row] = await runSql(pool, 'select cardinality($1::grounded.embedding[]) as count', [
    vectorArray([]),
  ]);
  expect(row).toEqual({ count: 0 });
});
