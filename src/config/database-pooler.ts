import { hostUrls, withPort } from '../platform/postgres/database-url.ts';

/** Kinds of pooler that `DATABASE_URL` can lead through. */
export const poolers = ['transaction', 'session', 'none'] as const;
type Pooler = (typeof poolers)[number];

interface PoolerSettings {
  readonly DATABASE_URL?: string | undefined;
  readonly DIRECT_DATABASE_URL?: string | undefined;
  readonly DATABASE_POOLER?: Pooler | undefined;
}

const transactionPort = '6543';
const sessionPort = '5432';

/**
 * Returns the kind of pooler. `DATABASE_POOLER` decides if it is set. Otherwise host and port decide for Supabase. For
 * any other host, a different `DIRECT_DATABASE_URL` means a transaction pooler.
 */
function findPooler(settings: PoolerSettings): Pooler {
  const { DATABASE_URL: url, DIRECT_DATABASE_URL: direct, DATABASE_POOLER: named } = settings;
  if (named !== undefined || url === undefined) return named ?? 'none';
  const [firstUrl = url] = hostUrls(url);
  const atSupabase = findPoolerOfSupabase(new URL(firstUrl));
  if (atSupabase !== null) return atSupabase;
  return direct === undefined || isSameSession(url, direct) ? 'none' : 'transaction';
}

/** Returns null if the host is not Supabase's. The port proves nothing by itself: any Postgres may listen on 6543. */
function findPoolerOfSupabase({ hostname, port }: URL): Pooler | null {
  const host = hostname.toLowerCase();
  const isShared = host.endsWith('.pooler.supabase.com');
  if (!isShared && !/^db\.[a-z0-9-]+\.supabase\.co$/.test(host)) return null;
  if (port === transactionPort) return 'transaction';
  return isShared ? 'session' : 'none';
}

/** Whether both addresses lead to the same servers in the same mode. PgBouncer has one mode per database and user. */
function isSameSession(one: string, other: string): boolean {
  const [first, second] = [one, other].map((address) =>
    hostUrls(address).map((url) => {
      const { hostname, port, pathname, username } = new URL(url);
      return [hostname.toLowerCase(), port || sessionPort, pathname, username];
    }),
  );
  return JSON.stringify(first) === JSON.stringify(second);
}

/**
 * Whether each transaction may run in another session. If true, no statement may rely on the session of an earlier
 * statement.
 */
export function usesTransactionPooler(settings: PoolerSettings): boolean {
  return findPooler(settings) === 'transaction';
}

/**
 * Returns the address for work that needs a session: migrations and LISTEN. This is `DIRECT_DATABASE_URL` if it is set.
 * Otherwise, behind a transaction pooler, it is the same hosts with port 5432, where Supabase has its session pooler.
 * Without such a pooler, returns null: `DATABASE_URL` keeps sessions.
 */
export function directUrlOf(settings: PoolerSettings): string | null {
  const { DATABASE_URL: url, DIRECT_DATABASE_URL: direct } = settings;
  if (direct !== undefined) return direct;
  if (url === undefined || !usesTransactionPooler(settings)) return null;
  return withPort(url, sessionPort);
}

/**
 * The default is small for a session pooler, because its connections are shared by all processes. Supabase's pooler has
 * 15, and each process has a few connections besides this pool.
 */
export function defaultPoolSize(settings: PoolerSettings): number {
  return findPooler(settings) === 'session' ? 3 : 10;
}

/** Returns the problem with the combination of these settings, or null. Each setting must be valid by itself. */
export function findPoolerProblem(settings: PoolerSettings): string | null {
  const { DATABASE_URL: url, DIRECT_DATABASE_URL: direct, DATABASE_POOLER: named } = settings;
  if (url === undefined) {
    return named === undefined
      ? null
      : 'DATABASE_URL is not set: DATABASE_POOLER is only for use beside it';
  }
  if (!usesTransactionPooler(settings)) return null;
  if (direct !== undefined) {
    return isSameSession(url, direct)
      ? 'DIRECT_DATABASE_URL leads through the same pooler as DATABASE_URL: it must be the same database without the pooler'
      : null;
  }
  const hasSessionPort = hostUrls(url).some((each) =>
    [sessionPort, ''].includes(new URL(each).port),
  );
  return hasSessionPort
    ? 'DIRECT_DATABASE_URL is not set: with DATABASE_POOLER=transaction it must be the same database without the pooler, ' +
        `because DATABASE_URL already has port ${sessionPort}`
    : null;
}
