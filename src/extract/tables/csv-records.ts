import { CsvError, type Info, type Options, parse } from 'csv-parse/sync';

/** A record of delimited values. `line` is the number of its first line, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Quotes that are wrong, at a line. The lines after it cannot be read. */
export class CsvQuoteError extends Error {
  override readonly name = 'CsvQuoteError';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const delimiters = [',', ';', '\t'];

/**
 * Reads the records of a file that has a row of column names and quotes as in RFC 4180. Omits empty lines. The
 * delimiter is the one of comma, semicolon and tab that the first row contains most often. Trims the values.
 * @throws CsvQuoteError when a quote is not closed, or other text is next to the quotes
 */
export function readCsvRecords(text: string): CsvRecord[] {
  const lines = text.replace(/\r\n?/g, '\n');
  const options: Options = { delimiter: delimiterOf(lines), relax_column_count: true, trim: true };
  let end = 0;
  return parseRecords(lines, options).flatMap(({ record: cells, info }) => {
    const line = end + 1;
    end = info.lines;
    return cells.every((cell) => cell === '') ? [] : [{ line, cells }];
  });
}

function delimiterOf(text: string): string {
  const [header = ''] = text.trimStart().split('\n', 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return delimiters.reduce((best, other) => (count(other) > count(best) ? other : best));
}

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: Pick<Info, 'lines'>;
}

function parseRecords(text: string, options: Options): readonly ParsedRecord[] {
  try {
    // csv-parse's types ignore `info`, with which it returns these objects.
    return parse(text, { ...options, info: true }) as unknown as ParsedRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    const message = isOpen
      ? 'a quotation mark is not closed'
      : 'a value with quotation marks must be in quotation marks, and each of its own must be doubled';
    throw new CsvQuoteError(message, Number(error.lines));
  }
}
