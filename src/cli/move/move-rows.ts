import { type Client, DatabaseError } from 'pg';
import { DomainError } from '../../platform/errors.ts';
import { type ComparedTable, compareRows } from './compare-rows.ts';
import { copyRows } from './copy-rows.ts';
import { beginTransaction } from './open-installation.ts';
import { type CopiedTable, isQueuedJob, listAllTables, listCopiedTables } from './tables.ts';

/**
 * Copies all rows in one transaction of the target, and compares them in it. If the process dies, or if a table
 * differs, the target is as before. `source` must be in a transaction.
 * @throws DomainError CONFLICT when the target has data or is in use, or the schemas differ
 */
export async function moveRows(
  source: Client,
  target: Client,
  logProgress: (message: string) => void,
): Promise<ComparedTable[]> {
  await beginTransaction(target, 'read committed');
  try {
    const tables = await listCopiedTables(target);
    requireSameTables(await listCopiedTables(source), tables);
    await emptyTarget(target);
    await run(target, tables.flatMap(suspendSql));
    for (const table of tables) await copyTable(source, target, table, logProgress);
    await target.query('set constraints all immediate');
    await run(target, tables.flatMap(restoreSql));
    for (const name of tables.flatMap(({ sequences }) => sequences))
      await copySequence(source, target, name);
    logProgress('Comparing the rows …');
    const compared: ComparedTable[] = [];
    for (const table of tables) compared.push(await compareRows(source, target, table));
    await target.query(compared.every(({ equal }) => equal) ? 'commit' : 'rollback');
    return compared;
  } catch (error) {
    await target.query('rollback').catch(() => {}); // Fails if the connection is lost. The original error matters.
    throw explain(error);
  }
}

/** Updates the statistics of the planner. */
export async function analyze(target: Client): Promise<void> {
  const tables = await listCopiedTables(target);
  for (const { name } of tables) await target.query(`analyze ${name}`);
}

/** @throws DomainError CONFLICT when the database has an organization */
export async function requireEmpty(client: Client): Promise<void> {
  if (!(await hasOrganizations(client))) return;
  throw new DomainError(
    'CONFLICT',
    'The target already contains organizations. Nothing was changed: choose a database without data of the service.',
  );
}

/** Returns false also if the migrations of the service have not run on the database. */
export async function hasOrganizations(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('grounded.organizations') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return false;
  const found = await client
    .query('select from grounded.organizations limit 1')
    .catch((error) => Promise.reject(explain(error)));
  return found.rowCount === 1;
}

function requireSameTables(source: readonly CopiedTable[], target: readonly CopiedTable[]): void {
  const describe = ({ name, columns }: CopiedTable) =>
    `${name} (${columns.map((column) => column.name).join(', ')})`;
  const expected = new Set(target.map(describe));
  const given = new Set(source.map(describe));
  const other = [...source, ...target].find(
    (table) => !expected.has(describe(table)) || !given.has(describe(table)),
  );
  if (other === undefined) return;
  throw new DomainError(
    'CONFLICT',
    `The source has another version of the table ${other.name}, or lacks it. ` +
      'Update the service on the source to this version first, and start it once.',
  );
}

/**
 * Locks all tables, so that no process reads or writes them until the end. Without an organization they contain nothing
 * but rows that migrations and starts have created.
 */
async function emptyTarget(target: Client): Promise<void> {
  await target.query('lock table grounded.organizations in access exclusive mode');
  await requireEmpty(target);
  await target.query(`truncate ${(await listAllTables(target)).join(', ')}`);
}

/**
 * Returns statements that turn off triggers, which would notify about old events again, and defer the check of
 * references within the table to the commit, because a row may refer to a later row.
 */
function suspendSql({ name, hasTriggers, selfReferences }: CopiedTable): string[] {
  return [
    ...(hasTriggers ? [`alter table ${name} disable trigger user`] : []),
    ...selfReferences.map(
      (key) => `alter table ${name} alter constraint ${key} deferrable initially deferred`,
    ),
  ];
}

function restoreSql({ name, hasTriggers, selfReferences }: CopiedTable): string[] {
  return [
    ...(hasTriggers ? [`alter table ${name} enable trigger user`] : []),
    ...selfReferences.map((key) => `alter table ${name} alter constraint ${key} not deferrable`),
  ];
}

async function run(client: Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

async function copyTable(
  source: Client,
  target: Client,
  table: CopiedTable,
  logProgress: (message: string) => void,
): Promise<void> {
  // Finished jobs of an earlier use of the target could count as the same job.
  if (table.filter !== null) await target.query(`delete from ${table.name} where ${isQueuedJob}`);
  let loggedAt = performance.now();
  const rows = await copyRows(source, target, table, (count) => {
    if (performance.now() - loggedAt < progressMs) return;
    loggedAt = performance.now();
    logProgress(`${table.label}: ${count} …`);
  });
  if (rows > 0) logProgress(`${table.label}: ${rows}`);
}

const progressMs = 2_000;

/** Later rows get ids that the source has never used. */
async function copySequence(source: Client, target: Client, name: string): Promise<void> {
  const { rows } = await source.query<{ value: string; isCalled: boolean }>(
    `select last_value::text as value, is_called as "isCalled" from ${name}`,
  );
  for (const { value, isCalled } of rows)
    await target.query('select setval($1::regclass, $2, $3)', [name, value, isCalled]);
}

function explain(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { code, message } = error;
  if (code === insufficientPrivilege) {
    return new DomainError(
      'UNAVAILABLE',
      `The role of the database may not copy all rows: ${message}. Use the role that owns the tables.`,
      { cause: error },
    );
  }
  if (code !== lockNotAvailable) return error;
  return new DomainError('CONFLICT', 'The target is in use. Stop all processes that use it.', {
    cause: error,
  });
}

const insufficientPrivilege = '42501';
const lockNotAvailable = '55P03';
