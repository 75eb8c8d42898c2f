import type { DocxNumbering } from './docx-numbering.ts';
import type { DocxStyles } from './docx-styles.ts';
import { findElement, type XmlElement } from './xml-tree.ts';

/** What the blocks of a document refer to. */
export interface DocxDocument {
  readonly styles: DocxStyles;
  readonly numbering: DocxNumbering;
  /** Footnotes and endnotes by `footnote 3`. */
  readonly notes: ReadonlyMap<string, XmlElement>;
}

/** The number or bullet of a paragraph, counted; empty for a plain one. */
export function labelOf(document: DocxDocument, paragraph: XmlElement): string {
  const properties = findElement(paragraph, 'pPr');
  const numbering = document.styles.numbering(properties);
  return numbering === null ? '' : document.numbering.nextLabel(numbering);
}

/** Properties, and content that has been deleted, moved away or repeats other content. */
export function isSkipped(element: XmlElement): boolean {
  return ['sectPr', 'sdtPr', 'del', 'moveFrom', 'tblPr', 'tblGrid', 'Fallback'].includes(
    element.name,
  );
}
