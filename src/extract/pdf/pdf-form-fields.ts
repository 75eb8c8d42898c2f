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
    for (const cell of line.cells) {
      const isBeside = line.y > bottom - line.size / 2 && line.y < top + line.size / 2;
      const isAbove = line.y >= top - line.size / 2 && cell.x0 < right && cell.x1 > left;
      const aside = isButton ? cell.x0 - right : left - cell.x1;
      const distance = isBeside ? aside : isAbove && !isButton ? (line.y - top) * 4 + 10 : -1;
      if (distance > -2 && distance < best.distance) best = { text: cell.text, distance };
    }
  }
  return best.text;
}
