import { randomUUID } from 'node:crypto';
import { DomainError } from '../../platform/errors.ts';
import { runSql, type SqlValue } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';

/** A request to execute only once, however often it is sent. */
export interface IdempotentRequest {
  /** API key of the caller. Different API keys may use the same idempotency key. */
  readonly keyId: string;
  readonly idempotencyKey: string;
  /**
   * SHA-256 hash of everything that distinguishes this request from others. Detects a key that is reused for another
   * request.
   */
  readonly fingerprint: Uint8Array;
}

/** An HTTP response that is stored and sent again if the request is repeated. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Exclusive right to execute a request. Disposing of a claim without a stored response releases the key. */
export interface IdempotencyClaim extends AsyncDisposable {
  /** Stores the response for 24 hours. A response above `maxStoredBytes` is not stored, and the key is released. */
  store(answer: StoredResponse): Promise<void>;
  /** Releases the key for another attempt. */
  release(): Promise<void>;
}

export type ClaimResult =
  | { readonly type: 'CLAIMED'; readonly claim: IdempotencyClaim }
  | { readonly type: 'ANSWERED'; readonly answer: StoredResponse };

/**
 * Maximum size of a stored body. The longest possible response, a stream with one event per character, needs less than
 * half of it.
 */
export const maxStoredBytes = 4_194_304;

/**
 * Claims the key for this request, or returns the stored response of an identical request, in one statement. The claim
 * is renewed until the response is stored or the key is released. If the process dies, another request can claim the
 * key one minute later.
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
  // Another request claimed the key after the statement had started, so the statement does not see that claim.
  if (row === undefined) throw keyInUseError();
  if (row.isClaimed) {
    return { type: 'CLAIMED', claim: createClaim(context, [keyId, idempotencyKey, runner]) };
  }
  if (!row.fingerprint.equals(fingerprint)) throw keyReusedError();
  if (row.status === null) throw keyInUseError();
  const { status, headers, body } = row;
  return { type: 'ANSWERED', answer: { status, headers, body } };
}

type IdempotencyKeyRow = { readonly isClaimed: boolean; readonly fingerprint: Buffer } & (
  | { readonly status: null }
  | StoredResponse
);

function createClaim(
  { pool, log }: Pick<Context, 'pool' | 'log'>,
  key: readonly string[],
): IdempotencyClaim {
  const renewal = setInterval(() => {
    runSql(pool, renewClaim, [...key, leaseSeconds]).catch((err: unknown) => {
      log.warn({ err }, 'failed to renew the lease of an idempotency key');
    });
  }, renewIntervalMs);
  renewal.unref();
  let isActive = true;

  // Logs errors instead of throwing, so that the response of the request is not lost. The key becomes free when its
  // lease expires.
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

function keyInUseError(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_KEY_IN_USE',
    'A request with this Idempotency-Key is still running: try again when it has ended',
    { retryable: true, retryAfterSeconds: 1 },
  );
}

const leaseSeconds = 60;
const renewIntervalMs = 20_000;

const claimStatement = `
  with claimed as (
    insert into grounded.idempotency_keys as known (key_id, idempotency_key, runner, fingerprint, expires_at)
    values ($1, $2, $3, $4, now() + make_interval(secs => $5))
    on conflict (key_id, idempotency_key) do update
    set runner = excluded.runner, fingerprint = excluded.fingerprint, expires_at = excluded.expires_at,
      status = null, headers = null, body = null, created_at = now()
    where known.expires_at <= now()
    returning fingerprint
  )
  select true as "isClaimed", fingerprint, null::integer as status, null::jsonb as headers, null::text as body
  from claimed
  union all
  select false, fingerprint, status, headers, body
  from grounded.idempotency_keys
  where key_id = $1 and idempotency_key = $2 and expires_at > now() and not exists (select from claimed)`;

const claimFilterSql = 'key_id = $1 and idempotency_key = $2 and runner = $3 and status is null';

const renewClaim = `
  update grounded.idempotency_keys set expires_at = now() + make_interval(secs => $4) where ${claimFilterSql}`;

const storeResponse = `
  update grounded.idempotency_keys
  set status = $4, headers = $5, body = $6, expires_at = now() + interval '24 hours'
  where ${claimFilterSql}`;

const releaseClaim = `delete from grounded.idempotency_keys where ${claimFilterSql}`;
