import { wordCount } from './readable-text.ts';
import { areAllKnown, contentTerms } from './terms.ts';

/** A row of a table without its empty cells. */
export interface TableRow {
  /** The cell that names the row, or an empty string. */
  readonly name: string;
  readonly cells: readonly Cell[];
}

export interface Cell {
  /** Title of the column, or an empty string. */
  readonly title: string;
  readonly value: string;
}

const maxNameWords = 8;

/** Returns a row without empty cells. A first cell in words names the row; its title is left out. */
export function namedRow(cells: readonly Cell[]): TableRow {
  const filled = cells.filter(({ value }) => value !== '');
  const [first, ...rest] = filled;
  const isName =
    first !== undefined &&
    first === cells[0] &&
    rest.length > 0 &&
    /\p{L}/u.test(first.value) &&
    wordCount(first.value) <= maxNameWords;
  return isName ? { name: first.value, cells: rest } : { name: '', cells: filled };
}

/** Whether a row is a record with many fields. */
export function isWide({ cells }: TableRow): boolean {
  return cells.length >= minWideCells;
}

const minWideCells = 6;

/** Returns a row as text: `Name — Title: value, Title: value`, in any language. */
export function rowText({ name, cells }: TableRow): string {
  const separator = cells.some(({ value }) => /[,;]\s/.test(value)) ? '; ' : ', ';
  const text = cells
    .map(({ title, value }) => (title === '' ? value : `${title}: ${value}`))
    .map((cell, index) => (index < cells.length - 1 ? cell.replace(/[.,;]$/, '') : cell))
    .join(separator);
  return name === '' || text === '' ? `${name}${text}` : `${name} — ${text}`;
}

/**
 * Returns a row with only the columns that the question names: those whose whole title is in the question, while their
 * value is not. Returns the row unchanged if there are none.
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
  return cells.length === 0 ? row : { ...row, cells: withUnits(cells, row.cells) };
}

/**
 * Adds the description of a bare number if it has the unit: "Default: 15" says less than "Default: 15; Description: Size
 * of a file in MB".
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

/** Matches the unit in a column title, such as "Weight (kg)". */
const unitPattern = /\s\([^()]{1,20}\)$/u;

/**
 * Returns a row with only the cells that contain a word of the question, and those in prose, which state something about
 * the others. Returns the row unchanged if there are none.
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

/** Cells with fewer words are names and values, and those with more are texts of their own. */
const minProseWords = 8;
const maxProseWords = 60;

function isProse(value: string): boolean {
  const words = wordCount(value);
  return words >= minProseWords && words <= maxProseWords;
}

/**
 * Whether the question has at least half of the words of the title of a column, such as "caused" for "ProbableCause",
 * while the value is not in the question.
 */
export function namesColumn(row: TableRow, question: string): boolean {
  const asked = new Set(contentTerms(question));
  const titles = titleTerms(row, question);
  // "Study title" and "Study documents" have a word of their own each.
  const isOwn = (term: string) => titles.filter((terms) => terms.includes(term)).length === 1;
  return row.cells.some(({ value }, index) => {
    const terms = titles[index] ?? [];
    const found = terms.filter((term) => asked.has(term) && isOwn(term)).length;
    return found > 0 && 2 * found >= terms.length && !areAllKnown(contentTerms(value), asked);
  });
}

/** Returns the terms of each title without its unit, with the words that the question writes apart. */
function titleTerms({ cells }: TableRow, question: string): string[][] {
  const split = titleSplitter(question);
  return cells.map(({ title }) => contentTerms(split(title.replace(unitPattern, ''))));
}

/** Whether the question asks for "the salary of" a row that has no such word, in a title or a value. */
export function asksForOtherColumn(row: TableRow, question: string): boolean {
  const [, words = ''] = columnOfPattern.exec(question) ?? [];
  const known = new Set(contentTerms(wordsOfTitle(rowText(row))));
  const terms = contentTerms(words);
  return terms.length > 0 && !terms.some((term) => known.has(term));
}

const columnOfPattern =
  /\b(?:what(?:['’]?s| is| are| was| were)|which is) (?:the )?((?:[\p{L}-]{1,30} ){0,2}[\p{L}-]{1,30}) (?:of|for) /iu;

/**
 * Returns a function that separates the words of a title as `wordsOfTitle`, and of a title such as "insurancegroup" as
 * the question writes them.
 */
function titleSplitter(question: string): (title: string) => string {
  const words = question.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) ?? [];
  const pairs = words.map((word, index) => [word, words[index + 1] ?? ''] as const);
  const separated = new Map(pairs.map(([left, right]) => [left + right, `${left} ${right}`]));
  return (title) => separated.get(title.toLowerCase()) ?? wordsOfTitle(title);
}

/** Separates the words of a title of a data file, such as "ProbableCause" or "probable_cause". */
function wordsOfTitle(title: string): string {
  return title.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ');
}
