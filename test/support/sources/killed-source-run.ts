import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restClient } from '../api/rest-client.ts';
import { createTestDatabase, databaseSettings, serverUrl } from '../database/database.ts';
import { runCli } from '../programs/run-cli.ts';
import { startServiceProcess } from '../programs/service-process.ts';
import { waitUntil } from '../wait-until.ts';

interface KilledRun {
  /** The finished run, as the API returns it. */
  readonly run: Readonly<Record<string, unknown>>;
  /** SHA-256 of the source's documents, by document name. At most 100. */
  readonly documents: Readonly<Record<string, string>>;
}

/**
 * Starts a run of a new source in a process of the service. Kills that process when `halfway` resolves. Another process
 * finishes the run.
 */
export async function killSourceRun(
  source: { readonly kind: string; readonly config: object },
  {
    halfway,
    onKilled,
    env = {},
  }: {
    readonly halfway: Promise<void>;
    onKilled(): void;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<KilledRun> {
  const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-kill-'));
  const database = serverUrl() === undefined ? null : await createTestDatabase();
  const access = database === null ? {} : databaseSettings(database);
  const settings = { DATA_DIR: dataDir, ALLOW_PRIVATE_SOURCES: 'true', ...access, ...env };
  let process = await startServiceProcess(settings);
  try {
    const key = process.key ?? (await runCli(['seed'], settings)).secret;
    const client = () => restClient(`${process.url}/api/v1`, key);
    const created = await client().post('/knowledge/sources', { ...source, name: 'Source' });
    const { id } = await created.json();
    await client().post(`/knowledge/sources/${id}/sync`);
    await halfway;
    await process.kill();
    onKilled();
    process = await startServiceProcess(settings);
    const run = await waitUntil(
      async () => {
        const { lastRun } = await (await client().get(`/knowledge/sources/${id}`)).json();
        return lastRun.finishedAt !== null && lastRun;
      },
      { timeoutMs: 240_000, intervalMs: 200 },
    );
    const list = `/knowledge/documents?sourceId=${id}&limit=100`;
    const { data } = await (await client().get(list)).json();
    const documents = Object.fromEntries(
      data.map(({ name, contentHash }: Record<string, string>) => [name, contentHash]),
    );
    return { run, documents };
  } finally {
    await process.kill();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
