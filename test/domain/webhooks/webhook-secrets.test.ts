import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../src/domain/context.ts';
import { createWebhookEndpoint } from '../../../src/domain/webhooks/create-webhook-endpoint.ts';
import {
  encryptWebhookSecrets,
  listMissingSecretKeys,
} from '../../../src/domain/webhooks/encrypt-webhook-secrets.ts';
import { rotateWebhookSecret } from '../../../src/domain/webhooks/rotate-webhook-secret.ts';
import { sendTestWebhook } from '../../../src/domain/webhooks/send-test-webhook.ts';
import { createSecretBox } from '../../../src/platform/secrets/secret-box.ts';
import { requireSecretKeys } from '../../../src/server/secret-keys.ts';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/servers/webhook-receiver.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let receiver: WebhookReceiver;
let projectId: string;

beforeAll(async () => {
  service = await startTestService({ allowPrivateWebhooks: true });
});
beforeEach(async () => {
  await service.system.db.webhookEndpoint.deleteMany();
  ({ projectId } = await service.createTenant());
  receiver = await startWebhookReceiver();
  return () => receiver.close();
});
afterAll(() => service?.stop());

const create = () => createWebhookEndpoint(service.system, { projectId, url: receiver.url });

const readStored = (id: string) =>
  service.system.db.webhookEndpoint.findUniqueOrThrow({
    where: { id },
    select: { secret: true, previousSecret: true, disabledReason: true },
  });

/** Stores secrets in plain text, as an earlier version of the service did. */
const storePlain = (id: string, secret: string) =>
  service.system.db.webhookEndpoint.updateMany({ where: { id }, data: { secret } });

const withKeys = (...keys: [Buffer, ...Buffer[]]): Context => ({
  ...service.system,
  secretBox: createSecretBox(keys),
});

async function verifyDelivery(endpointId: string, secrets: readonly string[]): Promise<void> {
  await sendTestWebhook(service.system, { endpointId });
  const [request] = await receiver.waitForRequests(1);
  for (const secret of secrets)
    new Webhook(secret).verify(request?.body ?? '', request?.webhookHeaders ?? {});
}

test('the database contains no secret, and deliveries are signed with it', async () => {
  const { secret, endpoint } = await create();
  expect((await readStored(endpoint.id)).secret).toMatch(/^v1\.[0-9a-f]{16}\./);
  const { rows } = await service.ownerPool.query(
    'select string_agg(e::text, $1) as text from grounded.webhook_endpoints e',
    [''],
  );
  expect(rows[0]?.text).not.toContain(secret.slice(10, 30));
  await verifyDelivery(endpoint.id, [secret]);
});

test('after a rotation both secrets are encrypted, and deliveries are signed with both', async () => {
  const { secret, endpoint } = await create();
  const { secret: newSecret } = await rotateWebhookSecret(service.system, { id: endpoint.id });
  const stored = await readStored(endpoint.id);
  expect([stored.secret, stored.previousSecret]).toEqual([
    expect.stringMatching(/^v1\./),
    expect.stringMatching(/^v1\./),
  ]);
  await verifyDelivery(endpoint.id, [secret, newSecret]);
});

test('a secret copied to another endpoint is refused', async () => {
  const [one, other] = [await create(), await create()];
  const { secret } = await readStored(one.endpoint.id);
  expect(() => service.system.secretBox.decrypt(secret, other.endpoint.id)).toThrow();
});

test('secrets of an earlier version work, and are encrypted once', async () => {
  const { secret, endpoint } = await create();
  await storePlain(endpoint.id, secret);
  await verifyDelivery(endpoint.id, [secret]);
  expect(await encryptWebhookSecrets(service.system)).toEqual({ encrypted: 1, replaced: 0 });
  expect(await encryptWebhookSecrets(service.system)).toEqual({ encrypted: 0, replaced: 0 });
  const { secret: stored } = await readStored(endpoint.id);
  expect(service.system.secretBox.decrypt(stored, endpoint.id)).toBe(secret);
});

test('more secrets than a batch move to a new key, and the old key is not needed any more', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  const { secret, endpoint } = await create();
  for (let n = 0; n < 12; n += 1) {
    const { projectId } = await service.createTenant();
    for (let m = 0; m < 10; m += 1)
      await createWebhookEndpoint(service.system, { projectId, url: receiver.url });
  }
  const plain = withKeys(oldKey);
  await service.system.db.webhookEndpoint.updateMany({ data: { secret } });
  expect(await encryptWebhookSecrets(plain)).toEqual({ encrypted: 121, replaced: 0 });
  const rotating = withKeys(newKey, oldKey);
  expect(await encryptWebhookSecrets(rotating)).toEqual({ encrypted: 121, replaced: 0 });
  expect(await encryptWebhookSecrets(rotating)).toEqual({ encrypted: 0, replaced: 0 });
  expect(await listMissingSecretKeys(withKeys(newKey))).toEqual([]);
  const { secret: stored } = await readStored(endpoint.id);
  expect(withKeys(newKey).secretBox.decrypt(stored, endpoint.id)).toBe(secret);
});

test('a service without the key names it in one line, and can replace the secrets', async () => {
  const { endpoint } = await create();
  const stranger = withKeys(randomBytes(32));
  const { currentKeyId } = service.system.secretBox;
  const lines =
    /^[^\n]+\n {2}- SECRETS_KEY and DATA_DIR\/secrets-key lack the key [0-9a-f]+, [^\n]+$/;
  await expect(requireSecretKeys(stranger)).rejects.toThrow(lines);
  await expect(requireSecretKeys(stranger)).rejects.toThrow(currentKeyId);
  await expect(encryptWebhookSecrets(stranger)).rejects.toThrow(currentKeyId);
  expect(await encryptWebhookSecrets(stranger, { replaceUnreadable: true })).toEqual({
    encrypted: 0,
    replaced: 1,
  });
  await requireSecretKeys(stranger);
  const entries = await service.system.db.auditEntry.findMany({
    where: { targetId: endpoint.id, action: 'WEBHOOK_SECRET_ROTATED' },
  });
  expect(entries.map(({ change }) => change)).toEqual([
    { projectId, reason: 'key lost', disabled: true },
  ]);
  expect((await readStored(endpoint.id)).disabledReason).toMatch(/rotate the secret/);
});
