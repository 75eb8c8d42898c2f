import type { Logger } from 'pino';
import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Adapters } from '../context.ts';

/** A user of the identity provider, with the address from the user's token. */
export interface OperatorIdentity {
  readonly userId: string;
  readonly email: string;
}

/** Returns the identity of a token's user if the address is confirmed, otherwise null. */
export type FetchConfirmedEmail = (token: string) => Promise<OperatorIdentity | null>;

/** Returns true if the address of the token's user is confirmed. */
export type ConfirmOperatorEmail = (token: string, identity: OperatorIdentity) => Promise<boolean>;

/**
 * Creates a function that confirms addresses. If this address of the user was confirmed before, the database is enough.
 * Otherwise the function asks the identity provider. Concurrent requests of a user share one call, and a refusal is
 * repeated for 10 s. While the provider is unavailable, members keep their access but cannot accept further
 * invitations.
 * @throws DomainError from `fetchConfirmedEmail`, for callers who are not members yet
 */
export function createEmailConfirmation(
  adapters: Pick<Adapters, 'pool' | 'log'>,
  fetchConfirmedEmail: FetchConfirmedEmail,
): ConfirmOperatorEmail {
  const recent = new Map<string, RecentCall>();

  const ask = (token: string, identity: OperatorIdentity): Promise<boolean> => {
    const key = `${identity.userId} ${identity.email}`;
    const known = recent.get(key);
    if (known !== undefined && known.endsAt > Date.now()) return known.isConfirmed;
    const isConfirmed = confirm(adapters, identity, fetchConfirmedEmail(token));
    recent.delete(key);
    recent.set(key, { isConfirmed, endsAt: Date.now() + repeatRefusalMs });
    const [oldest] = recent.keys();
    if (recent.size > maxRecentCalls && oldest !== undefined) recent.delete(oldest);
    isConfirmed.catch(() => recent.delete(key));
    return isConfirmed;
  };

  return async (token, { userId, email }) => {
    const identity = { userId, email: email.toLowerCase() };
    const { isConfirmed, isMember } = await findOperator(adapters, identity);
    if (isConfirmed) return true;
    try {
      return await ask(token, identity);
    } catch (error) {
      if (!isMember || !isUnavailable(error)) throw error;
      warnUnconfirmed(adapters.log, error, userId);
      return false;
    }
  };
}

interface RecentCall {
  readonly isConfirmed: Promise<boolean>;
  readonly endsAt: number;
}

const repeatRefusalMs = 10_000;
const maxRecentCalls = 1_000;

async function confirm(
  { pool }: Pick<Adapters, 'pool'>,
  { userId, email }: OperatorIdentity,
  answer: Promise<OperatorIdentity | null>,
): Promise<boolean> {
  const confirmed = await answer;
  const isSame = confirmed?.userId === userId && confirmed.email.toLowerCase() === email;
  if (isSame) await runSql(pool, storeEmail, [userId, email]);
  return isSame;
}

const storeEmail = `
  insert into grounded.operator_emails (user_id, email) values ($1, $2)
  on conflict (user_id) do update set email = excluded.email, confirmed_at = now()`;

interface Operator {
  readonly isConfirmed: boolean;
  readonly isMember: boolean;
}

async function findOperator(
  { pool }: Pick<Adapters, 'pool'>,
  { userId, email }: OperatorIdentity,
): Promise<Operator> {
  const [found] = await runSql<Operator>(pool, findOperatorStatement, [userId, email]);
  return found ?? { isConfirmed: false, isMember: false };
}

const findOperatorStatement = {
  name: 'find-operator-email',
  text: `
    select
      exists (select from grounded.operator_emails where user_id = $1 and email = $2) as "isConfirmed",
      exists (select from grounded.members where user_id = $1) as "isMember"`,
};

function isUnavailable(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'UNAVAILABLE';
}

function warnUnconfirmed(log: Logger, error: DomainError, userId: string): void {
  log.warn({ err: error, userId }, 'the address of a member could not be confirmed');
}
