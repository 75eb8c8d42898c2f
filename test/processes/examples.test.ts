import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '../../packages/client/src/index.ts';
import { addDocuments } from '../support/knowledge.ts';
import { startExample } from '../support/programs/example-program.ts';
import { startWebhookReceiver } from '../support/servers/webhook-receiver.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const message = 'When does the lighthouse open?';

let service: TestService;
let tenant: Tenant;
let client: Client;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  client = createClient({ baseUrl: service.url, apiKey: await tenant.key() });
  await addDocuments(service, tenant.projectId, { Visiting: 'The lighthouse opens at nine.' });
});

describe('the Express back end', () => {
  let stop: () => Promise<void>;
  let url: string;
  const visitor = (name: string) =>
    createClient({ baseUrl: url, headers: { 'x-demo-user': name } });

  beforeAll(async () => {
    const key = await tenant.key({ scopes: ['CHAT', 'CONVERSATIONS_READ'] });
    ({ url, stop } = await startExample('express', {
      GROUNDED_CHAT_URL: service.url,
      GROUNDED_CHAT_KEY: key,
    }));
  });
  afterAll(() => stop?.());

  test('streams answers, and adds the key and the end user', async () => {
    const ada = visitor('ada');
    const stream = ada.chat.stream({ message, endUserId: 'grace' });
    let text = '';
    for await (const event of stream) if (event.type === 'delta') text += event.text;
    expect(text).toContain('opens at nine');
    const { conversationId, messageId } = await stream.result();
    expect((await client.conversations.get(conversationId)).endUserId).toBe('ada');
    expect((await ada.chat.resume(messageId).result()).content).toBe(text);
    expect(await ada.chat.stop(messageId)).toMatchObject({ content: text });
    await ada.feedback(messageId, { rating: 'UP' });
    await ada.chat({ message: 'And on Sundays?', conversationId });
    await ada.handoffs.request({ conversationId });
    expect(await ada.conversations.get(conversationId)).toMatchObject({ messageCount: 4 });
  });

  test('gives nobody the conversation of somebody else', async () => {
    const { conversationId } = await visitor('ada').chat({ message });
    const eve = visitor('eve');
    const notFound = { code: 'NOT_FOUND', status: 404 };
    await expect(eve.conversations.get(conversationId)).rejects.toMatchObject(notFound);
    await expect(eve.chat({ message, conversationId })).rejects.toMatchObject(notFound);
    await expect(eve.handoffs.request({ conversationId })).rejects.toMatchObject(notFound);
    await expect(eve.conversations.get(tenant.projectId)).rejects.toMatchObject(notFound);
    const { messages } = await client.conversations.get(conversationId);
    expect(messages).toHaveLength(2);
  });

  test('forwards nothing else, and no field that a visitor must not choose', async () => {
    const eve = visitor('eve');
    const notFound = { code: 'NOT_FOUND', status: 404 };
    await expect(eve.conversations.list()).rejects.toMatchObject(notFound);
    await expect(eve.documents.list()).rejects.toMatchObject(notFound);
    await expect(eve.keys.create({ name: 'a', scopes: ['chat'] })).rejects.toMatchObject(notFound);
    await expect(eve.usage()).rejects.toMatchObject(notFound);
    const other = await service.createTenant();
    await eve.chat({ message, filter: { nothing: {} } }, { projectId: other.projectId });
    for (const body of ['[]', '{', `{"message":"${'x'.repeat(40_000)}"}`]) {
      const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
      expect((await fetch(`${url}/api/v1/chat`, request)).status).toBe(400);
    }
    const form = { method: 'POST', body: '{"message":"Hello"}' };
    expect((await fetch(`${url}/api/v1/chat`, form)).status).toBe(400);
    const traversal = await fetch(`${url}/api/v1/chat%2f..%2fusage`);
    expect(traversal.status).toBe(404);
  });
});

test('the Slack bot posts a request for a person with a draft, once', async () => {
  const channel = await startWebhookReceiver();
  onTestFinished(() => channel.close());
  const received = await startWebhookReceiver();
  onTestFinished(() => received.close());
  const { secret } = await client.webhooks.create({
    url: received.url,
    types: ['human.requested'],
  });
  const key = await tenant.key({ scopes: ['CHAT'] });
  const settings = {
    ...{ GROUNDED_CHAT_URL: service.url, GROUNDED_CHAT_KEY: key },
    ...{ SECRET: secret, CHANNEL_URL: channel.url },
  };
  const bot = await startExample('slack-bot', settings);
  onTestFinished(() => bot.stop());

  const { conversationId } = await client.chat({ message });
  await client.handoffs.request({ conversationId, email: 'ada@example.com' });
  const [webhook] = await received.waitForRequests(1);
  const deliver = (body = webhook?.body ?? '') =>
    fetch(bot.url, { method: 'POST', headers: webhook?.webhookHeaders ?? {}, body });
  expect((await deliver('{}')).status).toBe(400);
  expect((await deliver()).status).toBe(204);
  expect((await deliver()).status).toBe(204);
  const [posted] = await channel.waitForRequests(1);
  const { text } = JSON.parse(posted?.body ?? '');
  expect(text).toContain('*ada@example.com* asks for a person');
  expect(text).toMatch(/Draft \(\d+ %\): The lighthouse opens at nine/);
  expect(channel.requests).toHaveLength(1);
});
