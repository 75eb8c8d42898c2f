/** A pooler that `DATABASE_URL` leads through. */
export const poolers = ['transaction', 'session', 'none'] as const;
type Pooler = (typeof poolers)[number];

interface PoolerSettings {
  readonly DATABASE_URL?: string | undefined;
  readonly DIRECT_DATABASE_URL?: string | undefined;
  readonly DATABASE_POOLER?: Pooler | undefined;
}

const transactionPort = '6543';
const sessionPort = '5432';

/** Returns the pooler of the settings. Without `DATABASE_POOLER`, the addresses tell, as far as they are known. */
function findPooler(settings: PoolerSettings): Pooler {
  const { DATABASE_URL: url, DIRECT_DATABASE_URL: direct, DATABASE_POOLER: named } = settings;
  if (named !== undefined || url === undefined) return named ?? 'none';
  if (direct !== undefined) return direct === url ? 'none' : 'transaction';
  const { port, hostname } = new URL(url);
  if (port === transactionPort) return 'transaction';
  return hostname.endsWith('.pooler.supabase.com') ? 'session' : 'none';
}

/**
 * Returns the address for what needs a session: migrations and LISTEN. Behind a transaction pooler without
 * `DIRECT_DATABASE_URL`, it is the same host at port 5432, where Supabase has its session pooler. Null if `DATABASE_URL`
 * is such an address.
 */
export function directUrlOf(settings: PoolerSettings): string | null {
  const { DATABASE_URL: url, DIRECT_DATABASE_URL: direct } = settings;
  if (direct !== undefined) return direct;
  if (url === undefined || findPooler(settings) !== 'transaction') return null;
  const session = new URL(url);
  session.port = sessionPort;
  return session.href;
}

/** A session pooler has few connections for all processes: Supabase's 15 are enough for two. */
export function defaultPoolSize(settings: PoolerSettings): number {
  return findPooler(settings) === 'session' ? 3 : 10;
}

/** Returns what is wrong with these settings, if each is valid. */
export function findPoolerProblem(settings: PoolerSettings): string | null {
  const { DATABASE_URL: url, DIRECT_DATABASE_URL: direct, DATABASE_POOLER: named } = settings;
  if (named === undefined) return null;
  if (url === undefined)
    return 'DATABASE_URL is not set: DATABASE_POOLER is only for use beside it';
  const hasSessionPort = [sessionPort, ''].includes(URL.parse(url)?.port ?? '');
  if (named !== 'transaction' || direct !== undefined || !hasSessionPort) return null;
  return (
    'DIRECT_DATABASE_URL is not set: with DATABASE_POOLER=transaction it must be the same database without the pooler, ' +
    `because DATABASE_URL already has port ${sessionPort}`
  );
}
