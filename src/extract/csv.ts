import { type Options, parse } from 'csv-parse/sync';
import { cleanLine, cleanText } from './clean-text.ts';
import { readText } from './decode-text.ts';
import type { ExtractLimits } from './extract-limits.ts';
import type { ExtractedText } from './extracted-text.ts';
import { addTable, type Row } from './table-records.ts';
import { createTextBuilder } from './text-builder.ts';

const delimiters = [',', ';', '\t', '|'];
const sampleCharacters = 65_536;

/**
 * Extracts a table of delimited values. Each row becomes one block: `Column: value; Column: value` if the table has a
 * header, else `value; value`. Omits empty values. Rows above the header that have a single value become paragraphs.
 */
export async function readCsv(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const builder = createTextBuilder(limits.textCharacters);
  addTable(builder, parseTable(cleanText(await readText(bytes))));
  return builder.build();
}

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
