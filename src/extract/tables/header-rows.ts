import type { GridRow } from './cell-grid.ts';
import { isYear, type Row, valuePattern } from './table-records.ts';

/** Column names that were joined from several rows. `end` is the index after these rows. */
export interface JoinedHeader {
  readonly names: Row;
  readonly end: number;
}

const maxHeaderRows = 4;

/**
 * Joins the column names of a table whose first row has cells over several columns: `2025` above `Low` and `High`
 * becomes `2025 Low` and `2025 High`. Returns null if the table has no such names.
 */
export function joinHeaderRows(rows: readonly GridRow[], start: number): JoinedHeader | null {
  const [first, second] = [rows[start], rows[start + 1]];
  if (first === undefined || second === undefined) return null;
  let [names, spans] = [first.texts, first.spans.size > 0 ? first.spans : openSpans(first, second)];
  let end = start + 1;
  for (let row = rows[end]; row !== undefined && end - start < maxHeaderRows; row = rows[end]) {
    const { texts } = row;
    if (!areNamesBelow(names, spans, texts)) break;
    const groups = groupNames(names, spans);
    names = groups.map((name, column) => joinNames(name, texts[column] ?? ''));
    spans = row.spans;
    end += 1;
  }
  return end > start + 1 && end < rows.length ? { names, end } : null;
}

function joinNames(group: string, name: string): string {
  return [...new Set([group, name])].filter(Boolean).join(' ');
}

/** Repeats the text of each cell in all columns that it covers. */
function groupNames(texts: Row, spans: ReadonlyMap<number, number>): string[] {
  const names = [...texts];
  for (const [first, last] of spans) names.fill(texts[first] ?? '', first, last + 1);
  return names;
}

/**
 * Whether `names` has a name in every column below each joined cell of `titles`. In every other column, one of the two
 * rows must be empty, or both must have the same text: a cell that is joined downwards.
 */
function areNamesBelow(titles: Row, spans: ReadonlyMap<number, number>, names: Row): boolean {
  if (spans.size === 0) return false;
  const grouped = new Set<number>();
  let isSplit = false;
  for (const [first, last] of spans) {
    const parts = names.slice(first, last + 1);
    if (parts.length <= last - first || parts.includes('')) return false;
    if (new Set(parts).size > 1) isSplit = true;
    for (let column = first; column <= last; column += 1) grouped.add(column);
  }
  const others = titles.map((_, column) => column).filter((column) => !grouped.has(column));
  const isJoinedDown = (column: number) =>
    titles[column] !== '' && titles[column] === names[column];
  const isFree = (column: number) => titles[column] === '' || (names[column] ?? '') === '';
  if (!isSplit || !others.every((column) => isJoinedDown(column) || isFree(column))) return false;
  return others.some(isJoinedDown) || names.every((name) => name === '' || isName(name));
}

function isName(text: string): boolean {
  return isYear(text) || (/\p{L}/u.test(text) && !valuePattern.test(text));
}

/**
 * Returns the cells of a title row that an export has separated: a group with empty cells to its right, above a row
 * that has names only there or only where the title row has none.
 */
function openSpans({ texts }: GridRow, { texts: names }: GridRow): Map<number, number> {
  const spans = new Map<number, number>();
  const isGroup = (column: number) => texts[column] !== '' && (names[column] ?? '') !== '';
  for (let column = 0; column < texts.length; column += 1) {
    if (!isGroup(column)) continue;
    let last = column;
    while (texts[last + 1] === '' && (names[last + 1] ?? '') !== '') last += 1;
    if (last === column) return new Map();
    spans.set(column, last);
  }
  return spans;
}
