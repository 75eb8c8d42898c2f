import { extractPeriods } from '../../text/periods.ts';
import type { TableRow } from '../../text/row-text.ts';
import { areAllKnown, contentTerms } from '../../text/terms.ts';
import { isWeekday } from '../../text/weekdays.ts';

/**
 * Returns a function that computes a bonus for a row if the question contains the whole name of the row. For "What
 * effective tax rate did Apple report?", the row "Effective tax rate; 12.5%; 9.1%" contains the answer, while sentences
 * about the tax rate only explain it.
 */
export function rowNameBonus(question: string): (text: string) => number {
  const asked = new Set(contentTerms(question));
  return (text) => {
    const name = rowName(text);
    const terms = name === null ? [] : contentTerms(name.replace(totalPattern, ' '));
    if (name === null || !areAllKnown(terms, asked)) return 0;
    return isWeekday(name) ? weekdayBonus : bonus;
  };
}

/** A question rarely asks for all that a table says about a day. */
const weekdayBonus = 0.1;
const bonus = 0.5;
const totalPattern = /\b(?:total|gesamt|summe)\b/giu;

/**
 * Returns a function that computes a bonus for a table row if the question contains the row's name and the title of a
 * column. "What kind of backend is citus?" asks for the column "Kind" of the row "citus".
 */
export function rowColumnBonus(question: string): (row: TableRow | null) => number {
  const asked = new Set(contentTerms(question));
  const isAsked = (text: string) => areAllKnown(contentTerms(text), asked);
  return (row) => {
    if (row === null || !isAsked(row.name)) return 0;
    return row.cells.some(({ title, value }) => isAsked(title) && !isAsked(value)) ? bonus : 0;
  };
}

/**
 * Returns the name of a row that contains a number (from `rowText` or the cells of a PDF). Returns null for other
 * texts, and if the name is a date, because dates are column titles.
 */
function rowName(text: string): string | null {
  const [, name, values] = /^([^;—]{2,80}?)(?:; | — )(.*)/u.exec(text) ?? [];
  if (name === undefined || !/\p{Nd}/u.test(values ?? '')) return null;
  return extractPeriods(name).length > 0 ? null : name;
}
