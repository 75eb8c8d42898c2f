import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  createClient,
  verifyWebhook,
  WebhookVerificationError,
} from '../../packages/client/src/index.ts';
import { startWebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { sharedService } from '../support/shared-service.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
const event = {
  type: 'webhook.test',
  timestamp: '2026-11-21T09:30:00.000Z',
  data: { projectId: 'p', endpointId: 'Grüße 🧳' },
};
const body = JSON.stringify(event);

function signed(text = body, key = secret, at = new Date()): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(key).sign('msg_1', at, text),
  };
}

function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1_000);
}

test('returns the event of a signed request', async () => {
  const headers = signed();
  expect(await verifyWebhook({ body, headers }, { secret })).toEqual(event);
  const bytes = new TextEncoder().encode(body);
  const request = new Request('http://localhost', { method: 'POST', headers, body });
  expect(await verifyWebhook({ body: bytes, headers: request.headers }, { secret })).toEqual(event);
});

test('accepts one of several signatures and secrets, as during a rotation', async () => {
  const both = `${signed(body, otherSecret)['webhook-signature']} ${signed()['webhook-signature']}`;
  const headers = { ...signed(), 'webhook-signature': both };
  expect(await verifyWebhook({ body, headers }, { secret })).toEqual(event);
  const secrets = [otherSecret, secret];
  expect(await verifyWebhook({ body, headers: signed() }, { secret: secrets })).toEqual(event);
});

const { 'webhook-id': _, ...withoutId } = signed();

test.each<[string, Record<string, string>, string]>([
  ['another body', signed(), `${body} `],
  ['another secret', signed(body, otherSecret), body],
  ['another id', { ...signed(), 'webhook-id': 'msg_2' }, body],
  [
    'another time',
    {
      ...signed(),
      'webhook-timestamp': signed(body, secret, secondsFromNow(2))['webhook-timestamp'] ?? '',
    },
    body,
  ],
  ['no id', withoutId, body],
  ['no time', { ...signed(), 'webhook-timestamp': 'NaN' }, body],
  ['an empty signature', { ...signed(), 'webhook-signature': 'v1,' }, body],
  [
    'another version',
    { ...signed(), 'webhook-signature': signed()['webhook-signature']?.replace('v1', 'v2') ?? '' },
    body,
  ],
  ['malformed base64', { ...signed(), 'webhook-signature': 'v1,%%%' }, body],
  ['too old', signed(body, secret, secondsFromNow(-302)), body],
  ['too early', signed(body, secret, secondsFromNow(302)), body],
  ['signed, but not JSON', signed('{'), '{'],
])('refuses %s', async (_, headers, text) => {
  const verified = verifyWebhook({ body: text, headers }, { secret });
  await expect(verified).rejects.toThrow(WebhookVerificationError);
});

test('the tolerance can be changed', async () => {
  const headers = signed(body, secret, secondsFromNow(-302));
  const options = { secret, toleranceSeconds: 600 };
  expect(await verifyWebhook({ body, headers }, options)).toEqual(event);
});

test('a secret that is none is an error of the caller', async () => {
  const verified = verifyWebhook({ body, headers: signed() }, { secret: 'whsec_' });
  await expect(verified).rejects.toThrow(TypeError);
});

test('verifies what the service sends, also after the secret has been rotated', async () => {
  const service = await sharedService();
  const tenant = await service.createTenant();
  const client = createClient({ baseUrl: service.url, apiKey: await tenant.key() });
  const receiver = await startWebhookReceiver();
  try {
    const webhook = await client.webhooks.create({ url: receiver.url });
    const rotated = await client.webhooks.rotateSecret(webhook.id, { overlapSeconds: 600 });
    await client.webhooks.test(webhook.id);
    const [request] = await receiver.waitForRequests(1);
    for (const { secret } of [webhook, rotated]) {
      const received = { body: request?.body ?? '', headers: request?.headers ?? {} };
      const verified = await verifyWebhook(received, { secret });
      if (verified.type !== 'webhook.test') throw new Error(verified.type);
      expect(verified.data.endpointId).toBe(webhook.id);
    }
  } finally {
    await receiver.close();
  }
});
