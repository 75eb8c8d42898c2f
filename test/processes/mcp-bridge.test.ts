import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../support/service.ts';

// Runs the stdio bridge in a separate process, with the client of the official SDK.

const bridge = fileURLToPath(
  new URL('../../packages/client/bin/grounded-chat-mcp.mjs', import.meta.url),
);
let models: OpenAiServer;
let service: TestService;
let key: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  service = await startTestService({ openAi: models.chatModelConfig });
  const tenant = await service.createTenant();
  key = await tenant.key();
  await addDocuments(service, tenant.projectId, { 'Check-out': 'Check-out is until 11:00.' });
});
afterAll(async () => {
  await service?.stop();
  await models?.close();
});

async function connect(revision: string, apiKey = key, ending = ''): Promise<Client> {
  const mode = revision < '2026' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const env = { GROUNDED_CHAT_URL: `${service.url}${ending}`, GROUNDED_CHAT_KEY: apiKey };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bridge], env }),
  );
  onTestFinished(() => client.close());
  return client;
}

test.each(['2025-11-25', '2026-07-28'])(
  'a client of revision %s lists, asks, reads and cancels by stdio',
  async (revision) => {
    const client = await connect(revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('ask');
    models.script({ deltas: ['Check-out \u2028 is until 11:00. ', '[1]'] });
    const message = 'Until when is check-out?';
    const answer = await client.callTool({ name: 'ask', arguments: { message } });
    expect(answer.structuredContent).toMatchObject({
      content: expect.stringContaining('11:00'),
      citations: [{ documentName: 'Check-out' }],
    });
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('11:00') });

    models.script({ deltas: ['Check-out ', 'is until '], end: 'stall', finishReason: null });
    const asked = models.request(models.requests.length);
    const controller = new AbortController();
    const onprogress = vi.fn(() => controller.abort());
    const { signal } = controller;
    const call = client.callTool({ name: 'ask', arguments: { message } }, { signal, onprogress });
    await expect(call).rejects.toThrow();
    expect(onprogress).toHaveBeenCalled();
    await (await asked).closed;
  },
  60_000,
);

test('a wrong key and an unreachable service are errors that say why', async () => {
  await expect(connect('2025-11-25', 'sk_wrong')).rejects.toThrow(/UNAUTHENTICATED/);
  const unreachable = { GROUNDED_CHAT_URL: 'http://127.0.0.1:9', GROUNDED_CHAT_KEY: key };
  const client = new Client({ name: 'test', version: '1.0.0' });
  onTestFinished(() => client.close());
  const transport = { command: process.execPath, args: [bridge], env: unreachable };
  await expect(client.connect(new StdioClientTransport(transport))).rejects.toThrow(
    /cannot be reached/,
  );
});

test.each(['/', '/api/v1', '/api/v1/'])('the address may end with "%s"', async (ending) => {
  const client = await connect('2025-11-25', key, ending);
  expect((await client.listTools()).tools).not.toEqual([]);
});

test.each([
  ['the key in place of the address', { GROUNDED_CHAT_URL: 'sk_secret' }],
  ['an address with a user', { GROUNDED_CHAT_URL: 'http://sk_secret@127.0.0.1' }],
  ['an address with a wrong port', { GROUNDED_CHAT_URL: 'http://127.0.0.1:sk_secret' }],
  ['a key of two lines', { GROUNDED_CHAT_KEY: 'sk_secret\nsk_secret' }],
])('%s ends the bridge, and its error does not contain the key', async (_, settings) => {
  const { code, errors } = await runBridge({ GROUNDED_CHAT_KEY: 'sk_secret', ...settings });
  expect([code, errors]).toEqual([1, expect.stringMatching(/^GROUNDED_CHAT_(?:URL|KEY) must be/)]);
  expect(errors).not.toContain('sk_secret');
});

test('without a key the bridge does not start', async () => {
  const { code, errors } = await runBridge({});
  expect([code, errors]).toEqual([1, expect.stringContaining('GROUNDED_CHAT_KEY is not set')]);
});

async function runBridge(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [bridge], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  const errors: Buffer[] = [];
  child.stderr.on('data', (bytes) => errors.push(bytes));
  const [code] = await once(child, 'close');
  return { code, errors: Buffer.concat(errors).toString() };
}
