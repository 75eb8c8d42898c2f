import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, serverUrl } from '../support/database/database.ts';

/**
 * Starts a private Postgres if `TEST_DATABASE_URL` is not set, and sets it. The server has a folder of its own, so that
 * it is never one that other programs use. When this process exits, the server stops and its folder is deleted.
 */
export function startServerIfUnset(): void {
  if (serverUrl() !== undefined) return;
  const env = {
    ...process.env,
    TEST_POSTGRES_DIR: mkdtempSync(join(tmpdir(), 'grounded-chat-benchmark-')),
  };
  process.once('exit', () => runScript('postgres-down.sh', ['--purge'], env));
  const { status, stdout } = runScript('postgres-up.sh', [], env);
  const url = stdout.trim();
  if (status !== 0 || url === '') throw new Error('Postgres did not start, see above');
  process.env.TEST_DATABASE_URL = url;
}

/**
 * Returns the database at `url`, which keeps its data. If `url` is empty, creates a database on the server of
 * `startServerIfUnset`, which is dropped after the benchmark.
 */
export async function openDatabase(
  url: string,
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  if (url !== '') return { url, drop: async () => {} };
  startServerIfUnset();
  const database = await createTestDatabase();
  return { url: database.directUrl ?? database.url, drop: database.drop };
}

/** Runs a script of test/support. Its errors and its progress go to standard error. */
function runScript(name: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const script = new URL(`../support/${name}`, import.meta.url).pathname;
  return spawnSync('bash', [script, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
