import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import {
  createTestDatabase,
  databaseSettings,
  serverUrl,
  type TestDatabase,
} from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const replacements = 100;
const readers = 2;
const otherDocuments = 30;
const sections = ['pool', 'sauna', 'kitchen', 'garage', 'terrace'];

let dataDir: string;
let database: TestDatabase | null;
let settings: Record<string, string>;
let service: ServiceProcess | undefined;
let key: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-replace-'));
  database = serverUrl() === undefined ? null : await createTestDatabase();
  settings = { DATA_DIR: dataDir, ...(database && databaseSettings(database)) };
  service = await startServiceProcess(settings);
  key = service.key ?? (await runCli(['seed'], settings)).secret;
});
afterEach(async () => {
  await service?.kill();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test(`searches find one whole version of a document that is replaced ${replacements} times`, {
  timeout: 400_000,
}, async () => {
  const client = connect();
  for (let n = 0; n < otherDocuments; n += 1) {
    await put(client, `other-${n}`, `# Ship ${n}\n\nShip number${n}x carries tea.`);
  }
  await put(client, 'house', house(1));
  await waitUntil(async () => (await houseVersions(client)).length > 0, { timeoutMs: 120_000 });

  let isReplacing = true;
  const seen = new Set<number>();
  let searches = 0;
  const read = async () => {
    let newest = 0;
    const look = async () => {
      const versions = await houseVersions(client);
      expect(versions).toEqual(sections.map(() => versions[0]));
      expect(versions[0]).toBeGreaterThanOrEqual(newest);
      newest = versions[0] ?? 0;
      seen.add(newest);
      searches += 1;
      return !isReplacing;
    };
    await waitUntil(look, { timeoutMs: 380_000, intervalMs: 50 });
  };
  const reading = Promise.all(Array.from({ length: readers }, read));
  const replacing = (async () => {
    for (let version = 2; version <= replacements + 1; version += 1) {
      await put(client, 'house', house(version));
      // Half of the replacements are followed by a wait for the publication. So the other half may replace a document
      // that is still being processed.
      if (version % 2 === 0) await published(client, version);
    }
    await published(client, replacements + 1);
  })();
  await Promise.all([replacing.finally(() => (isReplacing = false)), reading]);
  expect(await houseVersions(client)).toEqual(sections.map(() => replacements + 1));
  expect(seen.size).toBeGreaterThan(replacements / 4);
  expect(searches).toBeGreaterThan(replacements / 4);
  for (const n of [0, 13, otherDocuments - 1]) {
    expect((await search(client, `What does ship number${n}x carry?`))[0]?.content).toContain(
      `number${n}x`,
    );
  }
});

test('a replacement during which the process is killed is published after the next start', {
  timeout: 300_000,
}, async () => {
  await put(connect(), 'house', house(1));
  await published(connect(), 1);
  for (let version = 2; version <= 6; version += 1) {
    await put(connect(), 'house', house(version));
    // Each time, the process is killed after more searches, so that the kill hits different steps of the replacement.
    for (let n = 2; n < version; n += 1) await houseVersions(connect());
    await service?.kill();
    service = await startServiceProcess(settings);
    const versions = await houseVersions(connect());
    expect([version - 1, version]).toContain(versions[0]);
    expect(versions).toEqual(sections.map(() => versions[0]));
    await published(connect(), version);
    expect(await houseVersions(connect())).toEqual(sections.map(() => version));
  }
});

function connect(): RestClient {
  return restClient(`${service?.url}/api/v1`, key);
}

/** Returns a document with one chunk per section. Each chunk contains the version. */
function house(version: number): string {
  return sections
    .map(
      (section) => `# The ${section}\n\nThe villa's ${section} is described in issue-${version}.`,
    )
    .join('\n\n');
}

async function put(client: RestClient, externalId: string, content: string): Promise<void> {
  const body = { name: `${externalId}.md`, externalId, content };
  const response = await client.post('/knowledge/documents', body);
  expect([200, 201], await response.text()).toContain(response.status);
}

async function published(client: RestClient, version: number): Promise<void> {
  await waitUntil(
    async () => {
      const list = await client.get('/knowledge/documents?externalId=house');
      const [document] = (await list.json()).data;
      expect(document?.status).not.toBe('FAILED');
      return document?.status === 'READY' && document.version === version;
    },
    { timeoutMs: 120_000, intervalMs: 50 },
  );
}

async function search(client: RestClient, query: string): Promise<{ content: string }[]> {
  const response = await client.post('/knowledge/search', { query, limit: 10 });
  expect(response.status).toBe(200);
  return (await response.json()).results;
}

/** Searches, and returns the version of each chunk of the house that was found. */
async function houseVersions(client: RestClient): Promise<number[]> {
  const results = await search(client, "Which issue describes the villa's sections?");
  return results.flatMap(({ content }) => {
    const version = /described in issue-(\d+)/.exec(content)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}
