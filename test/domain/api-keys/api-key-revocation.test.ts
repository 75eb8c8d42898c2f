import { beforeEach, describe, expect, test } from 'vitest';
import {
  createApiKey,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../../src/domain/api-keys/api-keys.ts';
import { type Context, createContext } from '../../../src/domain/context.ts';
import { serverUrl } from '../../support/database/database.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The embedded database runs one transaction at a time, so a test with concurrent transactions needs a server. */
const isEmbedded = serverUrl() === undefined;

let service: TestService;
let tenant: Tenant;
let creator: NewApiKey;

beforeEach(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  creator = await create(service.system);
});

function create(context: Context): Promise<NewApiKey> {
  return createApiKey(context, { ...tenant, name: 'Key', scopes: ['KEYS_WRITE'] });
}

/** Returns the context of a request that uses the key. `around` is called around the work of each transaction. */
function contextOf({ apiKey }: NewApiKey, around?: Around): Context {
  const { id: keyId, organizationId, projectId, scopes } = apiKey;
  const context = createContext(
    service.adapters,
    { type: 'key', keyId, organizationId, projectId, scopes, filter: null },
    { signal: new AbortController().signal, requestId: null },
  );
  if (around === undefined) return context;
  const { prisma } = context;
  const $transaction = (work: Work, options: object) => around(prisma, work, options);
  return { ...context, prisma: Object.create(prisma, { $transaction: { value: $transaction } }) };
}

type Work = (db: Context['db']) => Promise<unknown>;
type Around = (prisma: Context['prisma'], work: Work, options: object) => Promise<unknown>;

const revoke = ({ apiKey }: NewApiKey) => revokeApiKey(service.system, { id: apiKey.id });

/** Returns whether a statement is waiting for the lock of another transaction. */
async function isBlocked(): Promise<boolean> {
  const { rowCount } = await service.ownerPool.query(
    `select 1 from pg_locks join pg_stat_activity using (pid)
     where not granted and datname = current_database()`,
  );
  return rowCount !== 0;
}

const requests: Record<string, (context: Context) => Promise<NewApiKey>> = {
  'creates a key': create,
  'rotates itself': (context) => rotateApiKey(context, { id: creator.apiKey.id }),
  'rotates another key': async (context) => {
    const { apiKey } = await create(service.system);
    return rotateApiKey(context, { id: apiKey.id });
  },
};

describe.each(Object.keys(requests))('a key that %s while it is revoked', (name) => {
  const request = (context: Context) => requests[name]?.(context);
  const countKeys = () =>
    service.system.db.apiKey.count({
      where: { organizationId: tenant.organizationId, revokedAt: null },
    });

  test('is refused if it was revoked after the request was authenticated', async () => {
    const context = contextOf(creator, async (prisma, work, options) => {
      await revoke(creator);
      return prisma.$transaction(work, options);
    });
    await expect(request(context)).rejects.toThrow(/not valid|replaced|revoked/);
    expect(await countKeys()).toBe(name === 'rotates another key' ? 1 : 0);
  });

  test.skipIf(isEmbedded)('waits for the revocation, and is refused', async () => {
    const client = await service.adapters.pool.connect();
    await client.query('begin');
    await client.query('update grounded.api_keys set revoked_at = now() where id = $1', [
      creator.apiKey.id,
    ]);
    const requested = Promise.allSettled([request(contextOf(creator))]);
    await waitUntil(isBlocked);
    await client.query('commit');
    client.release();
    expect(await requested).toMatchObject([{ status: 'rejected' }]);
  });
});

test.skipIf(isEmbedded)(
  'a revocation waits for a key that a revoked key is creating, and revokes it',
  async () => {
    const child = await create(contextOf(creator));
    const inserted = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const context = contextOf(child, (prisma, work, options) =>
      prisma.$transaction(async (db) => {
        const result = await work(db);
        inserted.resolve();
        await finish.promise;
        return result;
      }, options),
    );
    const created = create(context);
    await inserted.promise;
    const revoked = revoke(creator);
    await waitUntil(isBlocked);
    finish.resolve();
    await revoked;
    const { id } = (await created).apiKey;
    const grandchild = await service.system.db.apiKey.findUniqueOrThrow({ where: { id } });
    expect(grandchild.revokedAt).not.toBeNull();
  },
);
