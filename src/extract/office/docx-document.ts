import type { ExtractedText } from '../extracted-text.ts';
import { findElement, type XmlElement } from '../xml-tree.ts';
import type { DocxNumbering } from './docx-numbering.ts';
import type { DocxStyles } from './docx-styles.ts';

/** Parts of a Word document to which its paragraphs and tables refer. */
export interface DocxDocument {
  readonly styles: DocxStyles;
  readonly numbering: DocxNumbering;
  /** Footnotes and endnotes by key, such as `footnote 3`. */
  readonly notes: ReadonlyMap<string, DocxNote>;
  /** External addresses to which links of the part lead, by the id of the relationship. */
  readonly links: DocxLinks;
  /** Texts of parts in other formats (`w:altChunk`), by the id of the relationship. */
  readonly included: ReadonlyMap<string, ExtractedText>;
}

export type DocxLinks = ReadonlyMap<string, string>;

export interface DocxNote {
  readonly content: XmlElement;
  readonly links: DocxLinks;
}

/**
 * Returns the number or bullet of a paragraph, or '' if it has none. Increments the list counter, so call the function
 * once per paragraph, in document order.
 */
export function listLabel(document: DocxDocument, paragraph: XmlElement): string {
  const properties = findElement(paragraph, 'pPr');
  const numbering = document.styles.numbering(properties);
  return numbering === null ? '' : document.numbering.nextLabel(numbering);
}

/** Whether to skip the element, because it contains properties, deleted or moved content, or a fallback copy. */
export function isSkipped(element: XmlElement): boolean {
  return ['sectPr', 'sdtPr', 'del', 'moveFrom', 'tblPr', 'tblGrid', 'Fallback'].includes(
    element.name,
  );
}
