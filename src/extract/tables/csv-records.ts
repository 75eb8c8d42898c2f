/** A record of delimited values. `line` is the number of its first line, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A line with wrong quotes or too many values. The lines after it are not read. */
export class CsvLineError extends Error {
  override readonly name = 'CsvLineError';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const delimiters = [',', ';', '\t'];
/** More columns than a sheet of Excel has. */
const maxCells = 20_000;

/**
 * Reads the records of a file that has a row of column names and quotes as in RFC 4180, one after the other, so that the
 * caller can stop early. Omits empty lines. The delimiter is the one of comma, semicolon and tab that the first row
 * contains most often. Trims values without quotes.
 * @throws CsvLineError when a quote is not closed, other text is next to the quotes, or a row has too many values
 */
export function* readCsvRecords(text: string): Generator<CsvRecord> {
  const lines = `${text.replace(/\r\n?/g, '\n')}\n`;
  const readCell = createCellReader(lines, delimiterOf(lines));
  let cells: string[] = [];
  let line = 1;
  for (let at = 0, first = 1; at < lines.length; ) {
    const { value, end, lineBreaks } = readCell(at, line);
    if (cells.push(value) > maxCells) {
      throw new CsvLineError(`has more than ${maxCells} values`, first);
    }
    line += lineBreaks;
    at = end + 1;
    if (lines[end] !== '\n') continue;
    if (cells.some((cell) => cell !== '')) yield { line: first, cells };
    cells = [];
    line += 1;
    first = line;
  }
}

/** Longer than any row of column names. */
const maxHeaderLength = 65_536;

function delimiterOf(text: string): string {
  const [header = ''] = text.trimStart().slice(0, maxHeaderLength).split('\n', 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return delimiters.reduce((best, other) => (count(other) > count(best) ? other : best));
}

interface Cell {
  readonly value: string;
  /** Position of the delimiter or the line break after the cell. */
  readonly end: number;
  readonly lineBreaks: number;
}

const wrongQuotes =
  'a value with quotation marks must be in quotation marks, and each of its own must be doubled';

/** Returns a function that reads the cell at a position. `line` is the line of the position. */
function createCellReader(text: string, delimiter: string): (at: number, line: number) => Cell {
  const nextDelimiter = createFinder(text, delimiter);
  const nextLineBreak = createFinder(text, '\n');
  const endFrom = (at: number) => Math.min(nextDelimiter(at), nextLineBreak(at));
  return (at, line) => {
    const end = endFrom(at);
    const value = text.slice(at, end).trim();
    if (value.startsWith('"')) return readQuotedCell(text.indexOf('"', at), line);
    if (value.includes('"')) throw new CsvLineError(wrongQuotes, line);
    return { value, end, lineBreaks: 0 };
  };

  function readQuotedCell(open: number, line: number): Cell {
    const close = findClosingQuote(text, open + 1);
    if (close === -1) throw new CsvLineError('a quotation mark is not closed', line);
    const value = text.slice(open + 1, close).replaceAll('""', '"');
    const lineBreaks = value.split('\n').length - 1;
    const end = endFrom(close + 1);
    if (text.slice(close + 1, end).trim() !== '') {
      throw new CsvLineError(wrongQuotes, line + lineBreaks);
    }
    return { value, end, lineBreaks };
  }
}

/** Returns the position of the quote that closes a value, or -1. A doubled quote is part of the value. */
function findClosingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/**
 * Returns a function that finds the next `character` at or after a position. Positions must not decrease between calls.
 * It remembers the last result: otherwise, after the last delimiter of a file, each cell would search to its end.
 */
function createFinder(text: string, character: string): (at: number) => number {
  let found = -1;
  return (at) => {
    if (found >= at) return found;
    const next = text.indexOf(character, at);
    found = next === -1 ? text.length : next;
    return found;
  };
}
