import type pg from 'pg';
import type { CopiedTable } from './tables.ts';

/** Rows per read. */
const readRows = 100;
/** Rows are written when they have this many characters. */
const writeCharacters = 1_000_000;

/**
 * Copies the rows of a table in batches. Both clients must be in a transaction with `prepareTransaction`. Values travel
 * as text, which both servers read and write in the same way. Returns the number of rows.
 */
export async function copyRows(
  source: pg.Client,
  target: pg.Client,
  table: CopiedTable,
  onProgress: (rows: number) => void,
): Promise<number> {
  const { name, columns } = table;
  const values = columns.map(({ name }) => `${name}::text`);
  await source.query(
    `declare moved_rows no scroll cursor for select ${values} from ${name} ${whereSql(table)}`,
  );
  const insert = insertSql(table);
  let total = 0;
  let batch = emptyBatch(columns.length);
  let characters = 0;
  const write = async () => {
    if (characters === 0) return;
    await target.query(insert, batch);
    batch = emptyBatch(columns.length);
    characters = 0;
    onProgress(total);
  };
  for (;;) {
    const { rows } = await source.query<(string | null)[]>({
      text: `fetch ${readRows} from moved_rows`,
      rowMode: 'array',
    });
    for (const row of rows) {
      row.forEach((value, index) => {
        batch[index]?.push(value);
        characters += (value?.length ?? 0) + 1;
      });
    }
    total += rows.length;
    if (rows.length < readRows || characters >= writeCharacters) await write();
    if (rows.length < readRows) break;
  }
  await source.query('close moved_rows');
  return total;
}

function emptyBatch(size: number): (string | null)[][] {
  return Array.from({ length: size }, () => []);
}

function insertSql({ name, columns }: CopiedTable): string {
  const names = columns.map((column) => column.name).join(', ');
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const casts = columns.map(({ name, type }) => `moved.${name}::${type}`).join(', ');
  return `insert into ${name} (${names}) overriding system value
    select ${casts} from unnest(${arrays}) as moved (${names})`;
}

export function whereSql({ filter }: Pick<CopiedTable, 'filter'>): string {
  return filter === null ? '' : `where ${filter}`;
}
