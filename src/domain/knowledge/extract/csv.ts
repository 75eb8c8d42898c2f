import { type Options, parse } from 'csv-parse/sync';
import { cleanLine, cleanText } from './clean-text.ts';
import type { ExtractedText } from './extracted-text.ts';
import type { ExtractLimits } from './limits.ts';
import { readText } from './read-text.ts';
import { createTextBuilder } from './text-builder.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_CHARACTERS = 65_536;
const LONGEST_COLUMN_NAME = 120;
const MOST_TITLE_ROWS = 5;
/** Digits without a letter, a date with a time, a mail or web address. */
const VALUE = /^\P{L}*\d\P{L}*$|^\d{4}-\d\d-\d\d|\S@\S|^https?:/u;

/**
 * Reads a table of delimited values. Each row becomes one block, `Column: value; Column: value` when the
 * table has a header and `value; value` when not; empty values are left out. Rows of a single value
 * above the header are paragraphs.
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
  const hinted = /^sep=(.)\n/.exec(text);
  const body = hinted === null ? text : text.slice(hinted[0].length);
  const delimiter = hinted?.[1] ?? detectDelimiter(body.slice(0, SAMPLE_CHARACTERS));
  return parseRows(body, delimiter)
    .map((row) => row.map(cleanLine))
    .filter((row) => row.some((cell) => cell !== ''));
}

/** A quote that is never closed is an ordinary character: then no character quotes. */
function parseRows(text: string, delimiter: string): Row[] {
  const options: Options = { delimiter, relax_quotes: true, relax_column_count: true };
  try {
    return toRows(parse(text, options));
  } catch {
    return toRows(parse(text, { ...options, quote: null }));
  }
}

/** Without `columns` csv-parse answers arrays of strings, which its types cannot say. */
function toRows(parsed: unknown): Row[] {
  return parsed as string[][];
}

/** The delimiter that splits most rows of the sample into the same number of columns, two or more. */
function detectDelimiter(sample: string): string {
  const text = sample.length < SAMPLE_CHARACTERS ? sample : sample.replace(/\n[^\n]*$/, '');
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const score = consistency(parseRows(text, delimiter).map((row) => row.length));
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

function consistency(widths: readonly number[]): number {
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
  const first = found > MOST_TITLE_ROWS || found < 0 ? 0 : found;
  const [candidate, ...rest] = table.slice(first);
  const titles = table.slice(0, first);
  const [second] = rest;
  if (candidate === undefined || second === undefined || !looksLikeHeader(candidate, second)) {
    return { titles, header: null, rows: table.slice(first) };
  }
  return { titles, header: candidate, rows: rest };
}

/** Names rather than values: short, mostly filled, mostly distinct, hardly a number, date or address. */
function looksLikeHeader(row: Row, next: Row): boolean {
  const names = row.filter((cell) => cell !== '');
  if (names.length < row.length * 0.5 || new Set(names).size < names.length * 0.8) return false;
  const isValue = (cell: string, index: number) =>
    isYear(cell)
      ? isYear(next[index] ?? '')
      : cell.length > LONGEST_COLUMN_NAME || VALUE.test(cell);
  const values = row.filter((cell, index) => cell !== '' && isValue(cell, index));
  return values.length <= names.length * 0.1 && names.some((cell) => /\p{L}/u.test(cell));
}

/** Years name the columns of many tables. */
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
