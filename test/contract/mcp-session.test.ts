import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';
import { waitUntil } from '../support/wait-until.ts';

// Uses one session of an assistant, with a language model that the test controls.

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  tenant = await service.createTenant();
  const content = 'Check-out is until 11:00. Late check-out costs 20 euros an hour.';
  await addDocuments(service, tenant.projectId, { 'Check-out': content });
  key = await tenant.key();
});
afterAll(() => service?.stop());

async function connect(revision: string): Promise<Client> {
  const mode = revision < '2026' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }),
  );
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  onTestFinished(() => client.close());
  return client;
}

test.each(['2025-11-25', '2026-07-28'])(
  'a client of revision %s lists, asks, follows up and cancels',
  async (revision) => {
    const client = await connect(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('ask');
    const listed = await client.callTool({ name: 'list_documents', arguments: {} });
    expect(listed.structuredContent).toMatchObject({
      documents: [{ name: 'Check-out', status: 'READY' }],
      total: 1,
    });

    models.script({ deltas: ['Check-out is until 11:00. ', '[1]'] });
    const first = await client.callTool({
      name: 'ask',
      arguments: { message: 'Until when is check-out?' },
    });
    expect(first.structuredContent).toMatchObject({
      content: expect.stringContaining('11:00'),
      citations: [{ documentName: 'Check-out' }],
    });
    const { conversationId } = first.structuredContent as { conversationId: string };

    models.script({}, { deltas: ['Late check-out costs 20 euros an hour. ', '[1]'] });
    const second = await client.callTool({
      name: 'ask',
      arguments: { message: 'What does late check-out cost?', conversationId },
    });
    expect(second.structuredContent).toMatchObject({ conversationId });
    const history = JSON.stringify(models.requests.at(-1)?.body);
    expect(history).toContain('Until when is check-out?');

    models.script({ deltas: ['Check-out ', 'is until '], end: 'stall' });
    const asked = models.request(models.requests.length);
    const controller = new AbortController();
    const onprogress = vi.fn(() => controller.abort());
    const third = client.callTool(
      { name: 'ask', arguments: { message: 'Until when exactly is check-out?' } },
      { signal: controller.signal, onprogress },
    );
    await expect(third).rejects.toThrow();
    expect(onprogress).toHaveBeenCalledWith(
      expect.objectContaining({ progress: expect.any(Number) }),
    );
    await (await asked).closed;
    const where = { projectId: tenant.projectId, role: 'ASSISTANT' } as const;
    const statuses = async () =>
      (await service.system.db.message.findMany({ where, orderBy: { id: 'asc' } })).map(
        ({ status }) => status,
      );
    await waitUntil(async () => !(await statuses()).includes('GENERATING'));
    expect((await statuses()).slice(-3)).toEqual(['COMPLETED', 'COMPLETED', 'STOPPED']);
  },
);
