import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';

/**
 * Lets only one transaction at a time create, rotate or revoke keys of an organization. Otherwise a revocation could
 * miss a key that a revoked key creates at the same moment.
 */
export async function lockKeys({ db }: Pick<Context, 'db'>, organizationId: string): Promise<void> {
  await runSql(db, lockStatement, [`api keys of ${organizationId}`]);
}

const lockStatement = 'select pg_advisory_xact_lock(hashtextextended($1, 0))::text';
