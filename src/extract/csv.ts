import { type Options, parse } from 'csv-parse/sync';
import { cleanLine, cleanText } from './clean-text.ts';
import { readText } from './decode-text.ts';
import type { ExtractLimits } from './extract-limits.ts';
import type { ExtractedText } from './extracted-text.ts';
import { createTextBuilder } from './text-builder.ts';

const delimiters = [',', ';', '\t', '|'];
const sampleCharacters = 65_536;
const maxColumnNameLength = 120;
const maxTitleRows = 5;
/** Matches cells that cannot be column names: numbers, ISO dates, email addresses and web addresses. */
const valuePattern = /^(?=\P{L}*$)\P{L}*\d|^\d{4}-\d\d-\d\d|\S@\S|^https?:/u;

/**
 * Extracts a table of delimited values. Each row becomes one block: `Column: value; Column: value` if the table has a
 * header, else `value; value`. Omits empty values. Rows above the header that have a single value become paragraphs.
 */
export async function readCsv(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const builder = createTextBuilder(limits.textCharacters);
  const { titles, header, rows } = splitHeader(parseTable(cleanText(await readText(bytes))));
  for (const title of titles) builder.add('paragraph', title.join(' '));
  for (const row of rows) builder.add('table-row', renderRow(row, header));
  return builder.build();
}

type Row = readonly string[];

function parseTable(text: string): Row[] {
  const separatorLine = /^sep=(.)\n/.exec(text);
  const body = separatorLine === null ? text : text.slice(separatorLine[0].length);
  const delimiter = separatorLine?.[1] ?? detectDelimiter(body.slice(0, sampleCharacters));
  return parseRows(body, delimiter)
    .map((row) => row.map(cleanLine))
    .filter((row) => row.some((cell) => cell !== ''));
}

/**
 * Ways to read quotes, strictest first: with spaces around the quotes, with other text after the closing quote, and as
 * ordinary characters, because a quote is never closed.
 */
const quoteOptions: readonly Options[] = [{ trim: true }, { ltrim: true }, { quote: null }];

/** Parses the rows of a table with the first way to read quotes that succeeds. */
function parseRows(text: string, delimiter: string): Row[] {
  const options: Options = { delimiter, relax_quotes: true, relax_column_count: true };
  let failure: unknown;
  for (const quotes of quoteOptions) {
    try {
      return toRows(parse(text, { ...options, ...quotes }));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Narrows the type of csv-parse's result, which is always an array of string arrays without the option `columns`. */
function toRows(parsed: unknown): Row[] {
  return parsed as string[][];
}

/**
 * Returns the delimiter that splits most rows of the sample into the same number of columns, which must be at least
 * two.
 */
function detectDelimiter(sample: string): string {
  const text = sample.length < sampleCharacters ? sample : sample.replace(/\n[^\n]*$/, '');
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of delimiters) {
    const score = columnCountConsistency(parseRows(text, delimiter).map((row) => row.length));
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

function columnCountConsistency(widths: readonly number[]): number {
  const rowsByWidth = new Map<number, number>();
  for (const width of widths) rowsByWidth.set(width, (rowsByWidth.get(width) ?? 0) + 1);
  let best = 0;
  for (const [width, rows] of rowsByWidth) {
    if (width > 1) best = Math.max(best, (rows / widths.length) * (2 - 1 / width));
  }
  return best;
}

function splitHeader(table: readonly Row[]): { titles: Row[]; header: Row | null; rows: Row[] } {
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
 * Whether the row contains column names: at least half of its cells are filled, they are mostly distinct and short, and
 * at most 10 % of the filled cells are data, such as numbers.
 */
function looksLikeHeader(row: Row, next: Row): boolean {
  const names = row.filter((cell) => cell !== '');
  if (names.length < row.length * 0.5 || new Set(names).size < names.length * 0.8) return false;
  const isValue = (cell: string, index: number) =>
    isYear(cell)
      ? isYear(next[index] ?? '')
      : cell.length > maxColumnNameLength || valuePattern.test(cell);
  const values = row.filter((cell, index) => cell !== '' && isValue(cell, index));
  return values.length <= names.length * 0.1 && names.some((cell) => /\p{L}/u.test(cell));
}

/** Whether the cell is a year. Years are often column names. */
function isYear(cell: string): boolean {
  return /^(?:19|20)\d\d$/.test(cell);
}

function renderRow(row: Row, header: Row | null): string {
  const cells: string[] = [];
  row.forEach((value, index) => {
    const name = header?.[index] ?? '';
    if (value !== '') cells.push(name === '' ? value : `${name}: ${value}`);
  });
  return cells.join('; ');
}
