import type { VariablesOf } from 'gql.tada';
import { CsvLineError, readCsvRecords } from '../../../extract/tables/csv-records.ts';
import type { importPricesMutation } from './price-operations.ts';
import { priceKinds } from './price-texts.ts';

type Price = VariablesOf<typeof importPricesMutation>['input']['prices'][number];

export const priceColumns = ['model', 'kind', 'perMillion', 'currency', 'validFrom'] as const;
type Column = (typeof priceColumns)[number];
type Row = Readonly<Record<Column, string>>;

/** Maximum number of prices of one import, as in the API. */
const maxPrices = 500;
/** Wrong lines that have a message of their own. */
const maxProblems = 50;

/** Prices of a file, with the line of each, or what is wrong in it. Each problem begins with the line. */
export interface PriceFile {
  readonly prices: readonly Price[];
  /** Numbers of the lines of the prices, from 1. */
  readonly lines: readonly number[];
  readonly problems: readonly string[];
}

/** Reads a CSV text whose first row names the columns, in any order. Only `validFrom` may be missing. */
export function readPriceFile(text: string): PriceFile {
  const prices: Price[] = [];
  const lines: number[] = [];
  const problems: string[] = [];
  try {
    for (const { line, row } of readRows(text)) {
      if (prices.length + problems.length === maxPrices) {
        return wrong(`Import at most ${maxPrices} prices at once`);
      }
      const price = priceOf(row);
      if (typeof price === 'string') problems.push(`Line ${line}: ${price}`);
      else {
        prices.push(price);
        lines.push(line);
      }
    }
  } catch (error) {
    if (!(error instanceof CsvLineError)) throw error;
    return wrong(`Line ${error.line}: ${error.message}`);
  }
  const more = problems.length - maxProblems;
  if (more > 0) problems.splice(maxProblems, more, `${more} more wrong lines`);
  if (prices.length === 0 && problems.length === 0) return wrong('The file has no prices');
  return { prices, lines, problems };
}

/** Replaces the position that begins a message of the service, as in `prices.3.model …`, by the line of the file. */
export function withLine(message: string, lines: readonly number[]): string {
  return message.replace(
    /^prices\.(\d+)\./,
    (_, index: string) => `Line ${lines[Number(index)]}: `,
  );
}

function wrong(problem: string): PriceFile {
  return { prices: [], lines: [], problems: [problem] };
}

function* readRows(text: string): Generator<{ readonly line: number; readonly row: Row }> {
  let columns: readonly Column[] | null = null;
  // Excel names the separator in the line `sep=;`. Its line break stays, so that errors have the lines of the file.
  const table = text.replace(/^\ufeff?(sep=.(?=\r?\n))?/, '');
  for (const record of readCsvRecords(table)) {
    const { line } = record;
    // Spreadsheets write the empty cells at the right of a table.
    const cells = record.cells.slice(0, record.cells.findLastIndex((cell) => cell !== '') + 1);
    if (columns === null) columns = readColumns(cells, line);
    else if (cells.length > columns.length) {
      throw new CsvLineError(`has ${cells.length} values for ${columns.length} columns`, line);
    } else {
      const found = columns.map((name, index) => [name, cells[index] ?? ''] as const);
      yield { line, row: { ...emptyRow, ...Object.fromEntries(found) } };
    }
  }
}

const emptyRow: Row = { model: '', kind: '', perMillion: '', currency: '', validFrom: '' };

function readColumns(cells: readonly string[], line: number): readonly Column[] {
  const columns = cells.map((cell) => {
    const column = priceColumns.find((name) => name.toLowerCase() === cell.toLowerCase());
    if (column === undefined) {
      throw new CsvLineError(`the columns must be ${priceColumns.join(', ')}`, line);
    }
    return column;
  });
  const repeated = columns.find((name, index) => columns.indexOf(name) < index);
  if (repeated !== undefined) throw new CsvLineError(`the column ${repeated} occurs twice`, line);
  const missing = priceColumns.find((name) => name !== 'validFrom' && !columns.includes(name));
  if (missing !== undefined) throw new CsvLineError(`the column ${missing} is missing`, line);
  return columns;
}

/** Returns the price of a row, or what is wrong. The service checks the rest. */
function priceOf(row: Row): Price | string {
  const kind = priceKinds.find((kind) => kind === row.kind.toUpperCase());
  if (kind === undefined) return `kind must be one of ${priceKinds.join(', ')}`;
  const perMillion = Number(row.perMillion);
  if (!/^\d+(\.\d+)?$/.test(row.perMillion)) {
    return 'perMillion must be a number, with a point before the decimals';
  }
  const day = row.validFrom;
  if (day !== '' && !isDay(day)) return 'validFrom must be a day, such as 2026-01-31';
  const validFrom = day === '' ? null : `${day.slice(0, 10)}T00:00:00Z`;
  const { model } = row;
  return { model, kind, perMillion, currency: row.currency.toUpperCase(), validFrom };
}

/** Returns whether a text is a day of the calendar, alone or with the time after it. */
function isDay(text: string): boolean {
  const day = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(text)?.[1];
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 10) === day;
}
