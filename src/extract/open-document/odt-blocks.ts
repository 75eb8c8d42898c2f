import { cleanLine } from '../clean-text.ts';
import { rowBlocks } from '../tables/table-lines.ts';
import type { BlockSink } from '../text-builder.ts';
import { childElements, type XmlElement } from '../xml-tree.ts';
import { readOdtInline } from './odt-inline.ts';
import { listMarker, type OdtListPlace } from './odt-list-marker.ts';
import type { OdtStyles } from './odt-styles.ts';
import { odtTableRows } from './odt-table.ts';

/** Adds the headings, paragraphs, lists and tables of `container`. */
export function addOdtBlocks(builder: BlockSink, styles: OdtStyles, container: XmlElement): void {
  for (const element of childElements(container)) addBlock(builder, styles, element);
}

function addBlock(builder: BlockSink, styles: OdtStyles, element: XmlElement): void {
  switch (element.name) {
    case 'h':
      return addParagraph(
        builder,
        styles,
        element,
        Number(element.attributes['outline-level'] ?? 1),
      );
    case 'p':
      return addParagraph(
        builder,
        styles,
        element,
        styles.isTitle(element.attributes['style-name']) ? 1 : null,
      );
    case 'list':
      return addList(builder, styles, element, { style: undefined, level: 1 });
    case 'table':
      return addTable(builder, styles, element);
    default:
      // Other containers: sections, indexes, frames and text boxes.
      return addOdtBlocks(builder, styles, element);
  }
}

function addParagraph(
  builder: BlockSink,
  styles: OdtStyles,
  paragraph: XmlElement,
  level: number | null,
): void {
  const { text, blocks } = readOdtInline(paragraph, styles);
  if (level === null) builder.add('paragraph', text.replace(/[^\S\n]+/g, ' ').trim());
  else builder.add('heading', cleanLine(text), { level: Math.max(1, Math.min(6, level || 1)) });
  for (const block of blocks) addOdtBlocks(builder, styles, block);
}

/** Adds the items of a list. A nested list without its own style uses the style of the outer list. */
function addList(
  builder: BlockSink,
  styles: OdtStyles,
  list: XmlElement,
  place: OdtListPlace,
): void {
  const style = list.attributes['style-name'] ?? place.style;
  const indent = '  '.repeat(Math.min(8, place.level - 1));
  let index = 0;
  for (const item of childElements(list)) {
    let isFirst = true;
    for (const element of childElements(item)) {
      if (element.name === 'list') {
        addList(builder, styles, element, { style, level: place.level + 1 });
      } else if (element.name !== 'p' && element.name !== 'h') addBlock(builder, styles, element);
      else {
        const { text, blocks } = readOdtInline(element, styles);
        const line = cleanLine(text);
        if (element.name === 'h') addBlock(builder, styles, element);
        else if (isFirst && item.name === 'list-item' && line !== '') {
          const marker = listMarker(styles.numberFormat(style, place.level), index);
          builder.add('list-item', `${indent}${marker} ${line}`);
        } else builder.add('paragraph', line, { isItemPart: true });
        if (element.name === 'p') for (const block of blocks) addOdtBlocks(builder, styles, block);
        isFirst = false;
      }
    }
    if (item.name === 'list-item') index += 1;
  }
}

function addTable(builder: BlockSink, styles: OdtStyles, table: XmlElement): void {
  const rows = odtTableRows(table, styles);
  const blocks = rowBlocks(rows.flatMap(({ placed }) => placed ?? []));
  let next = 0;
  for (const { placed, cells } of rows) {
    if (placed === null) {
      for (const cell of cells) addOdtBlocks(builder, styles, cell);
      continue;
    }
    const block = blocks[next] ?? null;
    next += 1;
    if (block !== null) builder.add(block.kind, block.text);
  }
}
