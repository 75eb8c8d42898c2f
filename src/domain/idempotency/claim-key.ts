import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';

/** A request that is to be carried out once, however often it is sent. */
export interface KeyedRequest {
  /** The API key that sent it; requests of two API keys never meet. */
  readonly keyId: string;
  readonly idempotencyKey: string;
  /** SHA-256 of everything that makes it this request. */
  readonly fingerprint: Uint8Array;
}

/** An answer as it goes over the wire. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The right to carry a request out. Disposing of it releases a claim that nothing was stored for. */
export interface Claim extends AsyncDisposable {
  /** Keeps the answer for 24 hours. One above `maxStoredBytes` is not kept, and the key released. */
  store(answer: StoredAnswer): Promise<void>;
  /** Frees the key for another try. */
  release(): Promise<void>;
}

export type KeyState =
  | { readonly type: 'CLAIMED'; readonly claim: Claim }
  | { readonly type: 'ANSWERED'; readonly answer: StoredAnswer };

/** The longest body that is kept. The longest answer, a stream of single characters, has less than half of it. */
export const maxStoredBytes = 4_194_304;

/**
 * Claims the key for this request, or finds the answer an equal request was given, in one statement. A claim is
 * renewed until it is stored or released; when its process dies, the next request takes the key over a minute later.
 * Throws `IDEMPOTENCY_KEY_REUSED` where the key belongs to another request, and `IDEMPOTENCY_KEY_IN_USE` while an
 * equal one is running.
 */
export async function claimKey(
  context: Pick<Context, 'pool' | 'log'>,
  { keyId, idempotencyKey, fingerprint }: KeyedRequest,
): Promise<KeyState> {
  const runner = randomUUID();
  const values = [keyId, idempotencyKey, runner, fingerprint, leaseSeconds];
  const name = 'claim-idempotency-key';
  const { rows } = await context.pool.query<KeyRow>({ name, text: claim, values });
  const [row] = rows;
  // A claim that came in since the statement began is not seen by it.
  if (row === undefined) throw inUse();
  if (row.isClaimed) {
    return { type: 'CLAIMED', claim: openClaim(context, [keyId, idempotencyKey, runner]) };
  }
  if (!row.fingerprint.equals(fingerprint)) throw reused();
  if (row.status === null) throw inUse();
  const { status, headers, body } = row;
  return { type: 'ANSWERED', answer: { status, headers, body } };
}

type KeyRow = { readonly isClaimed: boolean; readonly fingerprint: Buffer } & (
  | { readonly status: null }
  | StoredAnswer
);

function openClaim({ pool, log }: Pick<Context, 'pool' | 'log'>, key: readonly string[]): Claim {
  const renewal = setInterval(() => {
    pool.query(renewClaim, [...key, leaseSeconds]).catch((err: unknown) => {
      log.warn({ err }, 'the lease of an idempotency key could not be renewed');
    });
  }, renewMs);
  renewal.unref();
  let isOpen = true;

  // The request has its outcome, which must not be lost over this: a key that stays claimed is free after the lease.
  const close = async (statement: string, values: readonly unknown[]) => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(renewal);
    await pool.query(statement, [...key, ...values]).catch((err: unknown) => {
      log.error({ err }, 'the outcome of an idempotency key could not be stored');
    });
  };
  const release = () => close(releaseClaim, []);
  return {
    async store({ status, headers, body }) {
      if (Buffer.byteLength(body) > maxStoredBytes) return release();
      await close(storeAnswer, [status, JSON.stringify(headers), body]);
    },
    release,
    [Symbol.asyncDispose]: release,
  };
}

function reused(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'The Idempotency-Key belongs to a different request: send every new request with a new key',
  );
}

function inUse(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_KEY_IN_USE',
    'A request with this Idempotency-Key is still running: try again when it has ended',
    { retryable: true, retryAfterSeconds: 1 },
  );
}

const leaseSeconds = 60;
const renewMs = 20_000;

const claim = `
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

const ofClaim = 'key_id = $1 and idempotency_key = $2 and runner = $3 and status is null';

const renewClaim = `
  update grounded.idempotency_keys set expires_at = now() + make_interval(secs => $4) where ${ofClaim}`;

const storeAnswer = `
  update grounded.idempotency_keys
  set status = $4, headers = $5, body = $6, expires_at = now() + interval '24 hours'
  where ${ofClaim}`;

const releaseClaim = `delete from grounded.idempotency_keys where ${ofClaim}`;
