import { runSql, type SqlClient } from '../src/platform/postgres/run-sql.ts';

/** Versions of pgvector in the catalogue of Postgres. */
export interface PgvectorVersions {
  /** Version of the files on the server. */
  readonly available: string;
  /** Version that the database uses. Null if it does not use pgvector. */
  readonly installed: string | null;
}

/** Returns null if the server does not have pgvector. */
export async function readPgvectorVersions(client: SqlClient): Promise<PgvectorVersions | null> {
  const [versions] = await runSql<PgvectorVersions>(
    client,
    `select default_version as available, installed_version as installed
     from pg_available_extensions where name = 'vector'`,
  );
  return versions ?? null;
}

/** Whether the version is below `minimum`, such as `0.8.4`. */
export function isBelow(version: string, minimum: string): boolean {
  const [numbers, limits] = [version, minimum].map((text) =>
    text.split('.').map((part) => Number.parseInt(part, 10)),
  );
  for (const [index, limit] of (limits ?? []).entries()) {
    const number = numbers?.[index] ?? 0;
    if (number !== limit) return number < limit;
  }
  return false;
}

/** The first version without any of these faults. */
const repairedVersion = '0.8.4';

/** Faults of pgvector, from its changelog, with the version that repairs each. */
const faults = [
  { repairedIn: '0.8.2', text: 'can crash or leak data when it builds an HNSW index in parallel' },
  { repairedIn: '0.8.3', text: 'can damage an HNSW index when it vacuums it' },
  { repairedIn: repairedVersion, text: 'can fail to vacuum an HNSW index' },
];

/**
 * Returns a warning that names the faults of the pgvector in use, and the statement that updates it. Returns null if
 * the version has none of them.
 */
export function pgvectorWarning({ available, installed }: PgvectorVersions): string | null {
  const present = faults.filter(({ repairedIn }) => isBelow(installed ?? available, repairedIn));
  if (installed === null || present.length === 0) return null;
  const [first = '', ...others] = present.map(({ text }) => text);
  const last = others.pop();
  const list = last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`;
  const how = isBelow(available, repairedVersion)
    ? `Install pgvector ${repairedVersion} or later on the server, then run in the database: `
    : `The server has pgvector ${available}. Run in the database: `;
  return (
    `The database uses pgvector ${installed}, which ${list}. ${how}alter extension vector update; ` +
    'See docs/guides/operations.md#update-pgvector'
  );
}

/** Reads the versions and returns the warning, or null. */
export async function findPgvectorFaults(client: SqlClient): Promise<string | null> {
  const versions = await readPgvectorVersions(client);
  return versions && pgvectorWarning(versions);
}
