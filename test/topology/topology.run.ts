import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCli } from '../support/cli.ts';
import { type GraphqlClient, graphqlClient } from '../support/graphql-client.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts';
import { type ReverseProxy, startReverseProxy } from '../support/reverse-proxy.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { checkInvariants } from './check-invariants.ts';
import { useService } from './load.ts';
import { createTally } from './tally.ts';
import { watchInbox } from './watch-inbox.ts';

const run = promisify(execFile);

/** How often each disturbance comes. */
const rounds = Number(process.env.TOPOLOGY_ROUNDS || 1);
/** How long the load goes on between disturbances. */
const calmMs = 4_000;

/** Two of the API behind a proxy, and two workers. */
type Name = 'api 1' | 'api 2' | 'worker 1' | 'worker 2';
const names: readonly Name[] = ['api 1', 'api 2', 'worker 1', 'worker 2'];

let dataDir: string;
let postgresDir: string;
let databaseUrl: string;
let settings: Record<string, string>;
let models: OpenAiServer;
let proxy: ReverseProxy;
let receiver: WebhookReceiver;
let operator: GraphqlClient;
let token: string;
const processes = new Map<Name, ServiceProcess>();
/** Which ended though nobody had ended them. */
const diedAlone: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-topology-'));
  postgresDir = join(tmpdir(), `grounded-chat-topology-postgres-${process.pid}`);
  databaseUrl = await startPostgres();
  models = await startOpenAiServer();
  proxy = await startReverseProxy();
  receiver = await startWebhookReceiver();
  settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: models.baseUrl,
    CHAT_MODEL: 'stand-in',
    EMBEDDING_MODEL: 'stand-in',
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    // Twice as long as the proxy needs to notice.
    STOP_DELAY_SECONDS: '1',
    LOG_LEVEL: 'fatal',
  };
  for (const name of names) await start(name);
  token = (await runCli(['token', '--role', 'service_role'], settings)).token;
  operator = graphqlClient(proxy.url, token);
  await vi.waitUntil(() => isServing(), 10_000);
}, 240_000);

afterAll(async () => {
  await Promise.all([...processes.values()].map((process) => process.kill()));
  await proxy?.close();
  await receiver?.close();
  await models?.close();
  await run('bash', ['test/support/postgres-down.sh', '--purge'], { env: postgresEnv() });
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

test('whatever dies or restarts, nothing that was acknowledged is lost, and nothing hangs', async () => {
  const { projectId, organizationId, newKey } = await makeTenant();
  const screens = [1, 2].map(() => watchInbox(proxy.url, token, projectId));
  const tally = createTally();
  const times: string[] = [];
  const over = new AbortController();
  const load = useService({ url: proxy.url, newKey }, tally, over.signal);

  const during = async (phase: string, disturb: () => Promise<void>) => {
    await calm();
    tally.enter(phase);
    const startedAt = performance.now();
    await disturb();
    times.push(`${phase}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    await calm();
    tally.enter('quiet');
  };
  const rolls: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) {
      await during(`kill -9 of ${name}, round ${round}`, async () => {
        await take(name).kill();
        await start(name);
      });
    }
    await during(`Postgres crashes, round ${round}`, async () => {
      await run('bash', ['test/support/postgres-restart.sh'], { env: postgresEnv() });
      await vi.waitUntil(isServing, { timeout: 30_000, interval: 50 });
    });
    rolls.push(`rolling restart, round ${round}`);
    await during(`rolling restart, round ${round}`, async () => {
      for (const name of names) {
        expect(await take(name).stop(), `exit code of ${name}`).toBe(0);
        await start(name);
      }
    });
  }
  over.abort();
  const kept = await load;
  await vi.waitUntil(() => isAtRest(projectId), { timeout: 90_000, interval: 250 });
  await Promise.all(screens.map((screen) => screen.leave()));

  const usage = await (
    await fetch(`${proxy.url}/api/v1/usage`, {
      headers: { Authorization: `Bearer ${await newKey()}` },
    })
  ).json();
  const cursors = screens.map((screen) => screen.cursors);
  const seen = { kept, cursors, webhooks: receiver.requests, usage };
  const facts = await checkInvariants(databaseUrl, projectId, seen);
  console.log(
    [
      ...['', ...tally.report(), ''],
      ...['Until all was up again:', ...times, ''],
      ...facts,
      `reconnects of subscribers: ${screens.map(({ reconnects }) => reconnects).join(', ')}`,
    ].join('\n'),
  );
  expect(diedAlone).toEqual([]);
  expect(tally.hangs).toBe(0);
  expect(tally.successes).toBeGreaterThan(500);
  for (const roll of rolls) expect(tally.failures(roll), roll).toEqual({});
  expect(usage.organizationId).toBe(organizationId);
}, 3_600_000);

function calm(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, calmMs));
}

async function start(name: Name): Promise<void> {
  const [role = '', number] = name.split(' ');
  const service = await startServiceProcess({ ...settings, ROLE: role });
  processes.set(name, service);
  if (role === 'api') proxy.place(Number(number) - 1, service.url);
  await vi.waitUntil(async () => (await fetch(`${service.url}/health/ready`)).ok, 30_000);
  void service.exited.then((code) => {
    if (processes.get(name) === service) diedAlone.push(`${name} with ${code}`);
  });
}

/** The process of this name, which is to end now. */
function take(name: Name): ServiceProcess {
  const service = processes.get(name);
  if (service === undefined) throw new Error(`${name} does not run`);
  processes.delete(name);
  return service;
}

async function isServing(): Promise<boolean> {
  const answer = await fetch(`${proxy.url}/health/ready`);
  return answer.ok;
}

function postgresEnv(): NodeJS.ProcessEnv {
  return { ...process.env, TEST_POSTGRES_DIR: postgresDir };
}

/** One of its own, since it is to crash, which must not take what has been committed. */
async function startPostgres(): Promise<string> {
  const { stdout } = await run('bash', ['test/support/postgres-up.sh'], { env: postgresEnv() });
  const url = stdout.trim();
  await withClient(url, async (client) => {
    await client.query('alter system set synchronous_commit = on');
    await client.query('select pg_reload_conf()');
  });
  return url;
}

/** Whether everything that was to be done later has been. */
async function isAtRest(projectId: string): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ open: number }>(
      `select
         (select count(*)::int from grounded.documents
          where project_id = $1 and status = 'PROCESSING') +
         (select count(*)::int from grounded.webhook_deliveries
          where project_id = $1 and status = 'PENDING') as open`,
      [projectId],
    );
    return rows[0]?.open === 0;
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function makeTenant() {
  const { createOrganization } = await operator.data<{ createOrganization: { id: string } }>(
    'mutation { createOrganization(input: { name: "Harbour", plan: "scale" }) { id } }',
  );
  const organizationId = createOrganization.id;
  const { createProject } = await operator.data<{ createProject: { id: string } }>(
    'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }',
    { input: { organizationId, name: 'Front desk' } },
  );
  const projectId = createProject.id;
  await operator.data(
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { secret } }',
    { input: { projectId, url: receiver.url, types: ['human.requested', 'document.ready'] } },
  );
  const scopes = ['CHAT', 'KNOWLEDGE_READ', 'KNOWLEDGE_WRITE', 'ANALYTICS_READ'];
  const newKey = async () => {
    const { createApiKey } = await operator.data<{ createApiKey: { secret: string } }>(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
      { input: { organizationId, projectId, name: 'Key', scopes } },
    );
    return createApiKey.secret;
  };
  return { organizationId, projectId, newKey };
}
