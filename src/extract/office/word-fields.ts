import { linkText } from '../link-address.ts';
import { childElements, findElement, type XmlElement } from '../xml-tree.ts';
import { isOn } from './office-run-properties.ts';

/** A Word field whose end has not been read yet (ECMA-376 part 1, 17.16.18). */
export interface OpenField {
  /** Instruction of the field, such as `HYPERLINK "https://example.com"`. */
  instruction: string;
  /** The text of the paragraph before the result of the field. Null until the result starts. */
  before: string | null;
}

const maxInstructionLength = 2_000;
/** Maximum number of fields that contain a field. Fields nested more deeply are read without their addresses. */
const maxDepth = 5;

/** Appends text to the instruction of the innermost field. */
export function addInstruction(fields: readonly OpenField[], text: string): void {
  const field = fields.at(-1);
  if (field?.before !== null) return;
  field.instruction = (field.instruction + text).slice(0, maxInstructionLength);
}

/**
 * Processes a field character: opens a field, starts its result, or closes it. Returns the text of the paragraph after
 * that.
 */
export function readFieldCharacter(fields: OpenField[], text: string, mark: XmlElement): string {
  switch (mark.attributes.fldCharType) {
    case 'separate': {
      const field = fields.at(-1);
      if (field?.before !== null) return text;
      field.before = text;
      return '';
    }
    case 'end': {
      const field = fields.pop();
      if (field === undefined || field.before === null) return text;
      return field.before + (fields.length < maxDepth ? fieldText(field.instruction, text) : text);
    }
    default:
      fields.push({ instruction: '', before: null });
      return text + formFieldText(mark);
  }
}

/**
 * Returns the text of the paragraph if it ends while fields are open, for example because a field spans several
 * paragraphs.
 */
export function closeFields(fields: readonly OpenField[], text: string): string {
  return fields.reduceRight((inner, { before }) => (before ?? '') + inner, text);
}

/** Returns the result of a field, followed by its address if it is a link. */
export function fieldText(instruction: string, result: string): string {
  return linkText(result, hyperlinkTarget(instruction));
}

/**
 * Returns the address to which a field leads (17.16.5.25), or '' if the field is not a link. RTF has the same fields.
 */
export function hyperlinkTarget(instruction: string): string {
  const [, quoted, bare] =
    /^\s{0,20}HYPERLINK\s{1,20}(?:"([^"]{1,2000})"|([^\s"\\]\S{0,2000}))/i.exec(instruction) ?? [];
  const [, anchor] = /\s\\l\s{1,20}"([^"]{1,500})"/i.exec(instruction) ?? [];
  const address = quoted ?? bare ?? '';
  return address === '' || anchor === undefined ? address : `${address}#${anchor}`;
}

/**
 * Returns the text for a form field (17.16.7 and 17.16.9): a box, or the selected entry. Returns '' for a text field,
 * because its text is in runs.
 */
function formFieldText(field: XmlElement): string {
  const box = findElement(field, 'ffData', 'checkBox');
  if (box !== undefined) {
    return isOn(findElement(box, 'checked') ?? findElement(box, 'default')) ? '☑' : '☐';
  }
  const list = findElement(field, 'ffData', 'ddList');
  const chosen = findElement(list, 'result') ?? findElement(list, 'default');
  const entry = childElements(list, 'listEntry')[Number(chosen?.attributes.val ?? 0)];
  return entry?.attributes.val ?? '';
}
