import type { DatabaseAccess } from '../../src/domain/database-pool.ts';

/** How a database of the tests is reached, but for what is said otherwise. */
export function accessTo(
  database: { readonly url: string; readonly directUrl?: string },
  access: Partial<DatabaseAccess> = {},
): DatabaseAccess {
  return {
    databaseUrl: database.url,
    directDatabaseUrl: database.directUrl ?? null,
    migrationDatabaseUrl: null,
    statementTimeoutMs: null,
    connectTimeoutMs: 10_000,
    ...access,
  };
}
