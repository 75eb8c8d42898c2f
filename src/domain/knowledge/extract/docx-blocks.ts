import { cleanLine } from './clean-text.ts';
import { cellContent, mergeCells, partsOf } from './docx-cells.ts';
import { type DocxDocument, isSkipped, labelOf } from './docx-document.ts';
import { type InlineContent, readInline } from './docx-inline.ts';
import type { TextBuilder } from './text-builder.ts';
import { childElements, findElement, textOf, type XmlElement } from './xml-tree.ts';

/** A row longer than this is a page laid out as a table: its cells are read one after the other. */
const LONGEST_ROW = 2_000;
const LONGEST_BOLD_TITLE = 80;
const BOLD_TITLE_LEVEL = 6;

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

function addParagraph(builder: TextBuilder, document: DocxDocument, paragraph: XmlElement): void {
  const inline = readInline(paragraph);
  const properties = findElement(paragraph, 'pPr');
  const level = document.styles.headingLevel(properties);
  const label = inline.text.trim() === '' ? '' : labelOf(document, paragraph);
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
