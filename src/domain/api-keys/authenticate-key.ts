import type { Pool } from 'pg';
import { createCallBatcher } from '../../platform/call-batcher.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/hash-secret.ts';
import { oncePerObject } from '../../platform/once-per-object.ts';
import type { ApiKeyScope } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { ApiKeyCaller } from '../caller.ts';
import {
  type CountedWindow,
  type RateLimit,
  rateLimitOf,
  rateWindowSeconds,
} from '../usage/rate-limit.ts';
import { addToWindowsSql } from '../usage/request-windows.ts';
import { isWellFormedApiKey } from './api-key-format.ts';

export interface AuthenticatedKey {
  readonly caller: ApiKeyCaller;
  /**
   * The rate limit after this request was counted. `requireWithinRateLimit` rejects the request if the limit is
   * exceeded.
   */
  readonly rateLimit: RateLimit;
}

/**
 * Returns the caller that the header `Authorization: Bearer sk_…` identifies, and counts the request towards the key's
 * rate limit. Reads the key from the database for each request and caches nothing, so that a revocation or a new limit
 * applies to the next request on every node. Simultaneous requests of a key share one SQL statement, which counts all
 * of them. Separate statements would wait for each other, because they lock the same rate limit row.
 * @throws DomainError UNAUTHENTICATED when the key is missing, malformed, unknown, revoked or expired; the last three
 * share one message
 */
export async function authenticateKey(
  { pool }: { readonly pool: Pool },
  authorization: string | undefined,
): Promise<AuthenticatedKey> {
  const text = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (text === undefined) {
    throw new DomainError(
      'UNAUTHENTICATED',
      'An API key is required: send the header "Authorization: Bearer sk_…"',
    );
  }
  if (!isWellFormedApiKey(text))
    throw new DomainError(
      'UNAUTHENTICATED',
      'The API key is malformed: send the whole key in the header "Authorization: Bearer sk_…", without quotes',
    );

  const key = await batcherOf(pool).call(text, undefined);
  if (key === null) throw new DomainError('UNAUTHENTICATED', 'The API key is not valid');
  return { caller: callerOf(key), rateLimit: rateLimitOf(key, key.limit) };
}

const batcherOf = oncePerObject((pool: Pool) =>
  createCallBatcher<undefined, KeyRow | null>((calls, text) =>
    countRequests(pool, text, calls.length),
  ),
);

/**
 * Counts `count` requests of a key. Returns one entry for each request: the key with the number of requests up to this
 * one, or null if the key is not valid.
 */
async function countRequests(
  pool: Pool,
  text: string,
  count: number,
): Promise<readonly (KeyRow | null)[]> {
  const values = [hashSecret(text), rateWindowSeconds, count];
  const [key] = await runSql<KeyRow>(pool, findKeyAndCount, values);
  if (key?.isUseStale) await runSql(pool, recordUse, [key.id]);
  const earlier = key === undefined ? 0 : key.counted - count;
  return Array.from({ length: count }, (_, index) =>
    key === undefined ? null : { ...key, counted: earlier + index + 1 },
  );
}

interface KeyRow extends CountedWindow {
  readonly limit: number;
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly scopes: readonly ApiKeyScope[];
  readonly filter: unknown;
  readonly isUseStale: boolean;
}

const findKeyAndCount = {
  name: 'authenticate-key',
  text: `
  with key as (
    select key.id, key.organization_id, key.project_id, key.scopes, key.filter, key.last_used_at,
      coalesce(organization.requests_per_minute, plan.requests_per_minute) as "limit"
    from grounded.api_keys key
    join grounded.organizations organization on organization.id = key.organization_id
    join grounded.plans plan on plan.name = organization.plan
    where key.hash = $1
      and coalesce(key.revoked_at > now(), true)
      and coalesce(key.expires_at > now(), true)
  ), counted as (${addToWindowsSql("select 'key ' || id, $3::integer from key", '$2')})
  select id, organization_id as "organizationId", project_id as "projectId", scopes::text[] as scopes, filter,
    coalesce(last_used_at < now() - interval '60 seconds', true) as "isUseStale",
    "limit", counted, "resetSeconds"
  from key cross join counted`,
};

/** Stores when the key was last used, at most once per minute and key. */
const recordUse = `
  update grounded.api_keys set last_used_at = now()
  where id = $1 and coalesce(last_used_at < now() - interval '60 seconds', true)`;

function callerOf({ id, organizationId, projectId, scopes, filter }: KeyRow): ApiKeyCaller {
  return { type: 'key', keyId: id, organizationId, projectId, scopes, filter };
}
