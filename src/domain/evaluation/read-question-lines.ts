import { CsvLineError, type CsvRecord, readCsvRecords } from '../../extract/tables/csv-records.ts';
import { shorten } from '../../extract/warning-texts.ts';
import { DomainError } from '../../platform/errors.ts';
import { questionLimits as limits } from './question-limits.ts';

export type QuestionFormat = 'csv' | 'jsonl';

/** The question of one line of a file, not validated, or the problem of the line. */
export type QuestionLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: string };

/** Yields the lines of a file. In a JSONL file, empty lines are left out. */
export function readQuestionLines(text: string, format: QuestionFormat): Generator<QuestionLine> {
  return format === 'csv' ? readCsv(text) : readJsonLines(text);
}

function* readJsonLines(text: string): Generator<QuestionLine> {
  const lines = text.replace(/\r\n?/g, '\n');
  for (let at = 0, line = 1; at < lines.length; line += 1) {
    const lineBreak = lines.indexOf('\n', at);
    const end = lineBreak === -1 ? lines.length : lineBreak;
    const content = lines.slice(at, end);
    if (content.trim() !== '') yield readJsonLine(content, line);
    at = end + 1;
  }
}

/** Enough for the longest question with all its fields, each character as `\u` and four digits. */
const maxLineLength = 400_000;

function readJsonLine(content: string, line: number): QuestionLine {
  if (content.length > maxLineLength) {
    return { line, problem: `is longer than ${maxLineLength} characters` };
  }
  try {
    return { line, value: JSON.parse(content) };
  } catch {
    return { line, problem: 'is not a JSON object' };
  }
}

/** Names of the columns of a CSV file. Only `question` is required. */
export const columnNames = [
  'question',
  'expected',
  'documentId',
  'documentName',
  'mustRefuse',
  'tags',
  'language',
  'conversationId',
] as const;
type ColumnName = (typeof columnNames)[number];

function* readCsv(text: string): Generator<QuestionLine> {
  let columns: readonly ColumnName[] | null = null;
  // Removes the line `sep=;`, in which Excel names the separator. Keeps its line break, so that errors have the line
  // numbers of the file.
  for (const record of readRecords(text.replace(/^sep=.(?=\r?\n)/, ''))) {
    const { line, cells } = withoutEmptyEnd(record);
    if (columns === null) columns = readColumns({ line, cells });
    else yield readRecord({ line, cells }, columns);
  }
}

/** Spreadsheets write the empty cells at the right of a table. */
function withoutEmptyEnd({ line, cells }: CsvRecord): CsvRecord {
  const last = cells.findLastIndex((cell) => cell !== '');
  return { line, cells: cells.slice(0, last + 1) };
}

function* readRecords(text: string): Generator<CsvRecord> {
  try {
    yield* readCsvRecords(text);
  } catch (error) {
    if (!(error instanceof CsvLineError)) throw error;
    throw new DomainError('VALIDATION_FAILED', [`Line ${error.line}: ${error.message}`]);
  }
}

function readColumns({ line, cells }: CsvRecord): readonly ColumnName[] {
  const names = cells.flatMap((cell) => columnOf(cell) ?? []);
  const unknown = cells.find((cell) => columnOf(cell) === undefined);
  const problem =
    unknown === undefined
      ? findColumnProblem(names)
      : `unknown column ${JSON.stringify(shorten(unknown))}. The columns are ${columnNames.join(', ')}`;
  if (problem !== null) throw new DomainError('VALIDATION_FAILED', [`Line ${line}: ${problem}`]);
  return names;
}

function findColumnProblem(names: readonly ColumnName[]): string | null {
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) return `the column ${repeated} occurs twice`;
  return names.includes('question') ? null : 'the column question is missing';
}

/** Returns the column that a cell of the first row names. Case does not count: spreadsheets capitalize titles. */
function columnOf(cell: string): ColumnName | undefined {
  return columnNames.find((name) => name.toLowerCase() === cell.toLowerCase());
}

function readRecord({ line, cells }: CsvRecord, columns: readonly ColumnName[]): QuestionLine {
  if (cells.length > columns.length) {
    return { line, problem: `has ${cells.length} values for ${columns.length} columns` };
  }
  const filled = columns.flatMap((name, index) => {
    const cell = cells[index] ?? '';
    return cell === '' ? [] : [[name, readCell(name, cell)] as const];
  });
  return { line, value: Object.fromEntries(filled) };
}

function readCell(name: ColumnName, cell: string): unknown {
  if (name === 'expected') return splitAt(/(?<!\|)\|(?!\|)/, cell).map(splitAlternatives);
  if (name === 'tags') return splitAt('|', cell);
  if (name === 'mustRefuse') return truthValues.get(cell.toLowerCase()) ?? cell;
  return cell;
}

/** A third `|` in a row makes the text that follows it blank, so that the line is refused. */
function splitAlternatives(text: string): string[] {
  return splitAt('||', text).map((part) => (part.startsWith('|') ? '' : part));
}

function splitAt(separator: string | RegExp, text: string): string[] {
  return text.split(separator, maxParts).map((part) => part.trim());
}

/** One more than any list may have, so that a longer list is refused without reading all of it. */
const maxParts = Math.max(limits.expectedTexts, limits.tags) + 1;

const truthValues: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
]);
