import type pg from 'pg';
import { queueSchema } from '../../platform/jobs/install-queue.ts';
import { jobs } from '../../server/jobs.ts';

/** Tables of the schema `grounded` that `move` leaves out, with the reason. All other tables are copied. */
export const leftOutTables: Readonly<Record<string, string>> = {
  operator_sessions: 'everyone signs in again',
  sign_in_links: 'a link is valid for a day, and opens the dashboard of the source',
  request_windows: 'requests of the current minute',
  rate_windows: 'unused',
  caller_windows: 'unused',
  visitor_windows: 'unused',
  document_changes:
    'transaction ids of the source, for search indexes in the memory of its processes',
  replica_beats: 'the read replicas of the source',
};

/** A table to copy. All names are quoted, and qualified by their schema. */
export interface CopiedTable {
  /** Name of the table in messages, such as `chunks`. */
  readonly label: string;
  readonly name: string;
  /** In the order of their names, because the order in the table may differ between two databases. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Condition of the rows to copy. Null: all rows. */
  readonly filter: string | null;
  /** Foreign keys whose rows refer to rows of the same table. */
  readonly selfReferences: readonly string[];
  readonly hasTriggers: boolean;
  readonly sequences: readonly string[];
}

/**
 * Lists the tables to copy from the catalogue, so that no migration can forget one. Each table follows those that its
 * foreign keys refer to. Needs an empty search path.
 */
export async function listCopiedTables(client: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<CatalogueTable>(catalogueSql, [queueSchema]);
  const copied = rows
    .filter(({ schema, label }) =>
      schema === queueSchema ? label === 'job' : !Object.hasOwn(leftOutTables, label),
    )
    .map((table) => (table.schema === queueSchema ? waitingJobs(table) : table));
  return sortByReferences(copied);
}

/** Lists all tables of the schema `grounded`. */
export async function listAllTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<CatalogueTable>(catalogueSql, [queueSchema]);
  return rows.filter(({ schema }) => schema === 'grounded').map(({ name }) => name);
}

interface CatalogueTable extends CopiedTable {
  readonly schema: string;
  /** Other tables that the foreign keys refer to. */
  readonly references: readonly string[];
}

/** Partitions are copied with their parent. */
const catalogueSql = `
  select n.nspname as schema, c.relname as label, c.oid::regclass::text as name, null as filter,
    (select json_agg(json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, atttypmod))
       order by attname collate "C")
     from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    array(select distinct confrelid::regclass::text from pg_constraint
      where conrelid = c.oid and contype = 'f' and conparentid = 0 and confrelid <> c.oid) as references,
    array(select quote_ident(conname) from pg_constraint
      where conrelid = c.oid and contype = 'f' and conparentid = 0 and confrelid = c.oid) as "selfReferences",
    exists (select from pg_trigger where tgrelid = c.oid and not tgisinternal) as "hasTriggers",
    array(select pg_get_serial_sequence(c.oid::regclass::text, attname) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped
        and pg_get_serial_sequence(c.oid::regclass::text, attname) is not null) as sequences
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('grounded', $1) and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`;

/** Jobs of a schedule are not copied: the next one follows within a day. */
function waitingJobs(table: CatalogueTable): CatalogueTable {
  return {
    ...table,
    label: 'waiting jobs',
    filter: `${isQueuedJob} and state < 'completed'`,
    references: [],
  };
}

/** Condition of the jobs that come from requests, and not from a schedule. */
export const isQueuedJob = `name in (${jobs
  .filter(({ schedule }) => schedule === undefined)
  .map(({ name }) => `'${name}'`)
  .join(', ')})`;

function sortByReferences(tables: readonly CatalogueTable[]): CatalogueTable[] {
  const sorted: CatalogueTable[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const known = new Set(sorted.map(({ name }) => name));
    const next = waiting.filter(({ references }) => references.every((name) => known.has(name)));
    if (next.length === 0) {
      const names = waiting.map(({ name }) => name).join(', ');
      throw new Error(`These tables refer to each other, or to tables that are left out: ${names}`);
    }
    sorted.push(...next);
    waiting = waiting.filter((table) => !next.includes(table));
  }
  return sorted;
}
