import { z } from 'zod';
import { CsvLineError, type CsvRecord, readCsvRecords } from '../../extract/tables/csv-records.ts';
import { listNames, shorten } from '../../extract/warning-texts.ts';
import { DomainError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { runAtOnce, type Steps } from '../../platform/work-turns.ts';
import { counted } from '../../text/counted.ts';
import { hasAtMostCodePoints, hasNoNul, isWellFormed } from '../../text/text-rules.ts';
import {
  areExpectedTextsShort,
  expectedTextsTooLong,
  questionLimits as limits,
} from './question-limits.ts';
import type { QuestionInput } from './question-rows.ts';
import { maxQuestions } from './question-sets.ts';

export type QuestionFormat = 'csv' | 'jsonl';

/** The question of one line of a file, not validated, or the problem of the line. */
type Entry =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: string };

/** Wrong lines that have a message of their own. The others are counted. */
const maxProblems = 50;

/**
 * Reads the questions of a CSV or JSONL file.
 *
 * The names of the columns, and of the fields of each JSON object, are those of `columnNames`. In a CSV file, `|`
 * separates the expected texts, `||` separates the alternatives of one text, and `|` separates the tags.
 *
 * @throws DomainError VALIDATION_FAILED with a message for each of the first 50 wrong lines, which starts with the
 * number of the line
 */
export function parseQuestions(text: string, format: QuestionFormat): QuestionInput[] {
  return runAtOnce(parseInSteps(text, format));
}

/** Like `parseQuestions`, in steps of a line. */
export function* parseInSteps(text: string, format: QuestionFormat): Steps<QuestionInput[]> {
  const content = text.replace(/^\ufeff/, '');
  const questions: QuestionInput[] = [];
  const problems: string[] = [];
  let wrongLines = 0;
  for (const entry of format === 'csv' ? readCsv(content) : readJsonLines(content)) {
    if (questions.length + wrongLines === maxQuestions) {
      throw invalid([
        `The file has more than ${maxQuestions} questions. A set has at most ${maxQuestions}`,
      ]);
    }
    const result = validate(entry);
    if (typeof result !== 'string') questions.push(result);
    else {
      wrongLines += 1;
      if (problems.length < maxProblems) problems.push(`Line ${entry.line}: ${result}`);
    }
    yield;
  }
  if (wrongLines > 0) throw invalid(withRest(problems, wrongLines - problems.length));
  if (questions.length === 0) throw invalid(['The file has no questions']);
  return questions;
}

/** Adds how many more lines are wrong. */
function withRest(problems: readonly string[], rest: number): readonly string[] {
  if (rest === 0) return problems;
  return [...problems, `${counted(rest, 'more line')} ${rest === 1 ? 'is' : 'are'} wrong`];
}

function invalid(messages: readonly string[]): DomainError {
  return new DomainError('VALIDATION_FAILED', messages);
}

function validate(entry: Entry): QuestionInput | string {
  if ('problem' in entry) return entry.problem;
  const result = questionSchema.safeParse(entry.value);
  if (result.success) {
    const { id: _, ...question } = result.data;
    return question;
  }
  return [...new Set(result.error.issues.map(describeIssue))].join(', ');
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown field ${listNames(issue.keys)}. The fields are ${columnNames.join(', ')}`;
  }
  const [field] = issue.path;
  return field === undefined ? issue.message : `${String(field)} ${issue.message}`;
}

function* readJsonLines(text: string): Generator<Entry> {
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

function readJsonLine(content: string, line: number): Entry {
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
const columnNames = [
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

function* readCsv(text: string): Generator<Entry> {
  let columns: readonly ColumnName[] | null = null;
  // Excel's line that names the separator. Its line stays, so that the lines of problems are those of the file.
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
    throw invalid([`Line ${error.line}: ${error.message}`]);
  }
}

function readColumns({ line, cells }: CsvRecord): readonly ColumnName[] {
  const names = cells.filter(isColumnName);
  const unknown = cells.find((name) => !isColumnName(name));
  const problem =
    unknown === undefined
      ? findColumnProblem(names)
      : `unknown column ${JSON.stringify(shorten(unknown))}. The columns are ${columnNames.join(', ')}`;
  if (problem !== null) throw invalid([`Line ${line}: ${problem}`]);
  return names;
}

function findColumnProblem(names: readonly ColumnName[]): string | null {
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) return `the column ${repeated} occurs twice`;
  return names.includes('question') ? null : 'the column question is missing';
}

function isColumnName(name: string): name is ColumnName {
  return columnNames.some((other) => other === name);
}

function readRecord({ line, cells }: CsvRecord, columns: readonly ColumnName[]): Entry {
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

/** Returns a schema for a text of 1 to `max` code points, which is normalized to NFC. */
function textOf(max: number) {
  return z
    .string('must be a text')
    .normalize('NFC')
    .refine(hasNoNul, { error: 'must not contain NUL characters', abort: true })
    .refine(isWellFormed, { error: 'must be well-formed Unicode', abort: true })
    .refine(hasAtMostCodePoints(max), { error: `must be at most ${max} characters`, abort: true })
    .regex(/\S/, 'must not be blank');
}

function listOf<T extends z.ZodType>(item: T, max: number, what: string) {
  return z.array(item, `must be a list of ${what}`).max(max, `must have at most ${max} ${what}`);
}

const alternativesSchema = listOf(
  textOf(limits.expectedText),
  limits.expectedTexts,
  'alternatives',
).min(1, 'must not be empty');
const expectedSchema = listOf(
  z.preprocess((item) => (typeof item === 'string' ? [item] : item), alternativesSchema),
  limits.expectedTexts,
  'texts',
).refine(areExpectedTextsShort, expectedTextsTooLong);

/** The rules of the API for a question. The `id` with which the API returns a question is ignored. */
const questionSchema = z.strictObject(
  {
    id: z.unknown().optional(),
    question: z.preprocess((value) => value ?? '', textOf(limits.question)),
    expected: expectedSchema.nullish(),
    documentId: z.string('must be a UUID').refine(isId, 'must be a UUID').nullish(),
    documentName: textOf(limits.documentName).nullish(),
    mustRefuse: z.boolean('must be true or false').nullish(),
    tags: listOf(textOf(limits.tag), limits.tags, 'tags').nullish(),
    language: textOf(limits.language).nullish(),
    conversationId: z.string('must be a UUID').refine(isId, 'must be a UUID').nullish(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'is not a JSON object' : undefined) },
);
