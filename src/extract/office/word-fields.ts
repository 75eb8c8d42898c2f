import { linkText } from '../link-address.ts';
import { childElements, findElement, type XmlElement } from '../xml-tree.ts';
import { isOn } from './office-run-properties.ts';

/** A field of Word whose end has not been read yet (ECMA-376 part 1, 17.16.18). */
export interface OpenField {
  /** Instruction of the field, such as `HYPERLINK "https://example.com"`. */
  instruction: string;
  /** The text of the paragraph before the result of the field, or null until the result starts. */
  before: string | null;
}

const maxInstructionLength = 2_000;
/** Fields inside more others than this are read without their addresses. */
const maxDepth = 5;

/** Adds to the instruction of the innermost field. */
export function addInstruction(fields: readonly OpenField[], text: string): void {
  const field = fields.at(-1);
  if (field?.before !== null) return;
  field.instruction = (field.instruction + text).slice(0, maxInstructionLength);
}

/** Opens a field, starts its result or ends it, and returns the text of the paragraph. */
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

/** Returns the text of the paragraph when fields are left open, as those that span paragraphs. */
export function closeFields(fields: readonly OpenField[], text: string): string {
  return fields.reduceRight((inner, { before }) => (before ?? '') + inner, text);
}

/** Returns the result of a field, followed by its address if it is a link. */
export function fieldText(instruction: string, result: string): string {
  return linkText(result, hyperlinkTarget(instruction));
}

/** Returns the address that a field leads to (17.16.5.25), or '' if it is no link. RTF has the same fields. */
export function hyperlinkTarget(instruction: string): string {
  const [, quoted, bare] =
    /^\s{0,20}HYPERLINK\s{1,20}(?:"([^"]{1,2000})"|([^\s"\\]\S{0,2000}))/i.exec(instruction) ?? [];
  const [, anchor] = /\s\\l\s{1,20}"([^"]{1,500})"/i.exec(instruction) ?? [];
  const address = quoted ?? bare ?? '';
  return address === '' || anchor === undefined ? address : `${address}#${anchor}`;
}

/** Returns the box or the chosen entry of a form field (17.16.7 and 17.16.9), or ''. Texts are runs. */
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
