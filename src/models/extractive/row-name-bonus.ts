import { extractPeriods } from '../../text/periods.ts';
import type { TableRow } from '../../text/row-text.ts';
import { areAllKnown, contentTerms } from '../../text/terms.ts';

/**
 * Returns a function that computes a bonus for a row whose whole name is in the question. The row "Effective tax rate;
 * 12.5%; 9.1%" contains what "What effective tax rate did Apple report?" asks for, and sentences about it explain it.
 */
export function rowNameBonus(question: string): (text: string) => number {
  const asked = new Set(contentTerms(question));
  return (text) => {
    const name = rowName(text);
    const terms = name === null ? [] : contentTerms(name.replace(totalPattern, ' '));
    return areAllKnown(terms, asked) ? bonus : 0;
  };
}

const bonus = 0.5;
const totalPattern = /\b(?:total|gesamt|summe)\b/giu;

/**
 * Returns a function that computes a bonus for a row of a table whose name is in the question together with the title of
 * a column: "What kind of backend is citus?" asks for the column "Kind" of the row "citus".
 */
export function rowColumnBonus(question: string): (row: TableRow | null) => number {
  const asked = new Set(contentTerms(question));
  const isAsked = (text: string) => areAllKnown(contentTerms(text), asked);
  return (row) => {
    if (row === null || !isAsked(row.name)) return 0;
    return row.cells.some(({ title, value }) => isAsked(title) && !isAsked(value)) ? bonus : 0;
  };
}

/** Returns the name of a row with a number (`rowText` or cells of a PDF), or null. Dates are titles of columns. */
function rowName(text: string): string | null {
  const [, name, values] = /^([^;—]{2,80}?)(?:; | — )(.*)/u.exec(text) ?? [];
  if (name === undefined || !/\p{Nd}/u.test(values ?? '')) return null;
  return extractPeriods(name).length > 0 ? null : name;
}
