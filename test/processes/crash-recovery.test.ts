import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import {
  createTestDatabase,
  databaseSettings,
  serverUrl,
  type TestDatabase,
} from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { startOpenAiServer } from '../support/servers/openai-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const documentCount = 20;
const kills = 5;

let dataDir: string;
let database: TestDatabase | null;
let settings: Record<string, string>;
let service: ServiceProcess | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-crash-'));
  database = serverUrl() === undefined ? null : await createTestDatabase();
  settings = { DATA_DIR: dataDir, ...(database && databaseSettings(database)) };
});
afterEach(async () => {
  await service?.kill();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test(`${documentCount} documents survive ${kills} kills during their ingestion, with the chunks of an undisturbed run`, {
  timeout: 300_000,
}, async () => {
  service = await startServiceProcess(settings);
  const key = service.key ?? (await runCli(['seed'], settings)).secret;
  let client = restClient(`${service.url}/api/v1`, key);
  const disturbed = await createDocuments(client);
  for (let kill = 0; kill < kills; kill++) {
    // Each time, the process is killed after more requests, so that the kill hits different steps of the ingestion.
    for (let n = 0; n < 10 * kill; n++) await documentStatuses(client);
    await service.kill();
    service = await startServiceProcess(settings);
    client = restClient(`${service.url}/api/v1`, key);
  }
  await allReady(client);
  const undisturbed = await createDocuments(client);
  await allReady(client);
  expect(await chunks(disturbed)).toEqual(await chunks(undisturbed));
});

describe('one data directory', { timeout: 120_000 }, () => {
  test.skipIf(serverUrl() !== undefined)(
    'serves one process; a second one fails with a clear error and changes nothing',
    async () => {
      service = await startServiceProcess(settings);
      await expect(startServiceProcess(settings)).rejects.toThrow(/in use/);
      const client = restClient(`${service.url}/api/v1`, service.key ?? '');
      expect((await client.get('/knowledge/documents')).status).toBe(200);
    },
  );

  test.skipIf(serverUrl() !== undefined)(
    'shows an answer interrupted by a crash as failed after the next start',
    async () => {
      const models = await startOpenAiServer();
      const modelSettings = { OPENAI_BASE_URL: models.baseUrl, CHAT_MODEL: 'stand-in' };
      try {
        service = await startServiceProcess({ ...settings, ...modelSettings });
        models.script({ deltas: ['You can upload '], end: 'stall' });
        const client = restClient(`${service.url}/api/v1`, service.key ?? '');
        await waitUntil(async () => (await documentStatuses(client)).includes('READY'), {
          timeoutMs: 20_000,
        });
        const message = 'Which files can I upload?';
        const answer = await client.post('/chat', { message, stream: true });
        await models.request(0);
        await service.kill();
        await answer.text().catch(() => '');
        service = await startServiceProcess(settings);
        expect(
          await query(`select status from grounded.messages where role = 'ASSISTANT'`),
        ).toEqual([{ status: 'FAILED' }]);
      } finally {
        await models.close();
      }
    },
  );

  test('is consistent after a graceful shutdown, and a later start prints no new key', async () => {
    service = await startServiceProcess(settings);
    expect(await service.stop()).toBe(0);
    service = await startServiceProcess(settings);
    expect(service.key).toBeNull();
  });
});

async function createDocuments(client: RestClient): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: documentCount }, async (_, n) => {
      const response = await client.post('/knowledge/documents', {
        name: `Part ${n}.md`,
        content: part(n),
      });
      expect(response.status).toBe(201);
      return (await response.json()).id;
    }),
  );
  return made;
}

/** Returns text for about 12 chunks. No other part contains the same text. */
function part(n: number): string {
  const words = Array.from({ length: 1200 }, (_, i) =>
    createHash('sha1').update(`${n}/${i}`).digest('hex').slice(0, 6),
  );
  return `# Part ${n}\n\n${words.map((word, i) => (i % 12 === 11 ? `${word}.\n\n` : word)).join(' ')}`;
}

async function allReady(client: RestClient): Promise<void> {
  await waitUntil(
    async () => {
      const statuses = await documentStatuses(client);
      if (statuses.includes('FAILED')) throw new Error('a document has failed');
      return statuses.length >= documentCount && statuses.every((status) => status === 'READY');
    },
    { timeoutMs: 200_000, intervalMs: 500 },
  );
}

async function documentStatuses(client: RestClient): Promise<string[]> {
  const { data } = await (await client.get('/knowledge/documents?limit=100')).json();
  return data.map(({ status }: { status: string }) => status);
}

async function query(text: string, values: readonly unknown[] = []) {
  const url = database?.url ?? (await readFile(join(dataDir, 'postgres-url'), 'utf8'));
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return (await db.query(text, [...values])).rows;
  } finally {
    await db.end();
  }
}

async function chunks(documentIds: readonly string[]) {
  const rows = await query(
    `select d.name, c.position, c.content, c.start_offset, c.end_offset, c.token_count,
         c.context, md5(v.embedding::text) as vector, count(*) over (partition by d.id)::int = d.chunk_count as complete
       from grounded.documents d
       join grounded.chunks c on c.document_id = d.id
       join grounded.chunk_vectors v on v.chunk_id = c.id
       where d.id = any($1) order by d.name, c.position`,
    [documentIds],
  );
  expect(rows.every(({ complete }) => complete)).toBe(true);
  return rows;
}
