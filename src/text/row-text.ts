import { wordCount } from './readable-text.ts';
import { areAllKnown, contentTerms } from './terms.ts';

/** A row of a table without its empty cells. */
export interface TableRow {
  /** The cell that names the row, or an empty string. */
  readonly name: string;
  /** Title of the column with the name. Absent if the row has no name. */
  readonly nameTitle?: string;
  readonly cells: readonly Cell[];
}

export interface Cell {
  /** Title of the column, or an empty string. */
  readonly title: string;
  readonly value: string;
}

const maxNameWords = 8;

/**
 * Returns a row without empty cells. If the first cell consists of words, it becomes the name of the row, and its
 * column title is left out.
 */
export function namedRow(cells: readonly Cell[]): TableRow {
  const filled = cells.filter(({ value }) => value !== '');
  const [first, ...rest] = filled;
  const isName =
    first !== undefined &&
    first === cells[0] &&
    rest.length > 0 &&
    /\p{L}/u.test(first.value) &&
    wordCount(first.value) <= maxNameWords;
  return isName
    ? { name: first.value, nameTitle: first.title, cells: rest }
    : { name: '', cells: filled };
}

/** Whether a row is a record with many fields. */
export function isWide({ cells }: TableRow): boolean {
  return cells.length >= minWideCells;
}

const minWideCells = 6;

/** Returns a row as text in the form `Name — Title: value, Title: value`. The form works in any language. */
export function rowText({ name, cells }: TableRow): string {
  const separator = cells.some(({ value }) => /[,;]\s/.test(value)) ? '; ' : ', ';
  const text = cells
    .map(({ title, value }) => (title === '' ? value : `${title}: ${value}`))
    .map((cell, index) => (index < cells.length - 1 ? cell.replace(/[.,;]$/, '') : cell))
    .join(separator);
  return name === '' || text === '' ? `${name}${text}` : `${name} — ${text}`;
}

/**
 * Returns the row with only those columns that the question asks for. The question must contain the whole title of the
 * column and must not contain the value. Returns the row unchanged if there is no such column.
 */
export function selectColumns(row: TableRow, question: string): TableRow {
  const asked = new Set(contentTerms(question));
  const titles = titleTerms(row, question);
  const isAsked = (terms: readonly string[]) => areAllKnown(terms, asked);
  const isPartOf = (terms: readonly string[], other: readonly string[]) =>
    other.length > terms.length && terms.every((term) => other.includes(term));
  const cells = row.cells.filter(({ value }, index) => {
    const terms = titles[index] ?? [];
    if (!isAsked(terms) || isAsked(contentTerms(value))) return false;
    return !titles.some((other) => isAsked(other) && isPartOf(terms, other));
  });
  const selected = cells.length === 0 ? ofGroup(row, titles, asked) : cells;
  return selected.length === 0 ? row : { ...row, cells: withUnits(selected, row.cells) };
}

/**
 * Returns the cells of a group of columns, such as "Price Member" and "Price Guest", of which the question contains the
 * words that only their own titles have.
 */
function ofGroup(
  row: TableRow,
  titles: readonly (readonly string[])[],
  asked: ReadonlySet<string>,
): readonly Cell[] {
  const isShared = (term: string) => titles.filter((terms) => terms.includes(term)).length > 1;
  return row.cells.filter(({ value }, index) => {
    const terms = titles[index] ?? [];
    const own = terms.filter((term) => !isShared(term));
    const isNamed = own.length < terms.length && areAllKnown(own, asked);
    return isNamed && !areAllKnown(contentTerms(value), asked);
  });
}

/**
 * If only numbers without a unit are selected, adds the description that contains the unit. "Default: 15" is less clear
 * than "Default: 15; Description: Size of a file in MB".
 */
function withUnits(selected: readonly Cell[], all: readonly Cell[]): readonly Cell[] {
  const isBare = ({ title, value }: Cell) => /^[\d.,]+$/.test(value) && !unitPattern.test(title);
  if (!selected.every(isBare)) return selected;
  const isDescription = (cell: Cell) =>
    !selected.includes(cell) &&
    wordCount(cell.value) <= maxDescriptionWords &&
    unitWords.test(cell.value);
  const [description] = all.filter(isDescription);
  return all.filter((cell) => selected.includes(cell) || cell === description);
}

