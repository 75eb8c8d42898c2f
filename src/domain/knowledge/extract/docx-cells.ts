import { cleanLine } from './clean-text.ts';
import { type DocxDocument, isSkipped, labelOf } from './docx-document.ts';
import { type InlineContent, readInline } from './docx-inline.ts';
import { childElements, findElement, type XmlElement } from './xml-tree.ts';

/** A merged cell is repeated in the rows it spans when it is a label rather than a text. */
const LONGEST_REPEATED_CELL = 80;

/** Rows of a table or cells of a row, also those inside content controls and insertions. */
export function partsOf(parent: XmlElement, name: 'tr' | 'tc'): XmlElement[] {
  return childElements(parent).flatMap((child) => {
    if (child.name === name) return [child];
    const isWrapper = ['sdt', 'sdtContent', 'customXml', 'ins', 'moveTo'].includes(child.name);
    return isWrapper ? partsOf(child, name) : [];
  });
}

/** The texts of a row's cells; a cell that goes on from the row above repeats its label. */
export function mergeCells(
  cells: readonly XmlElement[],
  texts: readonly InlineContent[],
  merged: Map<number, string>,
): string[] {
  let column = 0;
  return cells.map((cell, index) => {
    const properties = findElement(cell, 'tcPr');
    const merge = findElement(properties, 'vMerge');
    const own = texts[index]?.text ?? '';
    const isContinued = merge !== undefined && merge.attributes.val !== 'restart';
    const text = isContinued && own === '' ? (merged.get(column) ?? '') : own;
    if (merge === undefined) merged.delete(column);
    else if (!isContinued) merged.set(column, own.length <= LONGEST_REPEATED_CELL ? own : '');
    column += Number(findElement(properties, 'gridSpan')?.attributes.val ?? 1);
    return text;
  });
}

/** A cell on one line; the rows of a table within it are parted by semicolons. */
export function cellContent(document: DocxDocument, cell: XmlElement): InlineContent {
  const content: InlineContent = { text: '', boxes: [], notes: [] };
  const add = (text: string, separator: string) => {
    const line = cleanLine(text);
    if (line !== '') content.text += content.text === '' ? line : `${separator}${line}`;
  };
  const read = (container: XmlElement) => {
    for (const element of childElements(container)) {
      if (element.name === 'p') {
        const inline = readInline(element);
        const label = inline.text.trim() === '' ? '' : labelOf(document, element);
        add(`${label} ${inline.text}`, ' ');
        content.boxes.push(...inline.boxes);
        content.notes.push(...inline.notes);
      } else if (element.name === 'tbl') {
        for (const row of partsOf(element, 'tr')) {
          const cells = partsOf(row, 'tc').map((inner) => cellContent(document, inner));
          add(cells.map((inner) => inner.text).join(', '), '; ');
          for (const inner of cells) {
            content.boxes.push(...inner.boxes);
            content.notes.push(...inner.notes);
          }
        }
      } else if (!isSkipped(element)) {
        read(element);
      }
    }
  };
  read(cell);
  return content;
}
