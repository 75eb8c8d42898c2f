import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { ClaimedKey } from './claimed-key.ts';

/**
 * SQL condition for a claim that the request still holds. Its parameters are the values of `claimValues`, from
 * `$<first>` on.
 */
export const heldClaimSql = (first: number) =>
  `key_id = $${first}::uuid and idempotency_key = $${first + 1} and runner = $${first + 2}::uuid and status is null`;

export function claimValues({ keyId, idempotencyKey, runner }: ClaimedKey): string[] {
  return [keyId, idempotencyKey, runner];
}

const recordSql = (effectIdSql: string) =>
  `effect_id = ${effectIdSql}, expires_at = now() + interval '24 hours'`;

/**
 * Returns steps for a statement that creates an effect, so that the same statement records the effect's id with the
 * idempotency key. The parameters from `$<first>` on are `claimValues`. `lock` is the first step and has the name
 * `claim`. It returns no row if another process has taken over the request. `record` is the last step. It stores
 * `effectIdSql` if the step `effect` returns a row.
 */
export function claimSteps(
  first: number,
  { effect, effectIdSql }: { readonly effect: string; readonly effectIdSql: string },
): StatementSteps {
  return {
    from: ', claim',
    lock: `claim as (
    select key_id, idempotency_key from grounded.idempotency_keys where ${heldClaimSql(first)} for update
  ), `,
    record: `, recorded as (
    update grounded.idempotency_keys known set ${recordSql(effectIdSql)}
    from claim, ${effect}
    where known.key_id = claim.key_id and known.idempotency_key = claim.idempotency_key
  )`,
  };
}

/** The additional steps of a statement for a request with an `Idempotency-Key`. */
export interface StatementSteps {
  readonly lock: string;
  /** Text to append to the tables of a `from` clause. */
  readonly from: string;
  readonly record: string;
}

/** A request without an `Idempotency-Key` needs no additional steps. */
export const noClaimSteps: StatementSteps = { lock: '', from: '', record: '' };

/**
 * Stores that the request has created `effectId`. Call it in the transaction that creates the effect. Does nothing if
 * the request has no `Idempotency-Key`.
 * @throws DomainError IDEMPOTENCY_KEY_IN_USE when another process has taken over the request.
 */
export async function recordEffect(
  { db, claimedKey }: Pick<Context, 'db' | 'claimedKey'>,
  effectId: string,
): Promise<void> {
  if (claimedKey === null) return;
  const recorded = await runSql(db, recordStatement, [effectId, ...claimValues(claimedKey)]);
  if (recorded.length === 0) throw keyInUseError();
}

/**
 * Checks that the request still holds its `Idempotency-Key`.
 * @throws DomainError IDEMPOTENCY_KEY_IN_USE when another process has taken over the request.
 */
export async function requireHeldClaim({
  pool,
  claimedKey,
}: Pick<Context, 'pool' | 'claimedKey'>): Promise<void> {
  if (claimedKey === null) return;
  const held = await runSql(pool, findClaim, claimValues(claimedKey));
  if (held.length === 0) throw keyInUseError();
}

export function keyInUseError(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_KEY_IN_USE',
    'A request with this Idempotency-Key is still running: try again when it has ended',
    { retryable: true, retryAfterSeconds: 1 },
  );
}

const recordStatement = `
  update grounded.idempotency_keys set ${recordSql('$1::uuid')} where ${heldClaimSql(2)} returning key_id`;

const findClaim = `select key_id from grounded.idempotency_keys where ${heldClaimSql(1)}`;
