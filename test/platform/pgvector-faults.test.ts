import pg from 'pg';
import { expect, test } from 'vitest';
import { findPgvectorFaults, isBelow, pgvectorWarning } from '../../supabase/pgvector-faults.ts';
import { createTestDatabase, serverUrl } from '../support/database/database.ts';

const leaks = 'can crash or leak data when it builds an HNSW index in parallel';
const damages = 'can damage an HNSW index when it vacuums it';
const fails = 'can fail to vacuum an HNSW index';
const see = 'See docs/guides/operations.md#update-pgvector';
const install =
  'Install pgvector 0.8.4 or later on the server, then run in the database: alter extension vector update;';

test.each([
  ['0.8.0', `${leaks}, ${damages} and ${fails}`],
  ['0.8.1', `${leaks}, ${damages} and ${fails}`],
  ['0.8.2', `${damages} and ${fails}`],
  ['0.8.3', fails],
])('names the faults of %s and the statement that updates it', (installed, faults) => {
  const uses = `The database uses pgvector ${installed}, which ${faults}.`;
  expect(pgvectorWarning({ installed, available: installed })).toBe(`${uses} ${install} ${see}`);
  expect(pgvectorWarning({ installed, available: '0.8.3' })).toBe(`${uses} ${install} ${see}`);
  for (const available of ['0.8.4', '0.10.0', '1.0']) {
    expect(pgvectorWarning({ installed, available })).toBe(
      `${uses} The server has pgvector ${available}. Run in the database: alter extension vector update; ${see}`,
    );
  }
});

test.each(['0.8.4', '0.8.6', '0.8.10', '0.9', '0.10.1', '1.0.0', '1'])(
  'does not warn of %s, even if the files of the server are older',
  (installed) => {
    expect(pgvectorWarning({ installed, available: installed })).toBeNull();
    expect(pgvectorWarning({ installed, available: '0.8.0' })).toBeNull();
  },
);

test('does not warn of a database without pgvector', () => {
  expect(pgvectorWarning({ installed: null, available: '0.8.0' })).toBeNull();
});

test.runIf(serverUrl() === undefined)('the embedded database has none of the faults', async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  try {
    expect(await findPgvectorFaults(pool)).toBeNull();
  } finally {
    await pool.end();
    await database.drop();
  }
});

test.each([
  ['0.7.4', '0.8.0', true],
  ['0.8', '0.8.0', false],
  ['0.8.0', '0.8.0', false],
  ['0.8.10', '0.8.4', false],
  ['0.9.0-dev', '0.8.4', false],
  ['1.0', '0.8.4', false],
])('%s below %s: %s', (version, minimum, expected) => {
  expect(isBelow(version, minimum)).toBe(expected);
});
