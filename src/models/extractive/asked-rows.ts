import { askedNumbers, parseRange } from '../../text/number-ranges.ts';
import type { Cell } from '../../text/row-text.ts';
import { areAllKnown, contentTerms } from '../../text/terms.ts';
import type { Candidate } from './answer-candidates.ts';
import { asksForList, isNegated } from './answer-type.ts';
import { askedExtreme } from './extremes.ts';
import { type AskedRows, cellsOf, cellValue, noRows, type RowCandidate } from './table-rows.ts';

/**
 * Returns the rows that a question asks for by a value: a number inside a range of the row, "yes" in a column that the
 * question names, or the least or greatest value of a column.
 */
export function askedRows(question: string, candidates: readonly Candidate[]): AskedRows {
  const rows = candidates.filter((candidate): candidate is RowCandidate => candidate.row !== null);
  const tables = [...Map.groupBy(rows, tableOf).values()].filter(({ length }) => length > 1);
  for (const find of [rowsByRange, rowsByYes, askedExtreme]) {
    for (const table of tables) {
      const found = isAbout(question, table) ? find(question, table) : noRows;
      if (found.rows.length > 0 || found.isUndecided) return found;
    }
  }
  return noRows;
}

function tableOf({ documentId, row }: RowCandidate): string {
  return JSON.stringify([documentId, ...cellsOf(row).map(({ title }) => title)]);
}

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
  const rangesOf = ({ row }: RowCandidate) =>
    cellsOf(row).flatMap((cell) => {
      const range = parseRange(cell.value);
      return range === null ? [] : [{ cell, range }];
    });
  const asked = new Set(contentTerms(question));
  const found = table.flatMap((candidate) => {
    const inside = rangesOf(candidate).find(({ range: { from, to } }) =>
      numbers.some((number) => number >= from && number <= to),
    );
    return inside === undefined ? [] : [{ candidate, cell: inside.cell }];
  });
  const ranges = table.filter((candidate) => rangesOf(candidate).length > 0).length;
  if (found.length === ranges) return noRows;
  const isNamed = ({ candidate, cell }: (typeof found)[number]) =>
    cellsOf(candidate.row).some(
      ({ value }) => value !== cell.value && areAllKnown(contentTerms(value), asked),
    );
  const named = found.some(isNamed) ? found.filter(isNamed) : found;
  const rows = named.map(({ candidate, cell }) => withRangeAsName(candidate, cell));
  return { rows, isUndecided: false };
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
