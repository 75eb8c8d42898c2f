import { randomUUID } from 'node:crypto';
import { DomainError } from '../../platform/errors.ts';
import { runSql, type SqlValue } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { ClaimedKey } from './claimed-key.ts';
import { claimValues, heldClaimSql, keyInUseError } from './idempotent-effect.ts';

/** A request that is executed only once, even if the client sends it repeatedly. */
export interface IdempotentRequest {
  /** API key of the caller. Different API keys may use the same idempotency key. */
  readonly keyId: string;
  readonly idempotencyKey: string;
  /**
   * SHA-256 hash of everything that distinguishes this request from others. If a client reuses a key for a different
   * request, the hash differs.
   */
  readonly fingerprint: Uint8Array;
}

/** An HTTP response that is stored and sent again if the request is repeated. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The exclusive right to execute a request. If a claim is disposed of without a stored response, its key is released.
 */
export interface IdempotencyClaim extends AsyncDisposable {
  readonly claimedKey: ClaimedKey;
  /**
   * Stores the response for 24 hours. If the response exceeds `maxStoredBytes`, it is not stored and the key is
   * released.
   */
  store(answer: StoredResponse): Promise<void>;
  /**
   * Releases the key for another attempt. If the request has already stored its effect, only an identical request can
   * claim the key again, and it receives that effect. An answer that failed does not count as an effect. If the client
   * disconnected during an answer, the answer is generated again and replaces the earlier one.
   */
  release(): Promise<void>;
}

export type ClaimResult =
  | { readonly type: 'CLAIMED'; readonly claim: IdempotencyClaim }
  | { readonly type: 'ANSWERED'; readonly answer: StoredResponse };

/**
 * Maximum size of a stored body in bytes. The longest possible response is a stream with one event per character and
 * needs less than half of this size.
 */
export const maxStoredBytes = 4_194_304;

/**
 * Claims the key for this request, or returns the stored response of an identical request, with one SQL statement. The
 * claim is renewed until the response is stored or the key is released. If the process dies, an identical request can
 * claim the key one minute later. If the process had stored an effect, the new claim contains the id of that effect.
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the key belongs to a different request
 * @throws DomainError IDEMPOTENCY_KEY_IN_USE when an identical request is still running
 */
export async function claimIdempotencyKey(
  context: Pick<Context, 'pool' | 'log'>,
  { keyId, idempotencyKey, fingerprint }: IdempotentRequest,
): Promise<ClaimResult> {
  const runner = randomUUID();
  const values = [keyId, idempotencyKey, runner, fingerprint, leaseSeconds];
  const statement = { name: 'claim-idempotency-key', text: claimStatement };
  const [row] = await runSql<IdempotencyKeyRow>(context.pool, statement, values);
  // Another request claimed the key after this statement had started, so this statement does not see the other claim.
  if (row === undefined) throw keyInUseError();
  if (row.isClaimed) {
    const claimedKey = { keyId, idempotencyKey, runner, effectId: row.effectId };
    return { type: 'CLAIMED', claim: createClaim(context, claimedKey) };
  }
  if (!row.fingerprint.equals(fingerprint)) throw keyReusedError();
  if (row.status === null) throw keyInUseError();
  const { status, headers, body } = row;
  return { type: 'ANSWERED', answer: { status, headers, body } };
}

interface FoundKey {
  readonly isClaimed: boolean;
  readonly fingerprint: Buffer;
  readonly effectId: string | null;
}

type IdempotencyKeyRow = FoundKey & ({ readonly status: null } | StoredResponse);

function createClaim(
  { pool, log }: Pick<Context, 'pool' | 'log'>,
  claimedKey: ClaimedKey,
): IdempotencyClaim {
  const key = claimValues(claimedKey);
  const renewal = setInterval(() => {
    runSql(pool, renewClaim, [...key, leaseSeconds]).catch((err: unknown) => {
      log.warn({ err }, 'failed to renew the lease of an idempotency key');
    });
  }, renewIntervalMs);
  renewal.unref();
  let isActive = true;

  // Logs errors instead of throwing them, so that the response of the request is not lost. If the statement fails,
  // the key becomes free when its lease expires.
  const finishClaim = async (statement: string, values: readonly SqlValue[]) => {
    if (!isActive) return;
    isActive = false;
    clearInterval(renewal);
    await runSql(pool, statement, [...key, ...values]).catch((err: unknown) => {
      log.error({ err }, 'failed to store the response of an idempotency key');
    });
  };
  const release = () => finishClaim(releaseClaim, []);
  return {
    claimedKey,
    async store({ status, headers, body }) {
      if (Buffer.byteLength(body) > maxStoredBytes) return release();
      await finishClaim(storeResponse, [status, JSON.stringify(headers), body]);
    },
    release,
    [Symbol.asyncDispose]: release,
  };
}

function keyReusedError(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'The Idempotency-Key belongs to a different request: send every new request with a new key',
  );
}

const leaseSeconds = 60;
const renewIntervalMs = 20_000;

/**
 * Claims a key that is new or has expired. If a process died after it stored its effect, an identical request can also
 * claim that process's key.
 */
const claimStatement = `
  with claimed as (
    insert into grounded.idempotency_keys as known
      (key_id, idempotency_key, runner, fingerprint, expires_at, leased_until)
    values ($1, $2, $3, $4, now() + make_interval(secs => $5), now() + make_interval(secs => $5))
    on conflict (key_id, idempotency_key) do update
    set runner = excluded.runner, fingerprint = excluded.fingerprint, leased_until = excluded.leased_until,
      effect_id = case when known.expires_at > now() then known.effect_id end,
      expires_at = greatest(known.expires_at, excluded.expires_at),
      status = null, headers = null, body = null, created_at = now()
    where known.expires_at <= now()
      or known.effect_id is not null and known.status is null and known.leased_until <= now()
        and known.fingerprint = excluded.fingerprint
    returning fingerprint, effect_id
  )
  select true as "isClaimed", fingerprint, effect_id as "effectId", null::integer as status, null::jsonb as headers,
    null::text as body
  from claimed
  union all
  select false, fingerprint, effect_id, status, headers, body
  from grounded.idempotency_keys
  where key_id = $1 and idempotency_key = $2 and expires_at > now() and not exists (select from claimed)`;

const renewClaim = `
  update grounded.idempotency_keys
  set leased_until = now() + make_interval(secs => $4),
    expires_at = greatest(expires_at, now() + make_interval(secs => $4))
  where ${heldClaimSql(1)}`;

const storeResponse = `
  update grounded.idempotency_keys
  set status = $4, headers = $5, body = $6, expires_at = now() + interval '24 hours'
  where ${heldClaimSql(1)}`;

const isUndoneSql = `(effect_id is null or exists (
    select from grounded.messages message
    where message.id = effect_id and message.role = 'ASSISTANT' and message.status = 'FAILED'))`;

const releaseClaim = `
  with released as (
    delete from grounded.idempotency_keys where ${heldClaimSql(1)} and ${isUndoneSql}
  )
  update grounded.idempotency_keys set leased_until = now() where ${heldClaimSql(1)} and not ${isUndoneSql}`;
