import { isOn, isSuperscript } from '../office/office-run-properties.ts';
import { markRaised } from '../raised-text.ts';
import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';

/** Returns the text of a string item (ECMA-376 part 1, 18.4.8), without struck text runs. */
export function richText(item: XmlElement): string {
  return childElements(item).map(pieceText).join('');
}

function pieceText(piece: XmlElement): string {
  if (piece.name === 't') return unescapeText(textOf(piece));
  if (piece.name !== 'r') return '';
  const properties = findElement(piece, 'rPr');
  if (isStruck(properties)) return '';
  const text = childElements(piece, 't').map(pieceText).join('');
  return isSuperscript(properties) ? markRaised(text) : text;
}

/** Whether the properties of a font or a text run strike the text through. */
export function isStruck(properties: XmlElement | undefined): boolean {
  return isOn(findElement(properties, 'strike'));
}

/**
 * Replaces escapes such as `_x000D_`, which stand for characters that XML cannot contain (ECMA-376 part 1, 22.9.2.19).
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
