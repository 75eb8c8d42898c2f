import { expect, test, vi } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { bundleWithPackages } from '../support/programs/example-program.ts';

const bundle = await bundleWithPackages('packages/react/src/chat-store.ts', 'node');
const { createChatStore } = await import(bundle);

const meta = { type: 'meta', conversationId: 'c', messageId: 'm', seq: 0 };
const done = {
  ...{ type: 'done', conversationId: 'c', messageId: 'm', content: 'At nine.', seq: 1 },
  ...{ citations: [], confidence: 0.9, latencyMs: 1 },
};
const failed = { type: 'error', message: 'Failed', code: 'MODEL_ERROR', retryable: true, seq: 1 };
const streamOf = (...events: readonly object[]) => {
  const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return () => new Response(frames.join(''));
};
const lost = () => Promise.reject(new TypeError('fetch failed'));

/** Opens a chat with a service that gives these answers in turn. */
function openChat(answers: readonly (() => Response | Promise<Response>)[], options: object = {}) {
  const sent: { readonly key: string | null; readonly body: unknown }[] = [];
  const client = createClient({
    baseUrl: 'https://chat.example.com',
    maxRetries: 0,
    fetch: async (_, init = {}) => {
      const key = new Headers(init.headers).get('idempotency-key');
      sent.push({ key, body: JSON.parse(String(init.body ?? 'null')) });
      return (answers[sent.length - 1] ?? lost)();
    },
  });
  return { chat: createChatStore({ client, pollIntervalMs: 0, ...options }), sent };
}

const waitFor = (chat: { getState(): { status: string } }, status: string) =>
  vi.waitFor(() => expect(chat.getState().status).toBe(status), 15_000);

test('a message whose first request was lost is sent again with the same key', async () => {
  const { chat, sent } = openChat([lost, streamOf(meta, done)]);
  chat.send('When does it open?');
  await waitFor(chat, 'error');
  chat.retry();
  await waitFor(chat, 'ready');
  expect(chat.getState().messages.at(-1)).toMatchObject({ content: 'At nine.' });
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  chat.send('When does it open?');
  await waitFor(chat, 'error');
  expect(sent[2]?.key).not.toBe(sent[0]?.key);
});

test('a message whose answer failed is asked again in its conversation', async () => {
  const { chat, sent } = openChat([streamOf(meta, failed), streamOf(meta, done)]);
  chat.send('When does it open?');
  await waitFor(chat, 'error');
  chat.retry();
  await waitFor(chat, 'ready');
  expect(sent[1]?.body).toMatchObject({ conversationId: 'c' });
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('a conversation that could not be read is read again', async () => {
  const message = { role: 'USER', content: 'Hello', citations: [], confidence: null };
  const stored = { id: 'q', ...message, status: 'COMPLETED' };
  const transcript = () => Response.json({ status: 'OPEN', messages: [stored] });
  const { chat } = openChat([lost, transcript], { conversationId: 'c' });
  await chat.open();
  expect(chat.getState().status).toBe('error');
  chat.retry();
  await vi.waitFor(
    () => expect(chat.getState().messages).toMatchObject([{ content: 'Hello' }]),
    15_000,
  );
  expect(chat.getState()).toMatchObject({ status: 'ready', error: null });
});
