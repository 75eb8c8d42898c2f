import { cleanLine } from '../clean-text.ts';
import { createCellGrid, type GridRow } from '../tables/cell-grid.ts';
import { rowBlocks } from '../tables/table-lines.ts';
import type { TextBuilder } from '../text-builder.ts';
import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';
import { cellContent, markedCells, rowsOrCells } from './docx-cells.ts';
import { type DocxDocument, isSkipped, listLabel } from './docx-document.ts';
import { type InlineContent, readInline } from './docx-inline.ts';
import { isOn } from './office-run-properties.ts';

/**
 * Maximum length of a table row in UTF-16 units. A longer row is page layout and not data, so its cells become separate
 * blocks.
 */
const maxRowLength = 2_000;
const maxBoldTitleLength = 80;
const boldTitleLevel = 6;

/**
 * Adds the paragraphs and tables of `container` to the text. Notes and text boxes are added after the block to which
 * they belong.
 */
export function addDocxBlocks(
  builder: TextBuilder,
  document: DocxDocument,
  container: XmlElement,
): void {
  for (const element of childElements(container)) {
    if (element.name === 'p') addParagraph(builder, document, element);
    else if (element.name === 'tbl') addTable(builder, document, element);
    else if (element.name === 'altChunk') addIncluded(builder, document, element);
    else if (!isSkipped(element)) addDocxBlocks(builder, document, element);
  }
}

function addIncluded(builder: TextBuilder, document: DocxDocument, chunk: XmlElement): void {
  const part = document.included.get(chunk.attributes.id ?? '');
  for (const { kind, start, end, level, isItemPart } of part?.blocks ?? []) {
    const position = { ...(level && { level }), ...(isItemPart && { isItemPart }) };
    builder.add(kind, part?.text.slice(start, end) ?? '', position);
  }
}

function addParagraph(builder: TextBuilder, document: DocxDocument, paragraph: XmlElement): void {
  const inline = readInline(paragraph, document.links);
  const properties = findElement(paragraph, 'pPr');
  const level = document.styles.headingLevel(properties);
  const label = inline.text.trim() === '' ? '' : listLabel(document, paragraph);
  if (level !== null) {
    builder.add('heading', cleanLine(`${label === '-' ? '' : label} ${inline.text}`), { level });
  } else if (label !== '') {
    builder.add('list-item', `${label} ${collapseSpaces(inline.text)}`);
  } else if (isBoldTitle(paragraph, inline.text.trim())) {
    builder.add('heading', cleanLine(inline.text), { level: boldTitleLevel });
  } else {
    builder.add('paragraph', collapseSpaces(inline.text));
  }
  addBoxesAndNotes(builder, document, inline);
}

function collapseSpaces(text: string): string {
  return text.replace(/[^\S\n]+/g, ' ').trim();
}

/** Whether a short, completely bold paragraph is a heading, although it has no heading style. */
function isBoldTitle(paragraph: XmlElement, text: string): boolean {
  if (text === '' || text.length > maxBoldTitleLength || /[.,;!\n]$|\n/.test(text)) return false;
  if (!/\p{L}{2}/u.test(text)) return false;
  const runs = childElements(paragraph, 'r').filter((run) => /\S/.test(textOf(run)));
  return runs.length > 0 && runs.every((run) => isOn(findElement(run, 'rPr', 'b')));
}

function addBoxesAndNotes(
  builder: TextBuilder,
  document: DocxDocument,
  inline: InlineContent,
): void {
  for (const box of inline.boxes) addDocxBlocks(builder, document, box);
  for (const id of inline.notes) {
    const note = document.notes.get(id);
    // Ignores the notes to which a note refers, because notes may refer to each other in a cycle.
    if (note === undefined) continue;
    addDocxBlocks(builder, { ...document, notes: new Map(), links: note.links }, note.content);
  }
}

interface DocxRow {
  readonly cells: readonly XmlElement[];
  readonly texts: readonly InlineContent[];
  /** Null if the row is page layout. */
  readonly placed: GridRow | null;
}

function addTable(builder: TextBuilder, document: DocxDocument, table: XmlElement): void {
  const rows = readRows(document, table);
  const blocks = rowBlocks(rows.flatMap(({ placed }) => placed ?? []));
  let next = 0;
  for (const { cells, texts, placed } of rows) {
    if (placed === null) {
      for (const cell of cells) addDocxBlocks(builder, document, cell);
      continue;
    }
    const block = blocks[next] ?? null;
    next += 1;
    if (block !== null) builder.add(block.kind, block.text);
    for (const text of texts) addBoxesAndNotes(builder, document, text);
  }
}

function readRows(document: DocxDocument, table: XmlElement): DocxRow[] {
  const grid = createCellGrid();
  const rows = rowsOrCells(table, 'tr').filter(
    (row) => findElement(row, 'trPr', 'del') === undefined,
  );
  return rows.map((row) => {
    const cells = rowsOrCells(row, 'tc');
    const texts = cells.map((cell) => cellContent(document, cell));
    const characters = texts.reduce((sum, cell) => sum + cell.text.length, 0);
    const isLayout = isFrame(cells) || characters > maxRowLength;
    return {
      cells,
      texts,
      placed: isLayout ? null : grid.addMarked(markedCells(row, cells, texts)),
    };
  });
}

/** Whether the row is only a frame for its content: a single cell with several blocks. */
function isFrame(cells: readonly XmlElement[]): boolean {
  const [cell, second] = cells;
  return (
    second === undefined && childElements(cell).filter(({ name }) => name !== 'tcPr').length > 1
  );
}
