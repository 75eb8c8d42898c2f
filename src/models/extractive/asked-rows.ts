import { findDays } from '../../text/days.ts';
import { detectLanguage } from '../../text/detect-language.ts';
import { keysOf, nameSameDay, wholeKey } from '../../text/keys.ts';
import {
  askedNumbers,
  measuresIn,
  type NumberRange,
  rangeOfCell,
} from '../../text/number-ranges.ts';
import type { Cell } from '../../text/row-text.ts';
import { areAllKnown, contentTerms } from '../../text/terms.ts';
import { isWeekday } from '../../text/weekdays.ts';
import { asksForList, asksForSteps, isNegated } from './answer-type.ts';
import { rowsByBound } from './asked-bound.ts';
import type { Candidate } from './candidate.ts';
import { askedExtreme } from './extremes.ts';
import { type AskedRows, cellsOf, cellValue, noRows, type RowCandidate } from './table-rows.ts';

/**
 * Returns the rows that a question asks for by a value: a number inside a range of the row, a code or a name in one of
 * its cells, "yes" in a column that the question names, or the least or greatest value of a column.
 */
export function askedRows(question: string, candidates: readonly Candidate[]): AskedRows {
  const rows = candidates.filter((candidate): candidate is RowCandidate => candidate.row !== null);
  const tables = [...Map.groupBy(rows, tableOf).values()].filter(({ length }) => length > 1);
  for (const find of [rowsByKey, rowsByRange, rowsByBound, rowsByName, rowsByYes, askedExtreme]) {
    for (const table of tables) {
      // A code or a name, and a number with its unit, are enough to know which table is meant.
      const isNamed = find === rowsByName || (find === rowsByRange && hasUnit(question, table));
      const isFound = isNamed || isAbout(question, table);
      const found = isFound ? find(question, table) : noRows;
      if (found.rows.length > 0 || found.isUndecided) return found;
    }
  }
  return noRows;
}

/** Returns the rows with a cell that is a key or a day of the question, such as "Who owns locker 4-12?". */
function rowsByKey(question: string, table: readonly RowCandidate[]): AskedRows {
  const keys = keysOf(question);
  if (keys.length === 0 && findDays(question).length === 0) return noRows;
  const isAsked = (value: string) => {
    const key = wholeKey(value);
    return (key !== null && keys.includes(key)) || nameSameDay(question, value);
  };
  const rows = table.filter(({ row }) => cellsOf(row).some(({ value }) => isAsked(value)));
  return rows.length <= maxNamedRows && 2 * rows.length < table.length
    ? { rows, isUndecided: false }
    : noRows;
}

