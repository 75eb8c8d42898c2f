import { beforeEach, expect, test } from 'vitest';
import { authenticateKey } from '../../../src/domain/api-keys/authenticate-key.ts';
import { recordingPool } from '../../support/database/recording-pool.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

const limit = 100;
let service: TestService;
let tenant: Tenant;
let authorization: string;

beforeEach(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  await service.system.db.organization.update({
    where: { id: tenant.organizationId },
    data: { requestsPerMinute: limit },
  });
  authorization = `Bearer ${await tenant.key()}`;
});

test('simultaneous requests of a key share a statement, and each is counted in order of arrival', async () => {
  const { pool, statements } = recordingPool(service.adapters.pool);
  await authenticateKey({ pool }, authorization);
  statements.length = 0;
  const answers = await Promise.all(
    Array.from({ length: 120 }, () => authenticateKey({ pool }, authorization)),
  );
  expect(statements.map(({ name }) => name)).toEqual(['authenticate-key', 'authenticate-key']);
  const remaining = answers.map(({ rateLimit }) => rateLimit.remaining);
  expect(remaining).toEqual(Array.from({ length: 120 }, (_, n) => Math.max(0, limit - 2 - n)));
  expect(answers.filter(({ rateLimit }) => rateLimit.isExceeded)).toHaveLength(21);
});

test('a request that arrives after the key was revoked is refused, also while an earlier one is checked', async () => {
  const read = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { pool } = recordingPool(service.adapters.pool, async (_statement, run) => {
    const result = await run();
    read.resolve();
    await released.promise;
    return result;
  });
  const first = authenticateKey({ pool }, authorization);
  await read.promise;
  await service.system.db.apiKey.updateMany({
    where: { organizationId: tenant.organizationId },
    data: { revokedAt: new Date() },
  });
  const second = authenticateKey({ pool }, authorization);
  released.resolve();
  expect((await first).caller.organizationId).toBe(tenant.organizationId);
  await expect(second).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
