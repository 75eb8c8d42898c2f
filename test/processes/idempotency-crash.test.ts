import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import { serverUrl } from '../support/database/database.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { waitUntil } from '../support/wait-until.ts';

let models: OpenAiServer;
let dataDir: string;
let running: ServiceProcess;
let secret: string;
let conversationId: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-idempotency-'));
  if (serverUrl() !== undefined) return;
  await start();
  secret = running.key ?? '';
  await waitUntil(
    async () => {
      const { data } = await (await client().get('/knowledge/documents')).json();
      return data.some(({ status }: { status: string }) => status === 'READY');
    },
    { timeoutMs: 20_000 },
  );
  ({ conversationId } = await (await client().post('/chat', { message: 'Hello' })).json());
});
afterAll(async () => {
  await running?.kill();
  await models?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  running = await startServiceProcess({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: models.baseUrl,
    CHAT_MODEL: 'stand-in',
  });
}

const client = (): RestClient => restClient(`${running.url}/api/v1`, secret);

function post(path: string, key: string, body: object): Promise<Response> {
  return client().send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
}

function upload(key: string): Promise<Response> {
  const form = new FormData();
  form.append('file', new File(['At nine.'], 'Tours.txt'));
  const init = { method: 'POST', headers: { 'Idempotency-Key': key }, body: form };
  return client().send('/knowledge/documents/upload', init);
}

async function runSql(
  statements: readonly string[],
  limits: pg.ClientConfig = {},
): Promise<pg.QueryResult> {
  const connectionString = (await readFile(join(dataDir, 'postgres-url'), 'utf8')).trim();
  const database = new pg.Client({ connectionString, ...limits });
  database.on('error', () => {});
  await database.connect();
  try {
    let result = await database.query('select 1');
    for (const statement of statements) result = await database.query(statement);
    return result;
  } finally {
    database.end().catch(() => {});
  }
}

/** Blocks the statement that stores a response. The effect of the request is already committed. */
const blockResponses = [
  `create function grounded.block_response() returns trigger language plpgsql as $$
   begin
     while clock_timestamp() < statement_timestamp() + interval '60 seconds' loop end loop;
     return new;
   end $$`,
  `create trigger block_response before update on grounded.idempotency_keys
   for each row when (new.status is not null) execute function grounded.block_response()`,
];
const unblockResponses = [
  'drop trigger block_response on grounded.idempotency_keys',
  'drop function grounded.block_response',
];

/** The engine runs one statement at a time. Resolves when it is running the endless statement. */
async function waitForBlockedDatabase(): Promise<void> {
  const limits = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };
  const isBlocked = () =>
    runSql([], limits).then(
      () => false,
      (error: Error) => /timeout/.test(error.message),
    );
  await waitUntil(isBlocked, { timeoutMs: 30_000, intervalMs: 50 });
}

async function countRows(): Promise<unknown> {
  const { rows } = await runSql([
    `
    select (select count(*) from grounded.documents) as documents,
      (select count(*) from grounded.handoffs) as handoffs,
      (select count(*) from grounded.messages) as messages,
      (select sum(messages) from grounded.usage_periods) as consumed`,
  ]);
  const { documents, handoffs, messages, consumed } = rows[0];
  return [documents, handoffs, messages, consumed].map(Number);
}

const question = 'Which files can I upload?';

test
  .skipIf(serverUrl() !== undefined)
  .each<[string, readonly number[], (key: string) => Promise<Response>]>([
    ['POST /chat', [0, 0, 2, 1], (key) => post('/chat', key, { message: question })],
    [
      'POST /chat with stream: true',
      [0, 0, 2, 1],
      (key) => post('/chat', key, { message: question, stream: true }),
    ],
    [
      'POST /knowledge/documents',
      [1, 0, 0, 0],
      (key) => post('/knowledge/documents', key, { name: 'Hours', content: 'At nine.' }),
    ],
    ['POST /knowledge/documents/upload', [1, 0, 0, 0], upload],
    ['POST /handoff', [0, 1, 0, 0], (key) => post('/handoff', key, { conversationId })],
  ])(
  '%s has one effect when the process is killed before the response is stored',
  { timeout: 120_000 },
  async (_name, effect, send) => {
    const before = (await countRows()) as number[];
    await runSql(blockResponses);
    const key = randomUUID();
    const lost = send(key).catch(() => null);
    await waitForBlockedDatabase();
    await running.kill();
    await lost.then((response) => response?.text()).catch(() => null);
    await start();
    await runSql(unblockResponses);
    const asked = models.requests.length;
    const again = await send(key);
    expect(again.ok).toBe(true);
    const text = await again.text();
    const replayed = await send(key);
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await replayed.text()).toBe(text);
    expect(await countRows()).toEqual(before.map((count, index) => count + (effect[index] ?? 0)));
    expect(models.requests).toHaveLength(asked);
  },
);

test.skipIf(serverUrl() !== undefined)(
  'an answer whose process was killed is generated in place when the request is repeated',
  { timeout: 120_000 },
  async () => {
    const ask = () => post('/chat', 'the key', { message: question });
    const before = (await countRows()) as number[];
    const asked = models.requests.length;
    models.script({ deltas: ['You can upload '], end: 'stall' });
    const lost = ask().catch(() => null);
    await models.request(asked);
    expect((await ask()).status).toBe(409);
    await running.kill();
    expect(await lost).toBeNull();
    await start();
    const again = await ask();
    expect(again.status).toBe(200);
    expect(again.headers.has('Idempotent-Replayed')).toBe(false);
    const [documents = 0, handoffs = 0, messages = 0, consumed = 0] = before;
    expect(await countRows()).toEqual([documents, handoffs, messages + 2, consumed + 1]);
  },
);
