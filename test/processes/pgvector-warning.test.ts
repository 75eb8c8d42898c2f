import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestDatabase,
  databaseSettings,
  type TestDatabase,
} from '../support/database/database.ts';
import { startServiceProcess } from '../support/programs/service-process.ts';

const warnings = /The database uses pgvector 0\.8\.2, which .*alter extension vector update;/g;

// With TEST_DATABASE_URL, these tests run on that Postgres. Otherwise they run on the embedded database.
describe('a pgvector with faults', { timeout: 120_000 }, () => {
  let dataDir: string;
  let database: TestDatabase;
  let settings: Record<string, string>;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-test-'));
    database = await createTestDatabase();
    settings = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...databaseSettings(database) };
  });
  afterAll(async () => {
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('is logged once per start, and by the command that migrates', async () => {
    await recordVersion(database.directUrl ?? database.url, '0.8.2');
    for (const role of ['all', 'worker']) expect(await logOfStart({ ROLE: role })).toHaveLength(1);
    expect(await logOfCommand('migrate')).toHaveLength(1);
    expect(await logOfCommand('keys list')).toHaveLength(0);
  });

  test('is not logged after the update', async () => {
    await recordVersion(database.directUrl ?? database.url, '0.8.4');
    expect(await logOfStart()).toHaveLength(0);
    expect(await logOfCommand('migrate')).toHaveLength(0);
  });

  test('is not logged for the embedded database, which nobody can update', async () => {
    settings = { DATA_DIR: join(dataDir, 'embedded'), LOG_LEVEL: 'warn' };
    const service = await startServiceProcess(settings);
    await recordVersion(await readFile(join(dataDir, 'embedded', 'postgres-url'), 'utf8'), '0.8.2');
    await service.stop();
    expect(await logOfStart()).toHaveLength(0);
    expect(await logOfCommand('migrate')).toHaveLength(0);
  });

  /** Starts and stops the service. Returns the warnings that it has logged. */
  async function logOfStart(extra: Record<string, string> = {}): Promise<string[]> {
    const service = await startServiceProcess({ ...settings, WORKER_PORT: '0', ...extra });
    expect(await service.stop()).toBe(0);
    return service.errors().match(warnings) ?? [];
  }

  async function logOfCommand(command: string): Promise<string[]> {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['dist/src/cli/cli.js', ...command.split(' ')],
      { env: { PATH: process.env.PATH, ...settings } },
    );
    return stderr.match(warnings) ?? [];
  }
});

/** Changes the catalogue only, because a server has the files of one version. */
async function recordVersion(connectionString: string, version: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(`update pg_extension set extversion = $1 where extname = 'vector'`, [
      version,
    ]);
  } finally {
    await client.end();
  }
}
