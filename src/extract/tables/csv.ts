import { type Options, parse } from 'csv-parse/sync';
import { cleanLine, cleanText } from '../clean-text.ts';
import { readText } from '../encoding/decode-text.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import type { ExtractedText } from '../extracted-text.ts';
import { createTextBuilder } from '../text-builder.ts';
import { addTable } from './add-table.ts';
import type { Row } from './table-records.ts';

const delimiters = [',', ';', '\t', '|'];
const sampleCharacters = 65_536;

/**
 * Extracts a table of delimited values. Each row becomes one block: `Column: value; Column: value` if the table has a
 * header, otherwise `value; value`. Omits empty values. Rows above the header that have a single value become
 * paragraphs. So do rows above a first empty row that have fewer values than the table: `Name: value`.
 */
export async function readCsv(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const builder = createTextBuilder(limits.textCharacters);
  const { above, table } = splitAtEmptyRow(parseTable(cleanText(await readText(bytes))));
  for (const row of above) builder.add('paragraph', row.filter(Boolean).join(': '));
  addTable(builder, table);
  return builder.build();
}

function isFilled(row: Row): boolean {
  return row.some((cell) => cell !== '');
}

/** Maximum number of rows above a table that may be separated from it by an empty row. */
const maxRowsAbove = 5;

/**
 * Separates the rows above the first empty row from the table, if they have fewer values than the rows of the table.
 * Such rows are often names with their values.
 */
function splitAtEmptyRow(rows: readonly Row[]): { above: readonly Row[]; table: readonly Row[] } {
  const filled = rows.filter(isFilled);
  const empty = rows.findIndex((row) => !isFilled(row));
  const [above, first, second] = [filled.slice(0, empty), filled[empty], filled[empty + 1]];
  if (empty <= 0 || empty > maxRowsAbove || first === undefined || second === undefined) {
    return { above: [], table: filled };
  }
  const width = Math.min(countFilled(first), countFilled(second));
  const isNarrower = above.every((row) => countFilled(row) < width);
  return isNarrower ? { above, table: filled.slice(empty) } : { above: [], table: filled };
}

function countFilled(row: Row): number {
  return row.filter((cell) => cell !== '').length;
}

function parseTable(text: string): Row[] {
  const separatorLine = /^sep=(.)\n/.exec(text);
  const body = separatorLine === null ? text : text.slice(separatorLine[0].length);
  const delimiter = separatorLine?.[1] ?? detectDelimiter(body.slice(0, sampleCharacters));
  return parseRows(body, delimiter).map((row) => row.map(cleanLine));
}

/**
 * Ways to read quotes, strictest first. First: spaces around the quotes are allowed. Second: other text after the
 * closing quote is allowed. Third: quotes are ordinary characters, because a quote is never closed.
 */
const quoteOptions: readonly Options[] = [{ trim: true }, { ltrim: true }, { quote: null }];

/** Parses the rows of a table. Uses the first way to read quotes that succeeds. */
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

/** csv-parse returns string arrays unless the option `columns` is set. Its type does not say so. */
function toRows(parsed: unknown): Row[] {
  return parsed as string[][];
}

/**
 * Returns the delimiter that splits most rows of the sample into the same number of columns, at least two. Prefers a
 * delimiter that also splits the first row into this number of columns, because column names contain no decimal commas.
 */
function detectDelimiter(sample: string): string {
  const text = sample.length < sampleCharacters ? sample : sample.replace(/\n[^\n]*$/, '');
  const candidates = delimiters.map((delimiter) => {
    const widths = parseRows(text, delimiter).map((row) => row.length);
    return { delimiter, widths, firstSplit: widths.findIndex((width) => width > 1) };
  });
  const splits = candidates.flatMap(({ firstSplit }) => (firstSplit < 0 ? [] : [firstSplit]));
  const firstRow = Math.min(...splits);
  let best = { delimiter: ',', score: 0 };
  for (const { delimiter, widths } of candidates) {
    const { width, consistency } = usualWidth(widths);
    const score = consistency + (width > 1 && widths[firstRow] === width ? 2 : 0);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** Returns the number of columns that most rows have, and how consistent this number is (0 to 2). */
function usualWidth(widths: readonly number[]): { width: number; consistency: number } {
  const rowsByWidth = new Map<number, number>();
  for (const width of widths) rowsByWidth.set(width, (rowsByWidth.get(width) ?? 0) + 1);
  let best = { width: 1, consistency: 0 };
  for (const [width, rows] of rowsByWidth) {
    const consistency = (rows / widths.length) * (2 - 1 / width);
    if (width > 1 && consistency > best.consistency) best = { width, consistency };
  }
  return best;
}
