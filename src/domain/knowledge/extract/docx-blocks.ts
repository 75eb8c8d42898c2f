import { cleanLine } from './clean-text.ts';
import { type InlineContent, readInline } from './docx-inline.ts';
import type { DocxNumbering } from './docx-numbering.ts';
import type { DocxStyles } from './docx-styles.ts';
import type { TextBuilder } from './text-builder.ts';
import { childElements, findElement, textOf, type XmlElement } from './xml-tree.ts';

/** A merged cell is repeated in the rows it spans when it is a label rather than a text. */
const LONGEST_REPEATED_CELL = 80;
/** A row longer than this is a page laid out as a table: its cells are read one after the other. */
const LONGEST_ROW = 2_000;
const LONGEST_BOLD_TITLE = 80;
const BOLD_TITLE_LEVEL = 6;

export interface DocxDocument {
  readonly styles: DocxStyles;
  readonly numbering: DocxNumbering;
  /** Footnotes and endnotes by `footnote 3`. */
  readonly notes: ReadonlyMap<string, XmlElement>;
}

/** Adds the paragraphs and tables in `container`; notes and text boxes follow the block they belong to. */
export function addDocxBlocks(
  builder: TextBuilder,
  document: DocxDocument,
  container: XmlElement,
): void {
  for (const element of childElements(container)) {
    if (element.name === 'p') addParagraph(builder, document, element);
    else if (element.name === 'tbl') addTable(builder, document, element);
    else if (!isSkipped(element)) addDocxBlocks(builder, document, element);
  }
}

function isSkipped(element: XmlElement): boolean {
  return ['sectPr', 'sdtPr', 'del', 'moveFrom', 'tblPr', 'tblGrid', 'Fallback'].includes(
    element.name,
  );
}

function addParagraph(builder: TextBuilder, document: DocxDocument, paragraph: XmlElement): void {
  const inline = readInline(paragraph);
  const properties = findElement(paragraph, 'pPr');
  const level = document.styles.headingLevel(properties);
  const label = inline.text.trim() === '' ? '' : labelOf(document, properties);
  if (level !== null) {
    builder.add('heading', cleanLine(`${label === '-' ? '' : label} ${inline.text}`), { level });
  } else if (label !== '') {
    builder.add('list-item', `${label} ${tidy(inline.text)}`);
  } else if (isBoldTitle(paragraph, inline.text.trim())) {
    builder.add('heading', cleanLine(inline.text), { level: BOLD_TITLE_LEVEL });
  } else {
    builder.add('paragraph', tidy(inline.text));
  }
  addAttached(builder, document, inline);
}

function tidy(text: string): string {
  return text.replace(/[^\S\n]+/g, ' ').trim();
}

/** People who do not use styles make a title by setting a short paragraph in bold. */
function isBoldTitle(paragraph: XmlElement, text: string): boolean {
  if (text === '' || text.length > LONGEST_BOLD_TITLE || /[.,;!\n]$|\n/.test(text)) return false;
  if (!/\p{L}{2}/u.test(text)) return false;
  const runs = childElements(paragraph, 'r').filter((run) => /\S/.test(textOf(run)));
  const isBold = (run: XmlElement) => {
    const bold = findElement(run, 'rPr', 'b');
    return bold !== undefined && !/^(?:0|false|off)$/.test(bold.attributes.val ?? '1');
  };
  return runs.length > 0 && runs.every(isBold);
}

function labelOf(document: DocxDocument, properties: XmlElement | undefined): string {
  const numbering = document.styles.numbering(properties);
  return numbering === null ? '' : document.numbering.nextLabel(numbering);
}

function addAttached(builder: TextBuilder, document: DocxDocument, inline: InlineContent): void {
  for (const box of inline.boxes) addDocxBlocks(builder, document, box);
  for (const id of inline.notes) {
    const note = document.notes.get(id);
    // A note must not be followed from within a note: they may point at each other.
    if (note !== undefined) addDocxBlocks(builder, { ...document, notes: new Map() }, note);
  }
}

function addTable(builder: TextBuilder, document: DocxDocument, table: XmlElement): void {
  const merged = new Map<number, string>();
  for (const row of partsOf(table, 'tr')) {
    if (findElement(row, 'trPr', 'del') !== undefined) continue;
    const cells = partsOf(row, 'tc');
    const texts = cells.map((cell) => cellContent(document, cell));
    const characters = texts.reduce((sum, cell) => sum + cell.text.length, 0);
    if (isBox(cells) || characters > LONGEST_ROW) {
      for (const cell of cells) addDocxBlocks(builder, document, cell);
      continue;
    }
    const line = mergeCells(cells, texts, merged).filter((text) => text !== '');
    builder.add('table-row', line.join(' | '));
    for (const text of texts) addAttached(builder, document, text);
  }
}

/** A single cell around several paragraphs is a frame, not a row. */
function isBox(cells: readonly XmlElement[]): boolean {
  const [cell, second] = cells;
  return (
    second === undefined && childElements(cell).filter(({ name }) => name !== 'tcPr').length > 1
  );
}

/** Rows of a table or cells of a row, also those inside content controls and insertions. */
function partsOf(parent: XmlElement, name: 'tr' | 'tc'): XmlElement[] {
  return childElements(parent).flatMap((child) => {
    if (child.name === name) return [child];
    const isWrapper = ['sdt', 'sdtContent', 'customXml', 'ins', 'moveTo'].includes(child.name);
    return isWrapper ? partsOf(child, name) : [];
  });
}

function mergeCells(
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
function cellContent(document: DocxDocument, cell: XmlElement): InlineContent {
  const content: InlineContent = { text: '', boxes: [], notes: [] };
  const add = (text: string, separator: string) => {
    const line = cleanLine(text);
    if (line !== '') content.text += content.text === '' ? line : `${separator}${line}`;
  };
  const read = (container: XmlElement) => {
    for (const element of childElements(container)) {
      if (element.name === 'p') {
        const inline = readInline(element);
        const label =
          inline.text.trim() === '' ? '' : labelOf(document, findElement(element, 'pPr'));
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
