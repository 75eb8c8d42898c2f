import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secretOf } from '../../../src/domain/sources/connectors.ts';
import { encryptSourceSecrets } from '../../../src/domain/sources/encrypt-source-secrets.ts';
import { createSource } from '../../../src/domain/sources/sources.ts';
import { listMissingSecretKeys } from '../../../src/domain/webhooks/encrypt-webhook-secrets.ts';
import { createSecretBox } from '../../../src/platform/secrets/secret-box.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ isWorker: false });
});
afterAll(() => service?.stop());

test('secrets of sources move to a new key, and without it they are named or removed', async () => {
  const { projectId } = await service.createTenant();
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  const withKeys = (...keys: [Buffer, ...Buffer[]]) => ({
    ...service.system,
    secretBox: createSecretBox(keys),
  });
  const old = withKeys(oldKey);
  const config = { url: 'https://git.example/docs.git', token: 'first-token' };
  const source = { projectId, kind: 'GIT', name: 'Docs', config, schedule: '0 3 * * *' } as const;
  const { id } = await createSource(old, source);
  const read = () => service.system.db.source.findUniqueOrThrow({ where: { id } });
  const stranger = withKeys(newKey);
  expect(await listMissingSecretKeys(stranger)).toEqual([old.secretBox.currentKeyId]);
  await expect(encryptSourceSecrets(stranger)).rejects.toThrow(old.secretBox.currentKeyId);

  const rotating = withKeys(newKey, oldKey);
  expect(await encryptSourceSecrets(rotating)).toEqual({ encrypted: 1, replaced: 0 });
  expect(await encryptSourceSecrets(rotating)).toEqual({ encrypted: 0, replaced: 0 });
  expect(secretOf(stranger, await read())).toBe('first-token');
  expect(await listMissingSecretKeys(stranger)).toEqual([]);

  const lost = withKeys(randomBytes(32));
  expect(await encryptSourceSecrets(lost, { replaceUnreadable: true })).toEqual({
    encrypted: 0,
    replaced: 1,
  });
  expect(await read()).toMatchObject({ secret: null, isPaused: true, nextRunAt: null });
});
