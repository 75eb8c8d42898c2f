import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-sse';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphqlClient } from '../../support/api/graphql-client.ts';
import { subscribe } from '../../support/api/subscription.ts';
import {
  createTestDatabase,
  databaseSettings,
  serverUrl,
  type TestDatabase,
} from '../../support/database/database.ts';
import { runCli } from '../../support/programs/run-cli.ts';
import {
  type ServiceProcess,
  startServiceProcess,
} from '../../support/programs/service-process.ts';
import { usesSupabase } from '../../support/servers/shared-supabase-project.ts';
import {
  type SupabaseProjectWithRealtime,
  startSupabaseProjectWithRealtime,
} from '../../support/servers/supabase-project.ts';
import { waitUntil } from '../../support/wait-until.ts';

const handoffs = 200;

let database: TestDatabase;
let supabase: SupabaseProjectWithRealtime | null = null;
let dataDir: string;
let settings: Readonly<Record<string, string>>;
let steady: ServiceProcess;
/** The server process that the test kills. */
let mortal: ServiceProcess;
/** Token of the service role. The setup uses it. */
let token: string;
/** Two operators and their tokens. */
let agents: readonly Agent[];

interface Agent {
  readonly email: string;
  readonly token: string;
}

beforeAll(async () => {
  if (serverUrl() === undefined) return;
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-day-'));
  if (usesSupabase()) supabase = await startSupabaseProjectWithRealtime(database.url);
  const { settings: more } = supabase ?? {};
  settings = { ROLE: 'api', ...databaseSettings(database), DATA_DIR: dataDir, ...more };
  steady = await startServiceProcess(settings);
  mortal = await startServiceProcess(settings);
  token = (await runCli(['token', '--role', 'service_role'], settings)).token;
  agents = await Promise.all(['ada@example.com', 'ben@example.com'].map(signIn));
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
  'two agents receive every event of 200 handoffs once and in order, although one of two servers is killed',
  async () => {
    const { projectId, key } = await makeTenant();
    const transfers = Math.ceil(handoffs / 3);
    const [ada, ben] = agents;
    if (ada === undefined || ben === undefined) throw new Error('no agents');
    const screens = [
      watchInbox(() => rawSseSubscriber(steady.url, ada, projectId), steadyUrl),
      watchInbox(() => graphqlSseSubscriber(mortal.url, ben, projectId), mortalUrl),
    ];
    await Promise.all(screens.map(({ isOpen }) => isOpen));

    for (let n = 0; n < handoffs; n += 1) {
      if (n === handoffs / 2) await mortal.kill();
      if (n === handoffs / 2 + 30) mortal = await startServiceProcess(settings);
      const isMortalUp = n < handoffs / 2 || n >= handoffs / 2 + 30;
      const urls = [steady.url, isMortalUp ? mortal.url : steady.url];
      await processHandoff(n % 2 === 0 ? urls : urls.reverse(), { projectId, key, n });
    }

    const expected = await storedCursors(projectId);
    expect(expected).toHaveLength(handoffs * 4 + transfers);
    for (const { cursors } of screens) {
      await expect.poll(() => cursors, { timeout: 60_000, interval: 200 }).toEqual(expected);
    }
    await Promise.all(screens.map(({ close }) => close()));
  },
  300_000,
);

const steadyUrl = () => steady.url;
const mortalUrl = () => mortal.url;

/** Opens a subscription on the current server that starts after a cursor. Resolves when the server has subscribed. */
type SubscriptionFactory = () => (after: string | undefined) => Promise<InboxSubscription>;

interface InboxSubscription {
  /** Returns the next event. Rejects if the stream is interrupted. */
  next(): Promise<InboxData>;
  leave(): void;
}

/** Reads the SSE stream of GraphQL Yoga without a client library. */
function rawSseSubscriber(
  url: string,
  agent: Agent,
  projectId: string,
): ReturnType<SubscriptionFactory> {
  return async (after) => {
    const variables = { projectId, after };
    const events = await subscribe<InboxData>(`${url}/graphql`, agent.token, inbox, variables);
    const next = async () => {
      const [event] = await events.take(1);
      if (event === undefined) throw new Error('no event');
      return event;
    };
    return { next, leave: () => events.disconnect() };
  };
}

/** Uses the graphql-sse client without its own retries, because they would not send the latest cursor. */
function graphqlSseSubscriber(
  url: string,
  agent: Agent,
  projectId: string,
): ReturnType<SubscriptionFactory> {
  return async (after) => {
    const client = createClient({
      url: `${url}/graphql/stream`,
      headers: { Authorization: `Bearer ${agent.token}` },
      retryAttempts: 0,
    });
    const variables = { projectId, ...(after !== undefined && { after }) };
    const connected = Promise.withResolvers<void>();
    const events = client.iterate<InboxData, never>(
      { query: inbox, variables },
      { connected: () => connected.resolve() },
    );
    let coming: ReturnType<typeof events.next> | null = events.next();
    await Promise.race([connected.promise, coming]);
    const next = async () => {
      const { done, value } = await (coming ?? events.next());
      coming = null;
      if (done || value.data == null) throw new Error(`no event but ${JSON.stringify(value)}`);
      return value.data;
    };
    return { next, leave: () => client.dispose() };
  };
}

/** Simulates an agent's inbox. After each interruption, reconnects with the latest cursor until the inbox is closed. */
function watchInbox(open: SubscriptionFactory, url: () => string) {
  const opened = Promise.withResolvers<void>();
  const cursors: string[] = [];
  let isClosed = false;
  let screen: InboxSubscription | null = null;
  const watch = async () => {
    while (!isClosed) {
      try {
        screen ??= await open()(cursors.at(-1));
        opened.resolve();
        cursors.push((await screen.next()).handoffInbox.cursor);
      } catch {
        screen?.leave();
        screen = null;
        await waitUntil(() => isClosed || isUp(url()), { timeoutMs: 60_000, intervalMs: 100 });
      }
    }
  };
  const watching = watch();
  const close = () => {
    isClosed = true;
    screen?.leave();
    return watching;
  };
  return { isOpen: opened.promise, cursors, close };
}

async function isUp(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/live`).catch(() => null);
  return response?.ok ?? false;
}

/**
 * Simulates one handoff. An end user requests it. Both agents try to claim it, each on a different server. The agent
 * who succeeds replies. Then, depending on `n`, this agent resolves the handoff, returns it to the assistant, or
 * transfers it to the other agent, who resolves it.
 */
async function processHandoff(
  urls: readonly string[],
  { projectId, key, n }: { projectId: string; key: string; n: number },
): Promise<void> {
  const conversationId = crypto.randomUUID();
  await withClient((client) =>
    client.query(
      `insert into grounded.conversations (id, project_id, title) values ($1, $2, 'A question')`,
      [conversationId, projectId],
    ),
  );
  const response = await fetch(`${urls[n % 2]}/api/v1/handoff`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ conversationId }),
  });
  const { handoffId } = await response.json();
  const desks = agents.map(({ email, token }, index) => ({
    email,
    client: graphqlClient(urls[index] ?? '', token),
  }));
  const claims = await Promise.all(
    desks.map(({ client }) => client.send(mutation('claimHandoff'), { input: { handoffId } })),
  );
  const codes = claims.map(({ errors }) => errors?.[0]?.extensions.code ?? 'won');
  expect([...codes].sort()).toEqual(['CONFLICT', 'won']);
  const winner = desks[codes.indexOf('won')];
  const loser = desks[codes.indexOf('CONFLICT')];
  if (winner === undefined || loser === undefined) throw new Error('nobody won');
  const reply = { conversationId, content: 'I am looking into it.' };
  await winner.client.data(mutation('replyToConversation'), { input: reply });
  if (n % 3 === 0) {
    const input = { handoffId, to: loser.email };
    await winner.client.data(mutation('transferHandoff'), { input });
  }
  const last = n % 3 === 0 ? loser : winner;
  const end = n % 3 === 2 ? 'returnToAssistant' : 'resolveHandoff';
  await last.client.data(mutation(end), { input: { handoffId } });
}

function mutation(name: string): string {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${name}(input: $input) { id } }`;
}

async function signIn(email: string): Promise<Agent> {
  const { token } = await runCli(['token', '--role', 'authenticated', '--email', email], settings);
  return { email, token };
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
  for (const { email } of agents) {
    await data('mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }', {
      input: { organizationId, email, role: 'AGENT' },
    });
  }
  const { createApiKey } = await data<{ createApiKey: { secret: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { organizationId, projectId, name: 'Key', scopes: ['CHAT'] } },
  );
  return { projectId, key: createApiKey.secret };
}
