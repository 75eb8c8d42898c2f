import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { type ReverseProxy, startReverseProxy } from '../support/servers/reverse-proxy.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { waitUntil } from '../support/wait-until.ts';
import { checkInvariants } from './check-invariants.ts';
import { generateLoad } from './load-generator.ts';
import { createTally } from './tally.ts';
import { watchInbox } from './watch-inbox.ts';

const run = promisify(execFile);

/** How often each fault is injected. */
const rounds = Number(process.env.TOPOLOGY_ROUNDS || 1);
/** Number of successful calls between two faults. They take several seconds. */
const successesBetween = 200;

/** There are two API processes, which clients reach through a proxy, and two workers. */
type ProcessName = 'api 1' | 'api 2' | 'worker 1' | 'worker 2';
const processNames: readonly ProcessName[] = ['api 1', 'api 2', 'worker 1', 'worker 2'];

let dataDir: string;
let postgresDir: string;
let databaseUrl: string;
let settings: Record<string, string>;
let models: OpenAiServer;
let proxy: ReverseProxy;
let receiver: WebhookReceiver;
let operator: GraphqlClient;
let token: string;
const processes = new Map<ProcessName, ServiceProcess>();
/** Processes that exited although the test had not stopped them. */
const unexpectedExits: string[] = [];

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
    // The proxy needs half of this time to detect that a process is not ready.
    STOP_DELAY_SECONDS: '1',
    LOG_LEVEL: 'fatal',
  };
  for (const name of processNames) await start(name);
  token = (await runCli(['token', '--role', 'service_role'], settings)).token;
  operator = graphqlClient(proxy.url, token);
  await waitUntil(() => isServing());
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
  const loadController = new AbortController();
  const load = generateLoad({ url: proxy.url, newKey }, tally, loadController.signal);

  const underLoad = async () => {
    const before = tally.successes;
    await waitUntil(() => tally.successes >= before + successesBetween, { timeoutMs: 60_000 });
  };
  const during = async (phase: string, disturb: () => Promise<void>) => {
    await underLoad();
    tally.startPhase(phase);
    const startedAt = performance.now();
    await disturb();
    times.push(`${phase}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    await underLoad();
    tally.startPhase('quiet');
  };
  const rollingRestarts: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of processNames) {
      await during(`kill -9 of ${name}, round ${round}`, async () => {
        await removeProcess(name).kill();
        await start(name);
      });
    }
    await during(`Postgres crashes, round ${round}`, async () => {
      await run('bash', ['test/support/postgres-restart.sh'], { env: postgresEnv() });
      await waitUntil(isServing, { timeoutMs: 30_000, intervalMs: 50 });
    });
    rollingRestarts.push(`rolling restart, round ${round}`);
    await during(`rolling restart, round ${round}`, async () => {
      for (const name of processNames) {
        expect(await removeProcess(name).stop(), `exit code of ${name}`).toBe(0);
        await start(name);
      }
    });
  }
  loadController.abort();
  const acknowledged = await load;
  await waitUntil(() => isIdle(projectId), { timeoutMs: 90_000, intervalMs: 250 });
  await Promise.all(screens.map((screen) => screen.leave()));

  const usage = await (
    await fetch(`${proxy.url}/api/v1/usage`, {
      headers: { Authorization: `Bearer ${await newKey()}` },
    })
  ).json();
  const cursors = screens.map((screen) => screen.cursors);
  const observations = { acknowledged, cursors, webhooks: receiver.requests, usage };
  const summary = await checkInvariants(databaseUrl, projectId, observations);
  console.log(
    [
      ...['', ...tally.report(), ''],
      ...['Recovery times:', ...times, ''],
      ...summary,
      `reconnects of subscribers: ${screens.map(({ reconnects }) => reconnects).join(', ')}`,
    ].join('\n'),
  );
  expect(unexpectedExits).toEqual([]);
  expect(tally.hangs).toBe(0);
  expect(tally.successes).toBeGreaterThan(500);
  for (const phase of rollingRestarts) expect(tally.failures(phase), phase).toEqual({});
  expect(usage.organizationId).toBe(organizationId);
}, 3_600_000);

async function start(name: ProcessName): Promise<void> {
  const [role = '', number] = name.split(' ');
  const service = await startServiceProcess({ ...settings, ROLE: role });
  processes.set(name, service);
  if (role === 'api') proxy.setUpstream(Number(number) - 1, service.url);
  await waitUntil(async () => (await fetch(`${service.url}/health/ready`)).ok, {
    timeoutMs: 30_000,
  });
  void service.exited.then((code) => {
    if (processes.get(name) === service) unexpectedExits.push(`${name} with ${code}`);
  });
}

/** Removes the process with this name from the list, so that its exit is expected. Returns the process. */
function removeProcess(name: ProcessName): ServiceProcess {
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

/**
 * Starts a separate Postgres, because the test crashes it. Commits are synchronous, so committed data must survive the
 * crash.
 */
async function startPostgres(): Promise<string> {
  const { stdout } = await run('bash', ['test/support/postgres-up.sh'], { env: postgresEnv() });
  const url = stdout.trim();
  await withClient(url, async (client) => {
    await client.query('alter system set synchronous_commit = on');
    await client.query('select pg_reload_conf()');
  });
  return url;
}

/** Returns whether all background jobs of the project have finished. */
async function isIdle(projectId: string): Promise<boolean> {
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
