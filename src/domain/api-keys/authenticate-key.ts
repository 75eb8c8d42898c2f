import type { Pool } from 'pg';
import type { ApiKeyCaller } from '../caller.ts';
import { DomainError } from '../errors.ts';
import type { ApiKeyScope } from '../generated/prisma/enums.ts';
import { type RateLimit, rateWindowSeconds } from '../usage/rate-limit.ts';
import { hashKeyText, isKeyText } from './key-text.ts';

export interface AuthenticatedKey {
  readonly caller: ApiKeyCaller;
  /** Not yet enforced: `requireWithinRateLimit` does that. */
  readonly rateLimit: RateLimit;
}

/**
 * Finds the caller behind an `Authorization` header of the form `Bearer sk_…`, and counts the request. One
 * statement, nothing cached, so that a revocation counts from the next request on every node, and so does a limit.
 * Throws `UNAUTHENTICATED`, with one message for unknown, revoked and expired keys alike.
 */
export async function authenticateKey(
  { pool }: { readonly pool: Pool },
  authorization: string | undefined,
): Promise<AuthenticatedKey> {
  const text = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (text === undefined) {
    throw new DomainError(
      'UNAUTHENTICATED',
      'An API key is required: send the header "Authorization: Bearer <API_KEY>"',
    );
  }
  if (!isKeyText(text)) throw new DomainError('UNAUTHENTICATED', 'The API key is malformed');

  const found = await pool.query<KeyRow>({
    name: 'authenticate-key',
    text: findKeyAndCount,
    values: [hashKeyText(text), rateWindowSeconds],
  });
  const key = found.rows[0];
  if (key === undefined) throw new DomainError('UNAUTHENTICATED', 'The API key is not valid');
  if (key.isUseStale) await pool.query(recordUse, [key.id]);
  return { caller: callerOf(key), rateLimit: rateLimitOf(key) };
}

interface KeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly scopes: readonly ApiKeyScope[];
  readonly isUseStale: boolean;
  readonly limit: number;
  readonly requests: number;
  readonly resetSeconds: number;
}

/**
 * `now()` is when the statement began. One that had to wait for another's count may have begun before the window it
 * is counted in: hence `least`.
 */
const findKeyAndCount = `
  with key as (
    select key.id, key.organization_id, key.project_id, key.scopes, key.last_used_at,
      coalesce(organization.requests_per_minute, plan.requests_per_minute) as "limit"
    from grounded.api_keys key
    join grounded.organizations organization on organization.id = key.organization_id
    join grounded.plans plan on plan.name = organization.plan
    where key.hash = $1
      and coalesce(key.revoked_at > now(), true)
      and coalesce(key.expires_at > now(), true)
  ), counted as (
    insert into grounded.rate_windows as last (key_id, started_at, requests)
    select id, now(), 1 from key
    on conflict (key_id) do update set
      started_at = case when last.started_at + make_interval(secs => $2) > now() then last.started_at else now() end,
      requests = case when last.started_at + make_interval(secs => $2) > now() then last.requests + 1 else 1 end
    returning requests, started_at + make_interval(secs => $2) as ends_at
  )
  select id, organization_id as "organizationId", project_id as "projectId", scopes::text[] as scopes,
    coalesce(last_used_at < now() - interval '60 seconds', true) as "isUseStale",
    "limit", requests,
    least($2, greatest(1, ceil(extract(epoch from ends_at - now()))))::integer as "resetSeconds"
  from key cross join counted`;

/** At most one write a minute and key, however busy the key is. */
const recordUse = `
  update grounded.api_keys set last_used_at = now()
  where id = $1 and coalesce(last_used_at < now() - interval '60 seconds', true)`;

function callerOf({ id, organizationId, projectId, scopes }: KeyRow): ApiKeyCaller {
  return { type: 'key', keyId: id, organizationId, projectId, scopes };
}

function rateLimitOf({ limit, requests, resetSeconds }: KeyRow): RateLimit {
  const remaining = Math.max(0, limit - requests);
  return { limit, remaining, resetSeconds, isExceeded: requests > limit };
}
