import { beforeAll, expect, test } from 'vitest';
import { authenticateKey } from '../../src/domain/api-keys/authenticate-key.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let authorization: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});

/** Returns a pool of the service that records its statements. `beforeResult` may delay their results. */
function recordingPool(beforeResult: () => Promise<void> = async () => {}) {
  const names: string[] = [];
  const { pool } = service.adapters;
  const recording = Object.assign(Object.create(pool), {
    async query(statement: { readonly name?: string; readonly text: string }) {
      names.push(statement.name ?? statement.text);
      const result = await pool.query(statement);
      await beforeResult();
      return result;
    },
  });
  return { pool: recording as typeof pool, names };
}

const limit = 100;

async function createKey() {
  tenant = await service.createTenant();
  await service.system.db.organization.update({
    where: { id: tenant.organizationId },
    data: { requestsPerMinute: limit },
  });
  authorization = `Bearer ${await tenant.key()}`;
}
beforeAll(createKey);

test('simultaneous requests of a key share a statement, and each is counted in order of arrival', async () => {
  const { pool, names } = recordingPool();
  await authenticateKey({ pool }, authorization);
  names.length = 0;
  const answers = await Promise.all(
    Array.from({ length: 120 }, () => authenticateKey({ pool }, authorization)),
  );
  expect(names).toEqual(['authenticate-key', 'authenticate-key']);
  const remaining = answers.map(({ rateLimit }) => rateLimit.remaining);
  expect(remaining).toEqual(Array.from({ length: 120 }, (_, n) => Math.max(0, limit - 2 - n)));
  expect(answers.filter(({ rateLimit }) => rateLimit.isExceeded)).toHaveLength(21);
});

test('a request that arrives after the key was revoked is refused, also while an earlier one is checked', async () => {
  await createKey();
  const read = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { pool } = recordingPool(() => {
    read.resolve();
    return released.promise;
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
