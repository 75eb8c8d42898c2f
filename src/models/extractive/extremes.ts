import { readAmount } from '../../text/number-ranges.ts';
import { areAllKnown, contentTerms } from '../../text/terms.ts';
import { type AskedRows, cellsOf, cellValue, noRows, type RowCandidate } from './table-rows.ts';

interface Extreme {
  readonly asked: RegExp;
  readonly isGreatest: boolean;
  /** Titles of the column, if the word itself says which one. Otherwise the question names it. */
  readonly column?: RegExp;
}

const price = /\b(?:price|cost|fee|charge|rate)s?\b|preis|kosten|gebühr|\bprix\b|\btarif/iu;
const extent = /\b(?:length|duration|distance|time|km|miles|hours)\b|länge|dauer|strecke/iu;

const extremes: readonly Extreme[] = [
  {
    asked: /\b(?:cheapest|least expensive)\b|(?:günstigste|billigste)/iu,
    isGreatest: false,
    column: price,
  },
  { asked: /\b(?:most expensive|dearest|priciest)\b|teuerste/iu, isGreatest: true, column: price },
  { asked: /\bshortest\b|kürzeste/iu, isGreatest: false, column: extent },
  { asked: /\blongest\b|längste/iu, isGreatest: true, column: extent },
  {
    asked: /\b(?:lowest|smallest|least|fewest)\b|(?:niedrigste|kleinste|wenigste)/iu,
    isGreatest: false,
  },
  {
    asked: /\b(?:highest|largest|biggest|greatest|most)\b|(?:höchste|größte|meiste)/iu,
    isGreatest: true,
  },
];

const undecided: AskedRows = { rows: [], isUndecided: true };

/**
 * For "Which is the cheapest tour?", returns the rows with the least price. Undecided if the sources may lack a part of
 * the table, or if its values cannot be compared.
 */
export function askedExtreme(question: string, table: readonly RowCandidate[]): AskedRows {
  const extreme = extremes.find(({ asked }) => asked.test(question));
  const title = extreme && columnOf(question, table, extreme);
  if (extreme === undefined || title === undefined) return noRows;
  const values = table.flatMap((candidate) => {
    const value = readAmount(cellValue(candidate.row, title) ?? '');
    return value === null ? [] : [{ candidate, ...value }];
  });
  const areComparable = new Set(values.map(({ unit }) => unit)).size === 1;
  if (values.length < 2 || !areComparable) return noRows;
  if (!table.every(({ isWholeTable }) => isWholeTable)) return undecided;
  const amounts = values.map(({ amount }) => amount);
  const best = extreme.isGreatest ? Math.max(...amounts) : Math.min(...amounts);
  const rows = values.filter(({ amount }) => amount === best).map(({ candidate }) => candidate);
  return rows.length <= maxTies ? { rows, isUndecided: false } : noRows;
}

const maxTies = 3;

/** Returns the title of the only column that fits. */
function columnOf(
  question: string,
  [first]: readonly RowCandidate[],
  { column }: Extreme,
): string | undefined {
  const asked = new Set(contentTerms(question));
  const titles =
    first === undefined
      ? []
      : cellsOf(first.row)
          .slice(1)
          .map(({ title }) => title);
  const fitting = titles.filter((title) =>
    column === undefined ? areAllKnown(contentTerms(title), asked) : column.test(title),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}
