import { findElement, type XmlElement } from '../xml-tree.ts';

/** Whether an on/off property of text is on (ECMA-376 part 1, 22.9.2.7). */
export function isOn(property: XmlElement | undefined): boolean {
  return property !== undefined && !/^(?:0|false|off)$/.test(property.attributes.val ?? '1');
}

/** Whether the properties of a text run in a DOCX or XLSX make it superscript. */
export function isSuperscript(properties: XmlElement | undefined): boolean {
  return findElement(properties, 'vertAlign')?.attributes.val === 'superscript';
}