const maxDescriptionWords = 30;
const unitWords =
  /\b(?:[kmgt]i?b|bytes?|bits?|pixels?|dpi|percent|milliseconds?|ms|seconds?|minutes?|hours?|days?|weeks?|months?|years?|[mck]?m|kg|watts?|volts?|dollars?|euros?|tokens?|characters?|sekunden|minuten|stunden|tage|wochen|monate|jahre|zeichen)\b|[%€$£°]/i;

/** Matches a unit at the end of a column title, such as "Weight (kg)". */
const unitPattern = /\s\([^()]{1,20}\)$/u;

/**
 * Returns the row with only those cells that contain a word of the question or are prose. Prose explains the other
 * cells. Returns the row unchanged if there are no such cells.
 */
export function selectCells(row: TableRow, question: string): TableRow {
  const asked = new Set(contentTerms(question));
  const cells = row.cells.filter(
    ({ title, value }) =>
      isProse(value) ||
      contentTerms(`${wordsOfTitle(title)} ${value}`).some((term) => asked.has(term)),
  );
  return cells.length === 0 ? row : { ...row, cells };
}

/**
 * Minimum and maximum number of words of prose in a cell. Cells with fewer words are names and values. Cells with more
 * words are separate texts.
 */
const minProseWords = 8;
const maxProseWords = 60;

function isProse(value: string): boolean {
  const words = wordCount(value);
  return words >= minProseWords && words <= maxProseWords;
}

/**
 * Whether the question names a column but not its value. The question must contain at least half of the words that only
 * this column title has, such as "caused" for "ProbableCause", or "guests" for "Price per day Guest" beside "Price per
 * day Member".
 */
export function namesColumn(row: TableRow, question: string): boolean {
  const asked = new Set(contentTerms(question));
  const cells =
    row.nameTitle === undefined ? row.cells : [nameCell(row, row.nameTitle), ...row.cells];
  const titles = titleTerms({ cells }, question);
  const uses = new Map<string, number>();
  for (const term of titles.flatMap((terms) => [...new Set(terms)])) {
    uses.set(term, (uses.get(term) ?? 0) + 1);
  }
  return cells.some(({ value }, index) => {
    const own = (titles[index] ?? []).filter((term) => uses.get(term) === 1);
    const found = own.filter((term) => asked.has(term)).length;
    return found > 0 && 2 * found >= own.length && !areAllKnown(contentTerms(value), asked);
  });
}

function nameCell({ name }: TableRow, title: string): Cell {
  return { title, value: name };
}

/**
 * Returns the terms of each title, without its unit. If the question writes two words of a title apart, so do the
 * terms.
 */
function titleTerms({ cells }: Pick<TableRow, 'cells'>, question: string): string[][] {
  const split = titleSplitter(question);
  return cells.map(({ title }) => contentTerms(split(title.replace(unitPattern, ''))));
}

/**
 * Whether the question has the form "the salary of …", and "salary" is in no title and no value of the row.
 */
export function asksForOtherColumn(row: TableRow, question: string): boolean {
  const [, words = ''] = columnOfPattern.exec(question) ?? [];
  const known = new Set(contentTerms(wordsOfTitle(rowText(row))));
  const terms = contentTerms(words);
  return terms.length > 0 && !terms.some((term) => known.has(term));
}

const columnOfPattern =
  /\b(?:what(?:['’]?s| is| are| was| were)|which is) (?:the )?((?:[\p{L}-]{1,30} ){0,2}[\p{L}-]{1,30}) (?:of|for) /iu;

/**
 * Returns a function that separates the words of a title. A title such as "insurancegroup" is split in the way the
 * question writes it. Other titles are split by `wordsOfTitle`.
 */
function titleSplitter(question: string): (title: string) => string {
  const words = question.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) ?? [];
  const pairs = words.map((word, index) => [word, words[index + 1] ?? ''] as const);
  const separated = new Map(pairs.map(([left, right]) => [left + right, `${left} ${right}`]));
  return (title) => separated.get(title.toLowerCase()) ?? wordsOfTitle(title);
}

/** Separates the words in a column title of a data file, such as "ProbableCause" or "probable_cause". */
function wordsOfTitle(title: string): string {
  return title.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ');
}
