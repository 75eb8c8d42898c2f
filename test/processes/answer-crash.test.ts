import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readUntil } from '../support/api/read-until.ts';
import { restClient } from '../support/api/rest-client.ts';
import { serverUrl } from '../support/database/database.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { waitUntil } from '../support/wait-until.ts';

let models: OpenAiServer | undefined;
let running: ServiceProcess | undefined;
let dataDir: string | undefined;

afterEach(async () => {
  await running?.kill();
  await models?.close();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

/** Reads the stream until its text contains `last`. Returns the text and the ids of the answer. */
async function readAnswer(response: Response, last: string) {
  const frames = await readUntil(response, last);
  const events = frames
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => JSON.parse(frame.slice('data: '.length)));
  const text = events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
  return { text, conversationId: events[0].conversationId as string };
}

test.skipIf(serverUrl() !== undefined)(
  'after kill -9 the transcript contains the text that was sent, the message is free, its tokens are counted, and it has a trace',
  { timeout: 120_000 },
  async () => {
    models = await startOpenAiServer();
    dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-answer-'));
    const settings = {
      DATA_DIR: dataDir,
      OPENAI_BASE_URL: models.baseUrl,
      CHAT_MODEL: 'stand-in',
    };
    running = await startServiceProcess(settings);
    const secret = running.key ?? '';
    const client = () => restClient(`${running?.url}/api/v1`, secret);
    await waitUntil(
      async () => {
        const { data } = await (await client().get('/knowledge/documents')).json();
        return data.some(({ status }: { status: string }) => status === 'READY');
      },
      { timeoutMs: 20_000 },
    );
    const before = await (await client().get('/usage')).json();

    models.script({
      deltas: Array.from({ length: 30 }, (_, n) => `word${n} `),
      delayMs: 100,
      end: 'stall',
    });
    const stream = await client().post('/chat', {
      message: 'Which files can I upload?',
      stream: true,
    });
    const { text, conversationId } = await readAnswer(stream, 'word29');
    // The service stores the text once a second.
    await waitUntil(async () => {
      const transcript = await (await client().get(`/conversations/${conversationId}`)).json();
      return transcript.messages[1]?.content.trim() === text.trim();
    });
    await running.kill();

    running = await startServiceProcess(settings);
    const transcript = await (await client().get(`/conversations/${conversationId}`)).json();
    expect(transcript.messages[1]).toMatchObject({ role: 'ASSISTANT', status: 'FAILED' });
    expect(transcript.messages[1].content.trim()).toBe(text.trim());
    const after = await (await client().get('/usage')).json();
    expect(after.messages.used).toBe(before.messages.used);
    expect(after.tokens.output - before.tokens.output).toBeGreaterThanOrEqual(30);
    expect(after.tokens.input).toBeGreaterThan(before.tokens.input);
    const { id } = transcript.messages[1];
    const trace = await (await client().get(`/messages/${id}/trace`)).json();
    expect(trace.decision.reasons).toEqual(['FAILED']);
    expect(trace.hits.length).toBeGreaterThan(0);
    expect(trace.modelCalls.at(-1)).toMatchObject({ purpose: 'ANSWER', model: 'stand-in' });
    expect(after.tokens.embedding).toBeGreaterThan(before.tokens.embedding);
  },
);
