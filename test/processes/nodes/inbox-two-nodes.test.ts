import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restClient } from '../../support/api/rest-client.ts';
import { subscribe } from '../../support/api/subscription.ts';
import { addConversation } from '../../support/conversations.ts';
import {
  createTestDatabase,
  serverUrl,
  type TestDatabase,
} from '../../support/database/database.ts';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';
import { waitUntil } from '../../support/wait-until.ts';

let database: TestDatabase;
/** Two nodes on one database. Requests go to the first node, subscriptions to the second. */
let apiNode: TestService;
let subscriptionNode: TestService;
let tenant: Tenant;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  apiNode = await startTestService({ isWorker: false, database });
  subscriptionNode = await startTestService({ isWorker: false, database });
  tenant = await apiNode.createTenant();
  token = await subscriptionNode.token({ role: 'service_role' });
}, 60_000);
afterAll(async () => {
  await Promise.all([apiNode?.stop(), subscriptionNode?.stop()]);
  await database?.drop();
});

const inbox = `subscription ($projectId: ID!) {
  handoffInbox(projectId: $projectId) { cursor handoff { id } }
}`;

test('a subscriber on one node receives each of 500 handoffs requested on the other, by notification', async () => {
  const key = await tenant.key();
  const { post } = restClient(`${apiNode.url}/api/v1`, key);
  const { projectId } = tenant;
  const events = await subscribe<{ handoffInbox: { handoff: { id: string } } }>(
    `${subscriptionNode.url}/graphql/stream`,
    token,
    inbox,
    { projectId },
  );
  const latencies: number[] = [];
  // The service also checks for events every 30 s. If a few events waited for this check, the test would time out.
  for (let n = 0; n < 500; n += 1) {
    const conversationId = await addConversation(apiNode, projectId);
    const began = performance.now();
    const [response, [event]] = await Promise.all([
      post('/handoff', { conversationId }),
      events.take(1),
    ]);
    latencies.push(performance.now() - began);
    const { handoffId } = await response.json();
    expect(event?.handoffInbox.handoff.id).toBe(handoffId);
  }
  events.disconnect();
  const sorted = latencies.sort((a, b) => a - b);
  const p50 = sorted[249] ?? 0;
  const p99 = sorted[494] ?? 0;
  console.log(`POST /handoff to subscriber: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
}, 120_000);

test('a thousand open subscriptions use less than 20 kB each, and are freed when their clients disconnect', async () => {
  const { projectId } = tenant;
  const { events } = subscriptionNode.adapters;
  await waitUntil(() => events.subscriptionCount === 0);
  // The first subscriptions cause one-time allocations, which the measurement must not include.
  await leave(await open(projectId, 50));
  await waitUntil(() => events.subscriptionCount === 0);

  const before = usedBytes();
  const clients = await open(projectId, 1_000);
  expect(events.subscriptionCount).toBe(1_000);
  const each = (usedBytes() - before) / 1_000;
  console.log(`an open subscription: ${(each / 1_000).toFixed(1)} kB`);
  expect(each).toBeLessThan(20_000);

  await leave(clients);
  await waitUntil(() => events.subscriptionCount === 0);
}, 60_000);

test.skipIf(serverUrl() === undefined)('a node listens on one connection', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and (query ilike 'listen%' or application_name = 'grounded-chat events')`,
  );
  await client.end();
  expect(rows).toEqual([{ count: 2 }]);
});

/** Opens subscriptions in another process, so that the measurement includes only the memory of the server. */
async function open(projectId: string, count: number): Promise<ChildProcess> {
  const body = JSON.stringify({ query: inbox, variables: { projectId } });
  const child = spawn(
    process.execPath,
    [
      'test/support/open-subscriptions.mjs',
      `${subscriptionNode.url}/graphql`,
      token,
      body,
      `${count}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return child;
}

async function leave(clients: ChildProcess): Promise<void> {
  clients.kill();
  await once(clients, 'exit');
}

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let n = 0; n < 3; n += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  // V8 compiles busy functions at any time, which is no cost of a subscription.
  const code = getHeapCodeStatistics();
  return heapUsed + external - code.code_and_metadata_size - code.bytecode_and_metadata_size;
}
