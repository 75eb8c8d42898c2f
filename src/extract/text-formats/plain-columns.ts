import {
  areAligned,
  type Cells,
  cellsAt,
  columnsOf,
  gapsOf,
  innerGaps,
  intersect,
  maxCellLength,
  minGap,
} from './aligned-columns.ts';
import { type PlainTable, readPlainTable } from './plain-table.ts';

/** Consecutive lines of a plain text: text, or a table whose columns are separated by spaces or tabs. */
export type PlainPart = { readonly kind: 'text'; readonly lines: readonly string[] } | PlainTable;

/** Number of lines above a line that it is compared with, and of a run of lines that may begin with lines of text. */
const comparedLines = 20;

/** Splits the lines of a paragraph into text and tables. A table has at least two lines with the same gaps. */
export function splitPlainTables(lines: readonly string[]): PlainPart[] {
  const parts: PlainPart[] = [];
  let text: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const isTitled = isTitleRow(cellsAt(lines, index), cellsAt(lines, index + 1));
    const start = isTitled ? index + 1 : index;
    const table = tableAt(lines, start);
    const pairs = isTitled ? { rows: [], isTable: false } : pairsAt(lines, start);
    const isTable = table.isTable && table.rows.length >= (pairs.isTable ? pairs.rows.length : 0);
    if (isTable || pairs.isTable) {
      if (text.length > 0) parts.push({ kind: 'text', lines: text });
      text = [];
      const titles = isTitled ? cellsAt(lines, index) : null;
      parts.push(isTable ? readPlainTable(titles, table.rows) : readPairs(pairs.rows));
      index = start + (isTable ? table : pairs).rows.length;
      continue;
    }
    // A long run of lines is not tried again from each of its lines, which would take quadratic time.
    const tried = Math.max(table.rows.length, pairs.rows.length);
    const next = tried > comparedLines ? start + tried : index + 1;
    text.push(...lines.slice(index, next));
    index = next;
  }
  if (text.length > 0) parts.push({ kind: 'text', lines: text });
  return parts;
}

/** Whether a line has several texts, the first of which begins to the right of the first cell of the next line. */
function isTitleRow(titles: Cells, [first]: Cells): boolean {
  return first !== undefined && titles.length > 1 && (titles[0]?.start ?? 0) >= first.end;
}

/** Lines that may be a table, and whether they are. */
interface Run {
  readonly rows: readonly Cells[];
  readonly isTable: boolean;
}

/** Returns the lines from one on that have a gap in common. */
function tableAt(lines: readonly string[], start: number): Run {
  const first = cellsAt(lines, start);
  if (first.length < 2 || otherLine.test(lines[start] ?? '')) return { rows: [], isTable: false };
  const rows = [first];
  let gaps = gapsOf(first);
  for (let index = start + 1; index < lines.length; index += 1) {
    const row = cellsAt(lines, index);
    const shared = intersect(gaps, gapsOf(row));
    const inner = innerGaps(shared, [...rows.slice(-comparedLines), row], minGap);
    // Only a line that continues the one above has no text before the first gap, and only such a line has one text.
    const isRow = inner.some(({ end }) => row.some((cell) => cell.start >= end));
    if (!isRow || otherLine.test(lines[index] ?? '')) break;
    gaps = shared;
    rows.push(row);
  }
  return { rows, isTable: rows.length > 1 && columnsOf(rows).length > 1 };
}

/**
 * Returns consecutive lines with a name and a value each. They are a table if most of the values start or end at the same
 * place. A long name may reach into the column of the values.
 */
function pairsAt(lines: readonly string[], start: number): Run {
  const rows: Cells[] = [];
  for (let index = start; index < lines.length; index += 1) {
    const row = cellsAt(lines, index);
    const [name] = row;
    const isName = name !== undefined && name.end - name.start <= maxCellLength;
    if (!isName || row.length !== 2 || otherLine.test(lines[index] ?? '')) break;
    rows.push(row);
  }
  const values = rows.flatMap((row) => row[1] ?? []);
  return { rows, isTable: values.length >= minPairs && areAligned(values) };
}

const minPairs = 3;

function readPairs(rows: readonly Cells[]): PlainPart {
  return { kind: 'table', header: null, rows: rows.map((row) => row.map(({ text }) => text)) };
}

/** Matches items of lists, fields such as `Name:  value`, and rows that are separated in another way. */
const otherLine = /^\s*(?:[-*+•]|\d{1,3}[.)]) +\S|^\s*\S[^:\n]{0,60}: {2,}|\|/;
