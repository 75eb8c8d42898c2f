import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  createEmptyDatabase,
  createTestDatabase,
  databaseSettings,
  type TestDatabase,
} from '../../support/database/database.ts';
import { testSecretsKey } from '../../support/test-secrets-key.ts';
import { type MeasuredProcess, startMeasured } from './processes.ts';

/** A system to measure: how to start and call it. */
export interface System {
  readonly name: 'floor' | 'service';
  readonly basePath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly documentsPath: string;
  readonly searchPath: string;
  /** Starts a process. `settings` are added to its environment. */
  start(settings?: Readonly<Record<string, string>>): Promise<MeasuredProcess>;
  /** Resolves when a search can find this many documents. */
  waitForDocuments(origin: string, count: number): Promise<void>;
}

export interface Systems {
  readonly model: MeasuredProcess;
  readonly floor: System;
  readonly service: System;
  stop(): Promise<void>;
}

const folder = new URL('.', import.meta.url).pathname;
/** Name of the model server's models, as it is stored with vectors. */
export const modelName = 'stand-in';
const portPattern = /^port (\d+)$/;

export function startModelServer(): Promise<MeasuredProcess> {
  return startMeasured({
    args: [`${folder}model-server.mjs`],
    env: {},
    portPattern,
    readyPath: '/v1/models',
  });
}

/** Returns the settings of a service that uses this database and this model server. */
export function serviceSettings(
  database: TestDatabase,
  model: MeasuredProcess,
  dataDir: string,
): Readonly<Record<string, string>> {
  return {
    ...databaseSettings(database),
    ...{ DATA_DIR: dataDir, LOG_LEVEL: 'error', SECRETS_KEY: testSecretsKey },
    ...{
      OPENAI_BASE_URL: `${model.origin}/v1`,
      CHAT_MODEL: modelName,
      EMBEDDING_MODEL: modelName,
    },
  };
}

/** Starts the model server, and creates databases for both systems on the server `TEST_DATABASE_URL`. */
export async function prepareSystems(): Promise<Systems> {
  const model = await startModelServer();
  const databases = [await createEmptyDatabase(), await createTestDatabase()] as const;
  const [floorDatabase, serviceDatabase] = databases;
  const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-benchmark-'));
  const env = serviceSettings(serviceDatabase, model, dataDir);
  await runCli(env, 'organizations', 'create', '--name', 'Benchmark', '--plan', 'scale');
  await runCli(env, 'projects', 'create', '--name', 'Benchmark');
  return {
    model,
    floor: floorSystem(floorDatabase.url, model.origin),
    service: serviceSystem(env, await createKey(env, serviceDatabase)),
    async stop() {
      await model.stop();
      for (const database of databases) await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function floorSystem(databaseUrl: string, modelUrl: string): System {
  return {
    ...{ name: 'floor', basePath: '', headers: {} },
    ...{ documentsPath: '/documents', searchPath: '/search' },
    start: () =>
      startMeasured({
        args: [`${folder}floor-server.mjs`],
        env: { DATABASE_URL: databaseUrl, MODEL_URL: modelUrl },
        portPattern,
        readyPath: '/',
      }),
    waitForDocuments: async () => {},
  };
}

function serviceSystem(env: Readonly<Record<string, string>>, key: string): System {
  const headers = { authorization: `Bearer ${key}` };
  return {
    ...{ name: 'service', basePath: '/api/v1', headers },
    ...{ documentsPath: '/knowledge/documents', searchPath: '/knowledge/search' },
    start: (settings = {}) => startService({ ...env, ...settings }),
    async waitForDocuments(origin, count) {
      const url = `${origin}/api/v1/knowledge/documents?limit=1&status=READY`;
      for (;;) {
        const response = await fetch(url, { headers });
        const { total } = (await response.json()) as { total: number };
        if (total >= count) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/** Starts the production build with these settings. */
export function startService(env: Readonly<Record<string, string>>): Promise<MeasuredProcess> {
  return startMeasured({
    args: ['dist/src/main.js'],
    env: { PORT: '0', LOG_LEVEL: 'error', ...env },
    portPattern: /REST API {3}http:\/\/[^\s/]+:(\d+)/,
    readyPath: '/health/ready',
  });
}

/** Uses the command line to create a key of the only project, and removes the limits of the organization. */
export async function createKey(
  env: Readonly<Record<string, string>>,
  { url, directUrl = url }: TestDatabase,
): Promise<string> {
  const key = /sk_\w+/.exec(await runCli(env, 'keys', 'create'))?.[0];
  if (key === undefined) throw new Error('The command line printed no key');
  const client = new pg.Client({ connectionString: directUrl });
  await client.connect();
  await client.query(
    'update grounded.organizations set requests_per_minute = 100000000, monthly_messages = 100000000',
  );
  await client.end();
  return key;
}

async function runCli(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const settings = { PATH: process.env.PATH, ...env };
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['dist/src/cli/cli.js', ...args], {
    env: settings,
  });
  return stdout;
}
