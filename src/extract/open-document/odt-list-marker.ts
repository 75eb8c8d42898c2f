import { formatNumber } from '../office/docx-number-format.ts';
import type { NumberFormat } from './odt-styles.ts';

export interface OdtListPlace {
  /** Name of the list's style. If the list has no style, that of the list that contains it. */
  readonly style: string | undefined;
  /** Nesting level, from 1. */
  readonly level: number;
}

const wordFormats: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** Returns the number or bullet of the list item at `index`. The index starts at 0. */
export function listMarker(number: NumberFormat | null, index: number): string {
  if (number === null) return '-';
  const text = formatNumber(number.start + index, wordFormats[number.format] ?? 'decimal');
  return `${text}${number.suffix || '.'}`;
}
