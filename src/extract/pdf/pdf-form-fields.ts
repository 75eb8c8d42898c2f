import type { PdfLine } from './pdf-lines.ts';

/** Annotation data from pdf.js. Form fields are annotations with the subtype Widget. Links have the subtype Link. */
export interface PdfAnnotation {
  readonly subtype?: string;
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly alternativeText?: string;
  readonly exportValue?: string;
  readonly buttonValue?: string;
  readonly hidden?: boolean;
  readonly password?: boolean;
  readonly contentsObj?: { readonly str?: string };
  readonly rect?: readonly number[];
  /** Absolute address of a link. Missing if the link leads to a page of the same file. */
  readonly url?: string;
}

/** Maximum distance in points between a field and its label. */
const maxLabelDistance = 150;

/**
 * Returns each filled form field of a page as `label: value`, and the text of each text box annotation. The label is
 * the tooltip of the field. Without a tooltip, it is the nearest text beside or above the field.
 */
export function readFormFields(
  annotations: readonly PdfAnnotation[],
  lines: readonly PdfLine[],
): string[] {
  const texts: string[] = [];
  for (const annotation of annotations) {
    if (annotation.hidden === true || annotation.password === true) continue;
    const value = fieldText(annotation);
    if (value === '') continue;
    const label = annotation.subtype === 'Widget' ? labelOf(annotation, lines) : '';
    texts.push(label === '' ? value : `${label.replace(/(?<!\s)\s*:$/, '')}: ${value}`);
  }
  return texts;
}

const commentSubtypes: ReadonlySet<string> = new Set([
  ...['Text', 'Highlight', 'Underline', 'Squiggly', 'StrikeOut', 'Caret'],
]);

/** Returns the number of comments by readers. Comments are notes, and marked text that has a note. */
export function countComments(annotations: readonly PdfAnnotation[]): number {
  return annotations.filter(
    ({ subtype = '', contentsObj }) =>
      commentSubtypes.has(subtype) && (contentsObj?.str?.trim() ?? '') !== '',
  ).length;
}

function fieldText(annotation: PdfAnnotation): string {
  const { subtype, fieldType, fieldValue } = annotation;
  if (subtype === 'FreeText') return annotation.contentsObj?.str?.trim() ?? '';
  if (subtype !== 'Widget') return '';
  if (fieldType === 'Btn') {
    const own = annotation.exportValue ?? annotation.buttonValue;
    return own !== undefined && own !== 'Off' && fieldValue === own ? 'yes' : '';
  }
  const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values
    .filter((value) => typeof value === 'string')
    .map(repairUtf16)
    .join(', ')
    .trim();
}

function labelOf(annotation: PdfAnnotation, lines: readonly PdfLine[]): string {
  const tooltip = annotation.alternativeText?.trim() ?? '';
  if (tooltip !== '') return tooltip;
  const [left = 0, bottom = 0, right = 0, top = 0] = annotation.rect ?? [];
  const isButton = annotation.fieldType === 'Btn';
  let best = { text: '', distance: maxLabelDistance };
  for (const line of lines) {
    const isBeside = line.y > bottom - line.size / 2 && line.y < top + line.size / 2;
    const offset = Math.abs(line.y + line.size * middleOfLetters - (bottom + top) / 2);
    for (const { x0, x1, text } of line.cells) {
      const isAbove = !isButton && line.y >= top - line.size / 2 && x0 < right && x1 > left;
      // A box has its label on either side.
      const gaps = isButton ? [left - x1, x0 - right] : [left - x1];
      const gap = Math.min(...gaps.filter((one) => one > -maxOverlap));
      const distance = isBeside ? gap + offset : isAbove ? (line.y - top) * 4 + 10 : Infinity;
      if (distance < best.distance) best = { text, distance };
    }
  }
  return best.text;
}

/** Height of the middle of lower-case letters over the baseline, as a multiple of the font size. */
const middleOfLetters = 0.25;
/** By how many points a label may reach into its field. */
const maxOverlap = 2;

/**
 * Repairs a value in UTF-16 without its mark, of which half the letters have their bytes swapped, as some LaTeX packages
 * write it: U+5300 for S.
 */
function repairUtf16(value: string): string {
  const isSwapped = (letter: string) =>
    /[\u2000-\u7e00]/.test(letter) && letter.charCodeAt(0) % 256 === 0;
  const letters = [...value];
  const swapped = letters.filter(isSwapped).length;
  if (swapped < 2 || letters.some((letter) => letter > '\u007e' && !isSwapped(letter)))
    return value;
  return letters
    .map((letter) => (isSwapped(letter) ? String.fromCharCode(letter.charCodeAt(0) >> 8) : letter))
    .join('');
}
