import { greater, readAmount, smaller } from '../../text/number-ranges.ts';
import { asksForList } from './answer-type.ts';
import { type AskedRows, cellsOf, noRows, type RowCandidate } from './table-rows.ts';

interface Bound {
  readonly asked: RegExp;
  readonly isMet: (value: number, bound: number) => boolean;
}

/** A number and its unit, as in "10 euros" or "€10". */
const amount = String.raw`(?<amount>[€$£]?\s?\d{1,7}(?:[.,]\d{1,3})?\s?(?:\p{L}{1,12}\.?|[€$£%])?)`;

function boundOf(words: string, isMet: Bound['isMet']): Bound {
  return { asked: new RegExp(String.raw`(?<!\p{L})(?:${words}) ${amount}`, 'iu'), isMet };
}

const bounds: readonly Bound[] = [
  boundOf(`${smaller}|cheaper than|(?:günstiger|billiger) als`, (value, bound) => value < bound),
  boundOf(greater, (value, bound) => value > bound),
  boundOf('at most|up to|no more than|höchstens|bis zu|au plus', (value, bound) => value <= bound),
  boundOf('at least|no less than|mindestens|au moins', (value, bound) => value >= bound),
];

/**
 * For "Which tours cost less than 20 euros?", returns the rows with such a value in the column with this unit. Undecided
 * if there is no such row, or if the sources may lack a part of the table.
 */
export function rowsByBound(question: string, table: readonly RowCandidate[]): AskedRows {
  if (!asksForList(question)) return noRows;
  const found = bounds.flatMap(({ asked, isMet }) => {
    const read = readAmount(asked.exec(question)?.groups?.amount ?? '');
    return read === null ? [] : [{ unit: singular(read.unit), bound: read.amount, isMet }];
  })[0];
  if (found === undefined || found.unit === '') return noRows;
  const values = table.flatMap((candidate) =>
    cellsOf(candidate.row).flatMap(({ title, value }) => {
      const read = readAmount(value);
      const isOfUnit = [read?.unit ?? '', title.toLowerCase()].some((text) =>
        text.includes(found.unit),
      );
      return read === null || !isOfUnit ? [] : [{ candidate, title, amount: read.amount }];
    }),
  );
  const columns = new Set(values.map(({ title }) => title));
  if (columns.size !== 1 || 2 * values.length < table.length) return noRows;
  const rows = values.filter(({ amount }) => found.isMet(amount, found.bound));
  const isDecided = rows.length > 0 && table.every(({ isWholeTable }) => isWholeTable);
  return { rows: isDecided ? rows.map(({ candidate }) => candidate) : [], isUndecided: !isDecided };
}

/** Returns a unit without the ending of its plural: "euro" for "euros". */
function singular(unit: string): string {
  return unit.replace(/(?<=\p{L}{2})(?:s|n)$/u, '');
}
