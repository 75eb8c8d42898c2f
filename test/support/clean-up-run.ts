import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabases, serverUrl } from './database/database.ts';
import { directoryPrefix, runVariable } from './test-run.ts';

/**
 * Global setup of vitest. Gives the test run a random name. At the end, deletes the directories and databases of
 * services that no suite stopped, such as shared services and services of killed vitest workers.
 */
// biome-ignore lint/style/noDefaultExport: vitest calls the default export.
export default function setUp(): () => Promise<void> {
  process.env[runVariable] = randomBytes(4).toString('hex');
  return async () => {
    const names = await readdir(tmpdir());
    for (const name of names.filter((name) => name.startsWith(directoryPrefix()))) {
      await rm(join(tmpdir(), name), { recursive: true, force: true });
    }
    if (serverUrl() !== undefined) await dropDatabases();
  };
}
