export type Row = readonly string[];

const maxColumnNameLength = 120;
const maxTitleRows = 5;
/** Matches cells that cannot be column names: numbers, ISO dates, email addresses and web addresses. */
export const valuePattern = /^(?=\P{L}*$)\P{L}*\d|^\d{4}-\d\d-\d\d|\S@\S|^https?:/u;

/** Separates the rows above the column names and the column names from the rows of a table. */
export function splitHeader(table: readonly Row[]): {
  titles: Row[];
  header: Row | null;
  rows: Row[];
} {
  const width = Math.max(0, ...table.slice(0, 200).map((row) => row.length));
  const isTitle = (row: Row) => width > 2 && row.filter((cell) => cell !== '').length === 1;
  const found = table.findIndex((row) => !isTitle(row));
  const first = found > maxTitleRows || found < 0 ? 0 : found;
  const [candidate, ...rest] = table.slice(first);
  const titles = table.slice(0, first);
  const [second] = rest;
  if (candidate === undefined || second === undefined || !looksLikeHeader(candidate, second)) {
    return { titles, header: null, rows: table.slice(first) };
  }
  return { titles, header: candidate, rows: rest };
}

/**
 * Whether the row contains column names. At least half of its cells must be filled, and most of these must be distinct
 * and short. At most 10 % of the filled cells may be data, such as numbers. No cell may be a sentence or question above
 * a cell of the same kind, as in a list of questions and answers.
 */
function looksLikeHeader(row: Row, next: Row): boolean {
  const names = row.filter((cell) => cell !== '');
  if (names.length < row.length * 0.5 || new Set(names).size < names.length * 0.8) return false;
  if (row.some((cell, index) => isSameSentence(cell, next[index] ?? ''))) return false;
  const isValue = (cell: string, index: number) =>
    isYear(cell)
      ? isYear(next[index] ?? '')
      : cell.length > maxColumnNameLength || valuePattern.test(cell);
  const values = row.filter((cell, index) => cell !== '' && isValue(cell, index));
  return values.length <= names.length * 0.1 && names.some((cell) => /\p{L}/u.test(cell));
}

/** Whether both texts are questions, or both are sentences. */
function isSameSentence(one: string, other: string): boolean {
  const [end, otherEnd] = [sentenceEnd(one), sentenceEnd(other)];
  return end !== '' && (end === '?') === (otherEnd === '?') && otherEnd !== '';
}

/** Returns the punctuation at the end of a text with at least three words. Returns '' otherwise. */
function sentenceEnd(text: string): string {
  const end = /[.!?。！？]$/.exec(text)?.[0] ?? '';
  const isLong = /\S\s+\S+\s+\S/.test(text) || /[。！？]$/.test(text);
  return isLong ? end.replace('？', '?') : '';
}

/** Whether the cell is a year. Years are often column names. */
export function isYear(cell: string): boolean {
  return /^(?:19|20)\d\d$/.test(cell);
}

export function renderRow(row: Row, header: Row | null): string {
  const cells: string[] = [];
  row.forEach((value, index) => {
    const name = header?.[index] ?? '';
    if (value !== '') cells.push(name === '' ? value : `${name}: ${value}`);
  });
  return cells.join('; ');
}
