import { wordCount } from './readable-text.ts';
import { contentTerms } from './terms.ts';

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
  const titles = row.cells.map(({ title }) => contentTerms(title.replace(unitPattern, '')));
  const isAsked = (terms: readonly string[]) =>
    terms.length > 0 && terms.every((term) => asked.has(term));
  const isPartOf = (terms: readonly string[], other: readonly string[]) =>
    other.length > terms.length && terms.every((term) => other.includes(term));
  const cells = row.cells.filter(({ value }, index) => {
    const terms = titles[index] ?? [];
    if (!isAsked(terms) || isAsked(contentTerms(value))) return false;
    return !titles.some((other) => isAsked(other) && isPartOf(terms, other));
  });
  return cells.length === 0 ? row : { ...row, cells };
}

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
      wordCount(value) >= minProseWords ||
      contentTerms(`${wordsOfTitle(title)} ${value}`).some((term) => asked.has(term)),
  );
  return cells.length === 0 ? row : { ...row, cells };
}

/** Cells with fewer words are names and values. */
const minProseWords = 8;

/** Separates the words of a title of a data file, such as "ProbableCause" or "probable_cause". */
function wordsOfTitle(title: string): string {
  return title.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ');
}
