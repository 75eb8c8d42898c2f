import { formatNumber } from '../office/docx-number-format.ts';
import { writeRaised } from '../raised-text.ts';
import { controlText, hasOnlyBoxes } from './html-controls.ts';
import { createInlineText } from './html-inline-text.ts';
import { readHtmlTable, tableCaption } from './html-table.ts';
import { type HtmlElement, htmlTextOf } from './html-tree.ts';
import { isOmitted } from './html-visibility.ts';
import { isInline, visibleText } from './html-visible-text.ts';

/** A block of an HTML page, in reading order. */
export type HtmlBlock =
  | { readonly kind: 'heading'; readonly text: string; readonly level: number }
  | { readonly kind: 'paragraph' | 'code'; readonly text: string; readonly isItemPart: boolean }
  | {
      readonly kind: 'list-item';
      readonly text: string;
      /** `-`, or a number such as `3.` or `c.` */
      readonly marker: string;
      /** Number of lists that contain the list of this item. */
      readonly depth: number;
    }
  | {
      readonly kind: 'table-row';
      readonly cells: readonly string[];
      readonly isFirst: boolean;
      /** The names of the columns if each row repeats them. The row of these names contains them, too. */
      readonly names: readonly string[] | null;
    };

interface Place {
  /** Number of lists that contain the element. */
  readonly lists: number;
  readonly isInItem: boolean;
}

/** The blocks of an element: those from `start` to before `end`. */
export interface BlockRange {
  readonly element: HtmlElement;
  readonly start: number;
  readonly end: number;
}

/** Receives the ranges of the elements that match, except those inside a line of text. */
interface RangeSink {
  matches(element: HtmlElement): boolean;
  add(range: BlockRange): void;
}

/** Returns the visible blocks of the tree: headings, list items, paragraphs, code and rows of tables. */
export function readHtmlBlocks(root: HtmlElement, ranges?: RangeSink): HtmlBlock[] {
  const reader = new BlockReader(ranges);
  reader.read(root);
  return reader.blocks;
}

class BlockReader {
  readonly blocks: HtmlBlock[] = [];
  readonly #ranges: RangeSink | undefined;
  readonly #inline = createInlineText({ hasAddresses: true });
  /** Marker of the open list item, until the item gets its first text. */
  #pendingItem: { readonly marker: string; readonly depth: number } | null = null;

  constructor(ranges: RangeSink | undefined) {
    this.#ranges = ranges;
  }

  read(root: HtmlElement): void {
    const place = { lists: 0, isInItem: false };
    this.#readChildren(root, place);
    this.#flush(place);
  }

  #flush(place: Place): void {
    const text = collapseLines(writeRaised(this.#inline.take()));
    if (hasOnlyBoxes(text)) return;
    if (this.#pendingItem !== null)
      this.blocks.push({ kind: 'list-item', text, ...this.#pendingItem });
    else this.blocks.push({ kind: 'paragraph', text, isItemPart: place.isInItem });
    this.#pendingItem = null;
  }

  #readChildren({ children }: HtmlElement, place: Place): void {
    for (const child of children) {
      if (typeof child === 'string') this.#inline.add(child.replace(/\s+/g, ' '));
      else if (isOmitted(child)) this.#inline.add(controlText(child));
      else this.#readElement(child, place);
    }
  }

  #readElement(element: HtmlElement, place: Place): void {
    const { name } = element;
    if (name === 'br') this.#inline.add('\n');
    else if (isInline(element)) this.#readInline(element, place);
    else {
      this.#flush(place);
      const start = this.blocks.length;
      this.#readBlock(element, place);
      this.#flush(place);
      if (this.#ranges?.matches(element))
        this.#ranges.add({ element, start, end: this.blocks.length });
    }
  }

  #readInline(element: HtmlElement, place: Place): void {
    if (element.name === 'img') this.#inline.add(` ${element.attributes.alt ?? ''} `);
    this.#inline.start(element);
    this.#readChildren(element, place);
    this.#inline.end(element);
  }

  #readBlock(element: HtmlElement, place: Place): void {
    const { name } = element;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined) {
      const text = visibleText(element);
      this.#pendingItem = null;
      if (text !== '') this.blocks.push({ kind: 'heading', text, level: Number(level) });
    } else if (name === 'pre') {
      this.#pendingItem = null;
      const text = htmlTextOf(element).replace(/^\n/, '').trimEnd();
      if (text.trim() !== '') this.blocks.push({ kind: 'code', text, isItemPart: place.isInItem });
    } else if (name === 'ul' || name === 'ol') this.#readList(element, place);
    else if (name === 'li') this.#readItem(element, '-', place);
    else if (name === 'dt') this.#inline.add(`${visibleText(element).replace(/:$/, '')}:`);
    else if (name === 'dd') this.#readItem(element, '-', place);
    else if (name === 'table') this.#readTable(element, place);
    else this.#readChildren(element, place);
  }

