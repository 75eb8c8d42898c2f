import { type Client, DatabaseError } from 'pg';
import { DomainError } from '../src/platform/errors.ts';
import { isBelow, readPgvectorVersions } from './pgvector-faults.ts';

/**
 * Checks that pgvector 0.8 or later is installed, in any schema, and installs it in the schema `extensions` if not.
 * Call it in a transaction, so that a refusal leaves no schema behind.
 * @throws DomainError UNAVAILABLE when pgvector is missing or too old, or this role may not install or use it
 */
export async function requirePgvector(client: Client): Promise<void> {
  await requireVersion(client);
  if (await requireUsage(client, 'current_user')) return;
  await install(client);
  await requireUsage(client, 'current_user');
}

/**
 * Checks that `role` may use the schema of pgvector. Otherwise Postgres finds none of its operators. Returns false if
 * pgvector is not installed.
 * @throws DomainError UNAVAILABLE
 */
export async function requireUsage(
  client: Client,
  role: 'current_user' | "'grounded_service'",
): Promise<boolean> {
  const schema = await findSchema(client, role);
  if (schema === undefined) return false;
  if (schema.isUsable) return true;
  throw new DomainError(
    'UNAVAILABLE',
    `pgvector is installed in the schema ${schema.name}, which the role ${schema.role} may not use. ` +
      `Let an administrator run: grant usage on schema ${schema.name} to ${schema.role};`,
  );
}

interface ExtensionSchema {
  /** Quoted as in SQL, like the role. */
  readonly name: string;
  readonly role: string;
  readonly isUsable: boolean;
}

/** Reads the catalogue: the search path says nothing of where the extension is. */
async function findSchema(client: Client, role: string): Promise<ExtensionSchema | undefined> {
  const { rows } = await client.query<ExtensionSchema>(
    `select quote_ident(n.nspname) as name, quote_ident(${role}) as role,
       has_schema_privilege(${role}, n.oid, 'usage') as "isUsable"
     from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'`,
  );
  return rows[0];
}

/** Does not ask for rights before, because hosted services let ordinary roles create some extensions. */
async function install(client: Client): Promise<void> {
  const { rows } = await client.query<{ role: string }>('select quote_ident(current_user) as role');
  const role = rows[0]?.role;
  try {
    await client.query('create schema if not exists extensions');
    await client.query('create extension if not exists vector with schema extensions');
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== insufficientPrivilege) throw error;
    throw new DomainError(
      'UNAVAILABLE',
      `pgvector is not installed in this database, and the role ${role} may not create it. ` +
        'Let an administrator run: create schema if not exists extensions; ' +
        `create extension vector with schema extensions; grant usage on schema extensions to ${role};`,
      { cause: error },
    );
  }
}

const insufficientPrivilege = '42501';

async function requireVersion(client: Client): Promise<void> {
  const vector = await readPgvectorVersions(client);
  if (vector === null) {
    throw new DomainError(
      'UNAVAILABLE',
      'The Postgres server lacks the extension pgvector, version 0.8 or later. Install it: ' +
        'https://github.com/pgvector/pgvector#installation',
    );
  }
  const { available, installed } = vector;
  if (installed !== null && isUnsupported(installed) && !isUnsupported(available)) {
    throw new DomainError(
      'UNAVAILABLE',
      `The database uses pgvector ${installed}, and needs 0.8 or later. Run in it: ` +
        'alter extension vector update;',
    );
  }
  if (isUnsupported(installed ?? available)) {
    throw new DomainError(
      'UNAVAILABLE',
      `The Postgres server has pgvector ${installed ?? available}, and needs 0.8 or later. ` +
        'Upgrade it: https://github.com/pgvector/pgvector#upgrading',
    );
  }
}

/** The first version with iterative index scans. Without them, searches in small projects find nothing. */
const minimumVersion = '0.8.0';

function isUnsupported(version: string): boolean {
  return isBelow(version, minimumVersion);
}
