import type { BlockSink } from '../text-builder.ts';
import { addFieldRows } from './field-rows.ts';
import { joinHeaderRows } from './header-rows.ts';
import { type Row, splitHeader } from './table-records.ts';

/**
 * Adds a table. Each row becomes one block: `Column: value; Column: value` if the table has a header, otherwise `value;
 * value`. Omits empty values. Rows above the header that have a single value become paragraphs.
 */
export function addTable(builder: BlockSink, table: readonly Row[]): void {
  const { titles, header, rows } = joinedTable(table) ?? splitHeader(table);
  for (const title of titles) builder.add('paragraph', title.join(' ').trim());
  addFieldRows(builder, rows, header);
}

/**
 * Splits a table whose column names have several rows. Such a table is the export of a sheet with joined cells, so an
 * empty first cell has the value of the cell above it.
 */
function joinedTable(table: readonly Row[]): ReturnType<typeof splitHeader> | null {
  const start = table.slice(0, maxTitleRows + 1).findIndex((row) => row.filter(Boolean).length > 1);
  if (start < 0) return null;
  const rows = table.map((texts) => ({ texts, spans: new Map<number, number>() }));
  const joined = joinHeaderRows(rows, start);
  if (joined === null) return null;
  let group = '';
  const filled = table.slice(joined.end).map(([first = '', ...others]) => {
    if (first !== '') group = first;
    return [others.some(Boolean) ? group : first, ...others];
  });
  return { titles: table.slice(0, start), header: joined.names, rows: filled };
}

const maxTitleRows = 5;
