import { cleanLine } from '../clean-text.ts';
import type { MarkedCell } from '../tables/cell-grid.ts';
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

/** Returns the cells of a row with the columns that they cover. */
export function markedCells(
  row: XmlElement,
  cells: readonly XmlElement[],
  texts: readonly InlineContent[],
): MarkedCell[] {
  const before = numberOf(findElement(row, 'trPr', 'gridBefore'), 0);
  const skipped: MarkedCell = { text: '', columns: 1, coveredFrom: null };
  return [
    ...Array.from({ length: Math.min(before, maxSkippedColumns) }, () => skipped),
    ...cells.map((cell, index): MarkedCell => {
      const properties = findElement(cell, 'tcPr');
      const [down, across] = ['vMerge', 'hMerge'].map((name) => {
        const merge = findElement(properties, name);
        return merge !== undefined && merge.attributes.val !== 'restart';
      });
      return {
        text: texts[index]?.text ?? '',
        columns: numberOf(findElement(properties, 'gridSpan'), 1),
        coveredFrom: across ? 'left' : down ? 'above' : null,
      };
    }),
  ];
}

const maxSkippedColumns = 100;

function numberOf(element: XmlElement | undefined, absent: number): number {
  return Number(element?.attributes.val ?? absent) || absent;
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
