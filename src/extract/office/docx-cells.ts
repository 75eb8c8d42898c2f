import { cleanLine } from '../clean-text.ts';
import { maxRepeatedCellLength } from '../tables/sheet-merges.ts';
import { childElements, findElement, type XmlElement } from '../xml-tree.ts';
import { type DocxDocument, isSkipped, listLabel } from './docx-document.ts';
import { type InlineContent, readInline } from './docx-inline.ts';

/** Returns the rows of a table or the cells of a row. Includes those inside content controls and insertions. */
export function rowsOrCells(parent: XmlElement, name: 'tr' | 'tc'): XmlElement[] {
  return childElements(parent).flatMap((child) => {
    if (child.name === name) return [child];
    const isWrapper = ['sdt', 'sdtContent', 'customXml', 'ins', 'moveTo'].includes(child.name);
    return isWrapper ? rowsOrCells(child, name) : [];
  });
}

/** Returns the texts of a row's cells. If cells of several rows are merged, the label is repeated in each row. */
export function fillMergedCells(
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
    else if (!isContinued) merged.set(column, own.length <= maxRepeatedCellLength ? own : '');
    column += Number(findElement(properties, 'gridSpan')?.attributes.val ?? 1);
    return text;
  });
}

/** Returns the content of a cell. The text is on one line. Rows of a nested table are separated by semicolons. */
export function cellContent(document: DocxDocument, cell: XmlElement): InlineContent {
  const content: InlineContent = { text: '', boxes: [], notes: [] };
  const add = (text: string, separator: string) => {
    const line = cleanLine(text);
    if (line !== '') content.text += content.text === '' ? line : `${separator}${line}`;
  };
  const read = (container: XmlElement) => {
    for (const element of childElements(container)) {
      if (element.name === 'p') {
        const inline = readInline(element, document.links);
        const label = inline.text.trim() === '' ? '' : listLabel(document, element);
        add(`${label} ${inline.text}`, ' ');
        content.boxes.push(...inline.boxes);
        content.notes.push(...inline.notes);
      } else if (element.name === 'tbl') {
        for (const row of rowsOrCells(element, 'tr')) {
          const cells = rowsOrCells(row, 'tc').map((inner) => cellContent(document, inner));
          add(cells.map((inner) => inner.text).join(', '), '; ');
          for (const inner of cells) {
            content.boxes.push(...inner.boxes);
            content.notes.push(...inner.notes);
          }
        }
      } else if (element.name === 'altChunk') {
        add(document.included.get(element.attributes.id ?? '')?.text ?? '', ' ');
      } else if (!isSkipped(element)) {
        read(element);
      }
    }
  };
  read(cell);
  return content;
}
