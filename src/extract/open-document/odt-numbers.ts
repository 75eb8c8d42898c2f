import { formatNumber } from '../office/docx-number-format.ts';
import type { XmlElement } from '../xml-tree.ts';
import type { NumberFormat, OdtStyles } from './odt-styles.ts';

const wordFormats: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** Numbers of one list by level, from 1. Level 0 is unused. */
export type ListNumbers = number[];

/** Counts the headings and list items of a document. */
export interface OdtNumbers {
  /** Returns the number of the next heading, such as `3.2`, or ''. */
  heading(heading: XmlElement, level: number): string;
  /** Returns the numbers with which a list starts: those of the list that it continues, or none. */
  startList(list: XmlElement, style: string | undefined): ListNumbers;
  /** Counts an item and returns its number or bullet. */
  item(item: XmlElement, style: string | undefined, level: number, numbers: ListNumbers): string;
}

export function createOdtNumbers(styles: OdtStyles): OdtNumbers {
  const headings: number[] = [];
  const byId = new Map<string, ListNumbers>();
  const byStyle = new Map<string, ListNumbers>();
  return {
    heading(heading, level) {
      const { 'style-name': style, 'is-list-header': isHeader } = heading.attributes;
      const format = styles.outlineFormat(style, level);
      if (format === null || isHeader === 'true') return '';
      count(headings, level, format, heading);
      return numberText(headings, level, (outer) => styles.outlineFormat(undefined, outer));
    },
    startList(list, style) {
      const { id, 'continue-list': continued, 'continue-numbering': continues } = list.attributes;
      const before =
        continued !== undefined
          ? byId.get(continued)
          : continues === 'true'
            ? byStyle.get(style ?? '')
            : undefined;
      const numbers = before ?? [];
      if (id !== undefined) byId.set(id, numbers);
      byStyle.set(style ?? '', numbers);
      return numbers;
    },
    item(item, style, level, numbers) {
      const format = styles.numberFormat(style, level);
      if (format === null) return '-';
      count(numbers, level, format, item);
      const text = numberText(numbers, level, (outer) => styles.numberFormat(style, outer));
      return format.suffix === '' ? `${text}.` : text;
    },
  };
}

/** Counts an item or heading. Restarts the numbers of inner levels. */
function count(numbers: number[], level: number, format: NumberFormat, element: XmlElement): void {
  const start = element.attributes['start-value'];
  const given = start === undefined ? Number.NaN : Math.trunc(Number(start));
  const before = numbers[level];
  const restarts = element.attributes['restart-numbering'] === 'true' || before === undefined;
  numbers.length = level + 1;
  numbers[level] = !Number.isNaN(given) ? given : restarts ? format.start : before + 1;
}

function numberText(
  numbers: readonly number[],
  level: number,
  formatOf: (level: number) => NumberFormat | null,
): string {
  const own = formatOf(level);
  if (own === null) return '';
  const shown: string[] = [];
  for (let at = Math.max(1, level - own.shownLevels + 1); at <= level; at += 1) {
    const format = formatOf(at);
    if (format === null) continue;
    shown.push(formatNumber(numbers[at] ?? format.start, wordFormats[format.format] ?? 'decimal'));
  }
  return `${own.prefix}${shown.join('.')}${own.suffix}`;
}
