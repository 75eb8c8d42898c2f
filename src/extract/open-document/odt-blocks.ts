import { cleanLine } from '../clean-text.ts';
import { rowBlocks } from '../tables/table-lines.ts';
import type { BlockSink } from '../text-builder.ts';
import { childElements, type XmlElement } from '../xml-tree.ts';
import { readOdtInline } from './odt-inline.ts';
import type { ListNumbers, OdtNumbers } from './odt-numbers.ts';
import type { OdtStyles } from './odt-styles.ts';
import { odtTableRows } from './odt-table.ts';

/** The styles of a document, and the numbers of its headings and lists so far. */
export interface NumberedStyles extends OdtStyles {
  readonly numbers: OdtNumbers;
}

interface ListPlace {
  /** Name of the list's style. If the list has no style, that of the list that contains it. */
  readonly style: string | undefined;
  /** Nesting level, from 1. */
  readonly level: number;
  /** The numbers of the list that contains the list, or null. */
  readonly numbers: ListNumbers | null;
}

/** Adds the headings, paragraphs, lists and tables of `container`. */
export function addOdtBlocks(
  builder: BlockSink,
  styles: NumberedStyles,
  container: XmlElement,
): void {
  for (const element of childElements(container)) addBlock(builder, styles, element);
}

function addBlock(builder: BlockSink, styles: NumberedStyles, element: XmlElement): void {
  switch (element.name) {
    case 'h':
      return addHeading(builder, styles, element, '');
    case 'p':
      return addParagraph(
        builder,
        styles,
        element,
        styles.isTitle(element.attributes['style-name']) ? 1 : null,
      );
    case 'list':
      return addList(builder, styles, element, { style: undefined, level: 1, numbers: null });
    case 'table':
      return addTable(builder, styles, element);
    default:
      // Other containers: sections, indexes, frames and text boxes.
      return addOdtBlocks(builder, styles, element);
  }
}

function addHeading(
  builder: BlockSink,
  styles: NumberedStyles,
  heading: XmlElement,
  listNumber: string,
): void {
  const level = Number(heading.attributes['outline-level'] ?? 1);
  addParagraph(builder, styles, heading, level, listNumber === '-' ? '' : listNumber);
}

function addParagraph(
  builder: BlockSink,
  styles: NumberedStyles,
  paragraph: XmlElement,
  level: number | null,
  /** Number of a heading that has none of the outline, because it is an item of a list. */
  listNumber = '',
): void {
  const { text, blocks } = readOdtInline(paragraph, styles);
  if (level === null) builder.add('paragraph', text.replace(/[^\S\n]+/g, ' ').trim());
  else if (cleanLine(text) !== '') {
    const number = styles.numbers.heading(paragraph, level || 1) || listNumber;
    builder.add('heading', cleanLine(`${number} ${text}`), {
      level: Math.max(1, Math.min(6, level || 1)),
    });
  }
  for (const block of blocks) addOdtBlocks(builder, styles, block);
}

/** Adds the items of a list. A nested list without its own style uses the style of the outer list. */
function addList(
  builder: BlockSink,
  styles: NumberedStyles,
  list: XmlElement,
  place: ListPlace,
): void {
  const style = list.attributes['style-name'] ?? place.style;
  const indent = '  '.repeat(Math.min(8, place.level - 1));
  const numbers = place.numbers ?? styles.numbers.startList(list, style);
  for (const item of childElements(list)) {
    let isFirst = true;
    for (const element of childElements(item)) {
      if (element.name === 'list') {
        addList(builder, styles, element, { style, level: place.level + 1, numbers });
      } else if (element.name !== 'p' && element.name !== 'h') addBlock(builder, styles, element);
      else {
        const { text, blocks } = readOdtInline(element, styles);
        const line = cleanLine(text);
        const marker = () => styles.numbers.item(item, style, place.level, numbers);
        if (element.name === 'h')
          addHeading(
            builder,
            styles,
            element,
            isFirst && item.name === 'list-item' ? marker() : '',
          );
        else if (isFirst && item.name === 'list-item' && line !== '') {
          builder.add('list-item', `${indent}${marker()} ${line}`);
        } else builder.add('paragraph', line, { isItemPart: true });
        if (element.name === 'p') for (const block of blocks) addOdtBlocks(builder, styles, block);
        isFirst = false;
      }
    }
  }
}

function addTable(builder: BlockSink, styles: NumberedStyles, table: XmlElement): void {
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
