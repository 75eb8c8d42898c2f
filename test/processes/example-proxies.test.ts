import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readUntil } from '../support/api/read-until.ts';
import { restClient } from '../support/api/rest-client.ts';
import {
  createTestDatabase,
  databaseSettings,
  type TestDatabase,
} from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import {
  type ExampleProxy,
  type ExampleProxyName,
  startExampleProxy,
} from '../support/servers/example-proxy.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const proxies: readonly ExampleProxyName[] = ['nginx', 'Caddy'];

// Needs the nginx and Caddy of Debian, which test/support/deployment-tools.sh installs.
describe.skipIf(!process.env.DEPLOYMENT_TOOLS).each(proxies)('%s with its example', (name) => {
  let database: TestDatabase;
  let models: OpenAiServer;
  let dataDir: string;
  let settings: Record<string, string>;
  let nodes: readonly [ServiceProcess, ServiceProcess];
  let proxy: ExampleProxy;
  let key: string;
  let operator: string;
  let projectId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    models = await startOpenAiServer();
    dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-proxies-'));
    settings = {
      ...databaseSettings(database),
      ...{ DATA_DIR: dataDir, TRUSTED_PROXIES: '1', STOP_DELAY_SECONDS: '3' },
      ...{ OPENAI_BASE_URL: models.baseUrl, CHAT_MODEL: 'stand-in' },
    };
    ({ secret: key, projectId } = await runCli(['seed'], settings));
    ({ token: operator } = await runCli(['token', '--role', 'service_role'], settings));
    nodes = [await startServiceProcess(settings), await startServiceProcess(settings)];
    proxy = await startExampleProxy(name, [nodes[0].url, nodes[1].url]);
    const documents = restClient(`${nodes[0].url}/api/v1`, key);
    await waitUntil(async () => {
      const page = await (await documents.get('/knowledge/documents')).json();
      return page.data[0]?.status === 'READY';
    });
  }, 120_000);
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all(nodes?.map((node) => node.kill()) ?? []);
    await models?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const post = (path: string, body: object, token = key, more: object = {}) =>
    proxy.send(path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'text/event-stream, application/json',
        ...more,
      },
      body: JSON.stringify(body),
    });
  const graphql = async (query: string, variables: object, from?: string) => {
    const response = await proxy.send('/graphql', {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${operator}`, 'Content-Type': 'application/json' },
        ...{ 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Host': 'forged.example' },
      },
      body: JSON.stringify({ query, variables }),
      ...(from !== undefined && { from }),
    });
    const { data, errors } = await response.json();
    expect(errors).toBeUndefined();
    return data;
  };

  const question = { message: 'Which files can I upload?', stream: true };
  const subscription = `subscription ($input: SendMessageInput!) {
    chat(input: $input) { ... on ChatDelta { text } } }`;
  const streams: readonly [string, () => object][] = [
    ['/api/v1/chat', () => question],
    ['/v1/chat/completions', () => ({ model: 'grounded', stream: true, messages: [user] })],
    ['/graphql', () => ({ query: subscription, variables: { input: { message: user.content } } })],
  ];
  const user = { role: 'user', content: question.message };

  test.each(streams)('a stream of %s arrives while the model still writes', async (path, body) => {
    const pause = Promise.withResolvers<void>();
    models.script({
      deltas: ['The first words of the answer. ', 'The last words.'],
      hold: { text: 'The last', until: pause.promise },
    });
    const response = await post(path, body());
    expect(response.status).toBe(200);
    const [beginning, whole] = [response.clone(), response];
    await readUntil(beginning, 'first');
    pause.resolve();
    expect(await whole.text()).toContain('last');
  });

  test.each(['/mcp', '/mcp/'])('an MCP client reaches %s', async (path) => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const response = await post(path, list, key, { 'MCP-Protocol-Version': '2025-06-18' });
    expect(await response.text()).toContain('search');
    expect(response.status).toBe(200);
  });

  test.each([
    ...['/health', '/health/ready', '/metrics', '/v1/../metrics', '/v1/%2e%2e/metrics', '/x'],
    ...['//metrics', '/graphql/../health/live'],
  ])('%s is not reachable', async (path) => {
    const response = await proxy.send(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('API-Version')).toBeNull();
  });

  test('the service sees the address of the client, and not one that the client sent', async () => {
    const find = `query ($id: ID!) { project(id: $id) { organizationId } }`;
    const { organizationId } = (await graphql(find, { id: projectId })).project;
    const create = `mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }`;
    await graphql(create, { input: { organizationId, name: 'Forged' } }, '127.0.0.2');
    const log = `query ($id: ID!) { organization(id: $id) {
      auditLog(action: PROJECT_CREATED, first: 1) { edges { node { ipAddress } } } } }`;
    const { organization } = await graphql(log, { id: organizationId });
    expect(organization.auditLog.edges).toEqual([{ node: { ipAddress: '127.0.0.2' } }]);
  });

  test('an upload with a wrong key is refused, and one of 20 MB is accepted', async () => {
    const upload = (token: string) => {
      const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
      return proxy.send('/api/v1/knowledge/documents/upload', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'multipart/form-data; boundary=x',
        },
        body: Buffer.concat([Buffer.from(head), Buffer.alloc(20e6, ' '), Buffer.from('\r\n--x--')]),
      });
    };
    expect((await upload('sk_wrong')).status).toBe(401);
    expect((await upload(key)).status).toBe(201);
  });

  test('a question that a process has received is not sent to the other one', async () => {
    const received: string[] = [];
    const upstreams = await Promise.all([1, 2].map(() => startBreakingServer(received)));
    const [first = '', second = ''] = upstreams.map(({ url }) => url);
    onTestFinished(() => {
      for (const { close } of upstreams) close();
    });
    const other = await startExampleProxy(name, [first, second]);
    onTestFinished(() => other.stop());
    const ask = { method: 'POST', body: '{}' };
    expect((await other.send('/api/v1/chat?a', ask)).status).toBe(502);
    expect((await other.send('/api/v1/chat?b', ask)).status).toBe(502);
    expect(received).toEqual(['/api/v1/chat?a', '/api/v1/chat?b']);
  });

  test('no request fails while a process stops, or after it', async () => {
    let hasStopped = false;
    const stopped = nodes[0].stop().then(() => {
      hasStopped = true;
    });
    const statuses = new Set<number>();
    for (let after = 0; after < 10; after += Number(hasStopped)) {
      statuses.add((await post('/api/v1/knowledge/search', { query: 'PDF' })).status);
      statuses.add((await proxy.send('/llms.txt')).status);
    }
    await stopped;
    expect([...statuses]).toEqual([200]);
  });
});

/** Starts a server that breaks the connection of each POST request when it has received it. */
async function startBreakingServer(received: string[]) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.end();
    await buffer(request);
    received.push(request.url ?? '');
    return request.socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${address.port}`, close };
}
