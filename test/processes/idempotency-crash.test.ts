import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { serverUrl } from '../support/database.ts';
import { startOpenAiServer } from '../support/openai-server.ts';
import { restClient } from '../support/rest-client.ts';
import { startServiceProcess } from '../support/service-process.ts';

test.skipIf(serverUrl() !== undefined)(
  'a request whose process was killed can be repeated as soon as the service is back',
  { timeout: 120_000 },
  async () => {
    const models = await startOpenAiServer();
    const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-idempotency-'));
    const settings = {
      DATA_DIR: dataDir,
      OPENAI_BASE_URL: models.baseUrl,
      CHAT_MODEL: 'stand-in',
    };
    let running = await startServiceProcess(settings);
    const secret = running.key ?? '';
    const client = () => restClient(`${running.url}/api/v1`, secret);
    const ask = () =>
      client().send('/chat', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'the key' },
        body: JSON.stringify({ message: 'Which files can I upload?' }),
      });
    try {
      await vi.waitUntil(async () => {
        const { data } = await (await client().get('/knowledge/documents')).json();
        return data.some(({ status }: { status: string }) => status === 'READY');
      }, 20_000);
      models.script({ deltas: ['You can upload '], end: 'stall' });
      const lost = ask().catch(() => null);
      await models.request(0);
      expect((await ask()).status).toBe(409);
      await running.kill();
      expect(await lost).toBeNull();
      running = await startServiceProcess(settings);
      const again = await ask();
      expect(again.status).toBe(200);
      expect(again.headers.has('Idempotent-Replayed')).toBe(false);
    } finally {
      await running.kill();
      await models.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