/** Matches capitalized words inside a question. */
const namePattern = /(?<=[\p{L}\p{Nd},'’] )\p{Lu}[\p{L}'’-]{2,}/gu;
/** Matches codes such as `E18`, `402` and `no_balance`. */
const codePattern =
  /(?<![\p{L}\p{Nd}.,])(?:\p{Lu}{1,3}-?\p{Nd}{1,4}|\p{Nd}{3}|\p{Ll}+_\p{Ll}+)(?![\p{L}\p{Nd}%]|[.,]\p{Nd})/gu;

/**
 * For "What does error 402 mean?", the only row with this code. For "Which courses does Ms Okafor teach?", all rows with
 * the name. The name must be in few rows of the table, and in no title and no heading above it.
 */
function rowsByName(question: string, table: readonly RowCandidate[]): AskedRows {
  const above = new Set(table[0]?.topic);
  // For "How do I install it on Windows?", a row about Windows is not enough.
  // In German, all nouns begin with a capital letter.
  const hasNames = !asksForSteps(question) && detectLanguage(question) !== 'de';
  const names = hasNames ? [...question.matchAll(namePattern)] : [];
  const terms = names
    .filter(([name]) => findDays(name).length === 0 && !isWeekday(name))
    .flatMap(([name]) => contentTerms(name))
    .filter((term) => !above.has(term));
  const codes = [...question.matchAll(codePattern)].map(([code]) => code);
  const countIn = ({ row }: RowCandidate) => {
    const values = cellsOf(row).map(({ value }) => value);
    const known = new Set(values.flatMap((value) => contentTerms(value)));
    return (
      terms.filter((term) => known.has(term)).length +
      codes.filter((code) => values.includes(code)).length
    );
  };
  const most = Math.max(...table.map(countIn));
  const rows = most === 0 ? [] : table.filter((row) => countIn(row) === most);
  const isEnough = rows.length === 1 || (asksForList(question) && rows.length <= maxNamedRows);
  return isEnough && 2 * rows.length < table.length ? { rows, isUndecided: false } : noRows;
}

const maxNamedRows = 6;

function tableOf({ documentId, row }: RowCandidate): string {
  return JSON.stringify([documentId, ...cellsOf(row).map(({ title }) => title)]);
}

/** Whether a unit after a number of the question, such as "7 hours", is in a range of the table. */
function hasUnit(question: string, table: readonly RowCandidate[]): boolean {
  const units = new Set(
    [...question.matchAll(unitPattern)].flatMap(([, word = '']) => contentTerms(word)),
  );
  const measures = measuresIn(question);
  const ranges = table
    .flatMap(({ row }) => cellsOf(row))
    .filter(({ title, value }) => rangeOfCell(title, value))
    .map(({ value }) => value);
  return ranges.some(
    (range) =>
      contentTerms(range).some((term) => units.has(term)) ||
      measuresIn(range).some((measure) => measures.includes(measure)),
  );
}

const unitPattern = /\p{Nd}\s?(\p{L}{1,20})/gu;

/** Whether a title, or a heading above the table, contains a word of the question. */
function isAbout(question: string, [first]: readonly RowCandidate[]): boolean {
  const asked = new Set(contentTerms(question));
  const titles = first === undefined ? [] : cellsOf(first.row).map(({ title }) => title);
  return [...contentTerms(titles.join(' ')), ...(first?.topic ?? [])].some((term) =>
    asked.has(term),
  );
}

/**
 * The range that contains the number becomes the name of the row, after a name that the row already has. If the question
 * also has the words of another cell, such as "winter", only the rows with this cell are asked for.
 */
function rowsByRange(question: string, table: readonly RowCandidate[]): AskedRows {
  const numbers = askedNumbers(question);
  if (numbers.length === 0) return noRows;
  const asked = new Set(contentTerms(question));
  const measures = measuresIn(question);
  const isSameMeasure = (value: string) => {
    const own = measuresIn(value);
    return measures.length === 0 || own.length === 0 || own.some((one) => measures.includes(one));
  };
  const rangesOf = ({ row }: RowCandidate) =>
    cellsOf(row).flatMap((cell) => {
      const range = rangeOfCell(cell.title, cell.value);
      return range === null || !isSameMeasure(cell.value) ? [] : [{ cell, range }];
    });
  const found = table.flatMap((candidate) => {
    const inside = rangesOf(candidate).find(({ range: { from, to } }) =>
      numbers.some((number) => number >= from && number <= to),
    );
    return inside === undefined ? [] : [{ candidate, ...inside }];
  });
  const ranges = table.filter((candidate) => rangesOf(candidate).length > 0).length;
  if (found.length === ranges) return noRows;
  const isNamed = ({ candidate, cell }: (typeof found)[number]) =>
    cellsOf(candidate.row).some(
      ({ value }) => value !== cell.value && areAllKnown(contentTerms(value), asked),
    );
  const named = found.some(isNamed) ? found.filter(isNamed) : found;
  const rows = narrowest(named).map(({ candidate, cell }) => withRangeAsName(candidate, cell));
  return { rows, isUndecided: false };
}

/**
 * Returns the closest of the ranges that have only an upper or only a lower bound, such as "up to 5 kg" and "up to 10
 * kg". Keeps all ranges with two bounds.
 */
function narrowest<Found extends { readonly range: NumberRange }>(
  found: readonly Found[],
): Found[] {
  const width = ({ range: { from, to } }: Found) =>
    Number.isFinite(from) && Number.isFinite(to) ? 0 : Number.isFinite(to) ? to : -from;
  const least = Math.min(...found.map(width));
  return found.filter((one) => width(one) === 0 || width(one) === least);
}

function withRangeAsName(candidate: RowCandidate, { title, value }: Cell): RowCandidate {
  const { row } = candidate;
  const cells = row.cells.filter((cell) => cell.value !== value);
  const name = row.name === '' || row.name === value ? value : `${row.name}, ${value}`;
  return { ...candidate, row: { name, nameTitle: title, cells } };
}

const yesPattern =
  /^(?:yes|ja|oui|sí|sì|sim|true|✓|✔|allowed|permitted|included|erlaubt|inklusive)$/iu;
const noPattern = /^(?:no|nein|non|não|false|✗|✘|[-–—]|not allowed|not included|none|keine)$/iu;

/** For "Which tours allow dogs?", the rows with "yes" in the column "Dogs". */
function rowsByYes(question: string, table: readonly RowCandidate[]): AskedRows {
  if (!asksForList(question)) return noRows;
  const asked = new Set(contentTerms(question));
  const wanted = isNegated(question) ? noPattern : yesPattern;
  const column = table[0]?.row.cells.find(({ title }) => {
    const values = table.flatMap(({ row }) => cellValue(row, title) ?? []);
    const isYesNo = (value: string) => yesPattern.test(value) || noPattern.test(value);
    return areAllKnown(contentTerms(title), asked) && values.every(isYesNo);
  });
  if (column === undefined) return noRows;
  const rows = table.filter(({ row }) => wanted.test(cellValue(row, column.title) ?? ''));
  return { rows, isUndecided: false };
}
