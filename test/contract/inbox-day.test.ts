import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCli } from '../support/cli.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database.ts';
import { graphqlClient } from '../support/graphql-client.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { type Subscription, subscribe } from '../support/subscription.ts';
import {
  type SupabaseProjectWithRealtime,
  startSupabaseProjectWith,
} from '../support/supabase-project.ts';
import { usesSupabase } from '../support/test-supabase.ts';

const handoffs = 200;

let database: TestDatabase;
let supabase: SupabaseProjectWithRealtime | null = null;
let dataDir: string;
let settings: Readonly<Record<string, string>>;
let steady: ServiceProcess;
/** Is killed in the middle of the day. */
let mortal: ServiceProcess;
let token: string;

beforeAll(async () => {
  if (serverUrl() === undefined) return;
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-day-'));
  if (usesSupabase()) supabase = await startSupabaseProjectWith(database.url);
  const { settings: more } = supabase ?? {};
  settings = { ROLE: 'api', DATABASE_URL: database.url, DATA_DIR: dataDir, ...more };
  steady = await startServiceProcess(settings);
  mortal = await startServiceProcess(settings);
  token = (await runCli(['token', '--role', 'service_role'], settings)).token;
}, 120_000);

afterAll(async () => {
  await Promise.all([steady?.stop(), mortal?.stop()]);
  await supabase?.close();
  await database?.drop();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

interface InboxData {
  readonly handoffInbox: {
    readonly cursor: string;
    readonly type: string;
    readonly handoff: { readonly id: string };
  };
}

const inbox = `subscription ($projectId: ID!, $after: String) {
  handoffInbox(projectId: $projectId, after: $after) { cursor type handoff { id } }
}`;

test.skipIf(serverUrl() === undefined)(
  'two agents see every event of 200 handoffs once and in order, though one of two servers is killed',
  async () => {
    const { projectId, key } = await makeTenant();
    const wanted = handoffs * 3;
    const first = watchDay(() => steady.url, projectId, wanted);
    const second = watchDay(() => mortal.url, projectId, wanted);
    await Promise.all([first.isOpen, second.isOpen]);

    for (let n = 0; n < handoffs; n += 1) {
      if (n === handoffs / 2) await mortal.kill();
      if (n === handoffs / 2 + 30) mortal = await startServiceProcess(settings);
      const isMortalUp = n < handoffs / 2 || n >= handoffs / 2 + 30;
      const { url } = isMortalUp && n % 2 === 1 ? mortal : steady;
      await workOn(url, projectId, key);
    }

    const expected = await storedCursors(projectId);
    expect(expected).toHaveLength(wanted);
    expect((await first.events).map(cursorOf)).toEqual(expected);
    expect((await second.events).map(cursorOf)).toEqual(expected);
  },
  180_000,
);

/** An agent's screen: comes back with its last cursor whenever the stream breaks off. */
function watchDay(url: () => string, projectId: string, count: number) {
  const opened = Promise.withResolvers<void>();
  const watch = async () => {
    const seen: InboxData[] = [];
    let events: Subscription<InboxData> | null = null;
    while (seen.length < count) {
      try {
        const after = seen.at(-1)?.handoffInbox.cursor;
        events ??= await subscribe(`${url()}/graphql/stream`, token, inbox, { projectId, after });
        opened.resolve();
        seen.push(...(await events.take(1)));
      } catch {
        events?.leave();
        events = null;
        await vi.waitUntil(() => isUp(url()), { timeout: 60_000, interval: 100 });
      }
    }
    events?.leave();
    return seen;
  };
  return { isOpen: opened.promise, events: watch() };
}

async function isUp(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/live`).catch(() => null);
  return response?.ok ?? false;
}

/** An end user asks for a person, who takes the conversation and ends it. */
async function workOn(url: string, projectId: string, key: string): Promise<void> {
  const conversationId = crypto.randomUUID();
  await withClient((client) =>
    client.query(
      `insert into grounded.conversations (id, project_id, title) values ($1, $2, 'A question')`,
      [conversationId, projectId],
    ),
  );
  const response = await fetch(`${url}/api/v1/handoff`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ conversationId }),
  });
  const { handoffId } = await response.json();
  const { data } = graphqlClient(url, token);
  for (const name of ['claimHandoff', 'resolveHandoff']) {
    await data(`mutation ($id: ID!) { ${name}(input: { handoffId: $id }) { id } }`, {
      id: handoffId,
    });
  }
}

async function storedCursors(projectId: string): Promise<string[]> {
  const { rows } = await withClient((client) =>
    client.query<{ position: string }>(
      'select position from grounded.inbox_events where project_id = $1 order by position',
      [projectId],
    ),
  );
  return rows.map(({ position }) => Buffer.from(`inbox:${position}`).toString('base64url'));
}

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function cursorOf({ handoffInbox }: InboxData): string {
  return handoffInbox.cursor;
}

async function makeTenant(): Promise<{ projectId: string; key: string }> {
  const { data } = graphqlClient(steady.url, token);
  const { createOrganization } = await data<{ createOrganization: { id: string } }>(
    'mutation { createOrganization(input: { name: "Harbour", plan: "scale" }) { id } }',
  );
  const organizationId = createOrganization.id;
  const { createProject } = await data<{ createProject: { id: string } }>(
    'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }',
    { input: { organizationId, name: 'Front desk' } },
  );
  const projectId = createProject.id;
  const { createApiKey } = await data<{ createApiKey: { secret: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { organizationId, projectId, name: 'Key', scopes: ['CHAT'] } },
  );
  return { projectId, key: createApiKey.secret };
}