  #readList(list: HtmlElement, place: Place): void {
    const isReversed = list.attributes.reversed !== undefined;
    const items = list.children.filter((child) => typeof child !== 'string' && child.name === 'li');
    const first = isReversed ? items.length : 1;
    let number = integer(list.attributes.start) ?? first;
    const inner = { lists: place.lists + 1, isInItem: place.isInItem };
    for (const child of list.children) {
      if (typeof child === 'string' || isOmitted(child)) continue;
      if (child.name !== 'li') {
        this.#readElement(child, inner);
        continue;
      }
      number = integer(child.attributes.value) ?? number;
      this.#readItem(child, list.name === 'ol' ? orderedMarker(list, child, number) : '-', inner);
      number += isReversed ? -1 : 1;
    }
  }

  #readItem(item: HtmlElement, marker: string, { lists }: Place): void {
    this.#pendingItem = { marker, depth: Math.max(0, Math.min(lists, maxListDepth) - 1) };
    const inside = { lists, isInItem: true };
    this.#readChildren(item, inside);
    this.#flush(inside);
    this.#pendingItem = null;
  }

  #readTable(table: HtmlElement, place: Place): void {
    this.#pendingItem = null;
    const caption = tableCaption(table);
    if (caption !== '') {
      this.blocks.push({ kind: 'paragraph', text: caption, isItemPart: place.isInItem });
    }
    let isFirst = true;
    const addRow = (cells: readonly string[], names: readonly string[] | null) => {
      if (cells.some((text) => text !== '')) {
        this.blocks.push({ kind: 'table-row', cells, isFirst, names });
        isFirst = false;
      }
    };
    for (const { line, cells, isLayout } of readHtmlTable(table)) {
      if (isLayout) for (const cell of cells) this.#readElement(cell, place);
      if (isLayout && cells.length > 0) isFirst = true;
      if (line?.kind === 'label') addRow([line.text], null);
      if (line?.kind !== 'row') continue;
      if (isFirst && line.names !== null) addRow(line.names, line.names);
      addRow(line.cells, line.names);
    }
  }
}

const maxListDepth = 8;

function integer(value: string | undefined): number | null {
  return value !== undefined && /^\s*[-+]?\d{1,9}/.test(value) ? Number.parseInt(value, 10) : null;
}

const numberFormats: readonly (readonly [string, RegExp, string])[] = [
  ['a', /\blower-(?:alpha|latin)\b/, 'lowerLetter'],
  ['A', /\bupper-(?:alpha|latin)\b/, 'upperLetter'],
  ['i', /\blower-roman\b/, 'lowerRoman'],
  ['I', /\bupper-roman\b/, 'upperRoman'],
];

/** Returns the number of an item as the browser shows it, such as `3.` or `c.`. */
function orderedMarker(list: HtmlElement, item: HtmlElement, number: number): string {
  const type = item.attributes.type ?? list.attributes.type ?? '';
  const style = list.attributes.style?.slice(0, 1_000).toLowerCase() ?? '';
  const found = numberFormats.find(([name, css]) => name === type || css.test(style));
  return `${formatNumber(number, found?.[2] ?? 'decimal')}.`;
}

/** Replaces white space by single spaces. Only `br` starts a new line. */
function collapseLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .join('\n')
    .trim();
}
