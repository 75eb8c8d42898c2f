import type { DatabaseSettings } from '../../../src/platform/postgres/database-pool.ts';

/** Returns the connection settings of a test database. Values in `access` override them. */
export function databaseAccessFor(
  database: { readonly url: string; readonly directUrl?: string },
  access: Partial<DatabaseSettings> = {},
): DatabaseSettings {
  return {
    databaseUrl: database.url,
    directDatabaseUrl: database.directUrl ?? null,
    usesTransactionPooler: (database.directUrl ?? database.url) !== database.url,
    migrationDatabaseUrl: null,
    statementTimeoutMs: null,
    connectTimeoutMs: 10_000,
    ...access,
  };
}
