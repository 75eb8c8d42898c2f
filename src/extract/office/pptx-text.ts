import { cleanLine } from '../clean-text.ts';
import { linkText } from '../link-address.ts';
import { markRaised } from '../raised-text.ts';
import { createCellGrid } from '../tables/cell-grid.ts';
import { rowBlocks } from '../tables/table-lines.ts';
import type { BlockSink } from '../text-builder.ts';
import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';
import { formatNumber } from './docx-number-format.ts';
import { relationshipId } from './office-package.ts';
import type { Shape } from './pptx-shapes.ts';

/** External addresses to which links of a slide lead, by the id of the relationship. */
type SlideLinks = ReadonlyMap<string, string>;

const noLinks: SlideLinks = new Map();

/** Returns the title of a slide on one line, without the addresses of links. */
export function titleText({ content }: Shape): string {
  const paragraphs = childElements(content, 'p').map((p) => paragraphText(p, noLinks));
  return cleanLine(paragraphs.join(' '));
}

/** Adds the paragraphs, list items or table rows of a shape. */
export function addShapeText(
  sink: BlockSink,
  { placeholder, content }: Shape,
  links: SlideLinks,
): void {
  if (content.name === 'tbl') return addTable(sink, content, links);
  const paragraphs = childElements(content, 'p').filter((p) =>
    /\S/.test(paragraphText(p, noLinks)),
  );
  const isOutline = placeholder === 'body' || placeholder === 'obj';
  const numbers: number[] = [];
  for (const paragraph of paragraphs) {
    const text = paragraphText(paragraph, links);
    const properties = findElement(paragraph, 'pPr');
    const level = outlineLevel(properties?.attributes.lvl);
    const marker = markerOf(properties, numbers, level, isOutline && paragraphs.length > 1);
    if (marker === '') sink.add('paragraph', text.trim());
    else sink.add('list-item', `${'  '.repeat(level)}${marker} ${cleanLine(text)}`);
  }
}

function outlineLevel(lvl = '0'): number {
  return Math.trunc(Math.max(0, Math.min(8, Number(lvl) || 0)));
}

/**
 * Returns the bullet or number of a paragraph, or ''. Paragraphs of an outline inherit bullets from the slide layout.
 */
function markerOf(
  properties: XmlElement | undefined,
  numbers: number[],
  level: number,
  inheritsBullet: boolean,
): string {
  const has = (name: string) => findElement(properties, name) !== undefined;
  const number = findElement(properties, 'buAutoNum');
  numbers.length = level + 1;
  if (number === undefined) {
    numbers[level] = 0;
    return !has('buNone') && (has('buChar') || has('buBlip') || inheritsBullet) ? '-' : '';
  }
  const next = numbers[level] || (Math.trunc(Number(number.attributes.startAt ?? 1)) || 1) - 1;
  numbers[level] = next + 1;
  return numberText(next + 1, number.attributes.type);
}

/** Formats a number in a format of bullets (ECMA-376 part 1, 20.1.10.61), such as `alphaLcParenR`: `c)`. */
function numberText(value: number, type = 'arabicPeriod'): string {
  const format = /^alpha/.test(type) ? 'Letter' : /^roman/.test(type) ? 'Roman' : null;
  const letterCase = /^(?:alpha|roman)Uc/.test(type) ? 'upper' : 'lower';
  const text = formatNumber(value, format === null ? 'decimal' : `${letterCase}${format}`);
  if (type.endsWith('ParenBoth')) return `(${text})`;
  return `${text}${type.endsWith('ParenR') ? ')' : '.'}`;
}

/**
 * Returns the text of a paragraph with its line breaks and the addresses of its links. Omits struck text, the slide
 * number and the date.
 */
function paragraphText(paragraph: XmlElement, links: SlideLinks): string {
  let text = '';
  /** The link whose text runs are being collected. */
  let open = { target: '', text: '' };
  for (const child of childElements(paragraph)) {
    const link = findElement(child, 'rPr', 'hlinkClick');
    const target = link === undefined ? '' : (links.get(relationshipId(link)) ?? '');
    if (target !== open.target) {
      text += linkText(open.text, open.target);
      open = { target, text: '' };
    }
    open.text += childText(child);
  }
  return text + linkText(open.text, open.target);
}

function childText(child: XmlElement): string {
  if (child.name === 'br') return '\n';
  if (child.name === 'pPr' || child.name === 'endParaRPr') return '';
  const isVariable = /^(?:slidenum|datetime)/.test(child.attributes.type ?? '');
  if (child.name === 'fld' && isVariable) return '';
  return child.name === 'AlternateContent'
    ? textOf(childElements(child)[0] ?? child)
    : runText(child);
}

/** Returns the text of a run (ECMA-376 part 1, 21.1.2.3.9), or '' if it is struck. */
function runText(run: XmlElement): string {
  const { strike = 'noStrike', baseline = '0' } = findElement(run, 'rPr')?.attributes ?? {};
  if (strike !== 'noStrike') return '';
  return Number.parseFloat(baseline) > 0 ? markRaised(textOf(run)) : textOf(run);
}

/** Adds the rows of a table. The label of a joined cell fills every cell that it covers. */
function addTable(sink: BlockSink, table: XmlElement, links: SlideLinks): void {
  const grid = createCellGrid();
  const rows = childElements(table, 'tr').map((row) =>
    grid.addMarked(
      childElements(row, 'tc').map((cell) => {
        const { vMerge = '0', hMerge = '0' } = cell.attributes;
        const paragraphs = childElements(findElement(cell, 'txBody'), 'p');
        const text = cleanLine(paragraphs.map((p) => paragraphText(p, links)).join(' '));
        const coveredFrom = isTrue(hMerge) ? 'left' : isTrue(vMerge) ? 'above' : null;
        return { text: coveredFrom === null ? text : '', columns: 1, coveredFrom };
      }),
    ),
  );
  for (const block of rowBlocks(rows)) if (block !== null) sink.add(block.kind, block.text);
}

function isTrue(value: string): boolean {
  return value === '1' || value === 'true';
}
