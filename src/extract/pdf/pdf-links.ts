import { addressAfter, isWebAddress } from '../link-address.ts';
import type { PdfAnnotation } from './pdf-form-fields.ts';
import type { PdfCell, PdfLine } from './pdf-lines.ts';

/** A link of a page. The rectangle is in points, from the lower left corner of the page. */
interface PdfLink {
  readonly address: string;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Maximum number of links of a page whose addresses are read. */
const maxLinks = 300;

/**
 * Returns the lines of a page. Cells with links get a `linkedText` that contains the addresses. A PDF stores only the
 * rectangle of a link. So the text of the link is taken from the last line inside the rectangle, and ends with the word
 * whose end is nearest to the right side.
 */
export function addLinkAddresses(
  lines: readonly PdfLine[],
  annotations: readonly PdfAnnotation[],
): readonly PdfLine[] {
  const linked = new Map<PdfCell, PdfLink[]>();
  for (const link of joinWrappedLinks(readLinks(annotations))) {
    const cell = lastCellInside(lines, link);
    if (cell !== undefined) linked.set(cell, [...(linked.get(cell) ?? []), link]);
  }
  if (linked.size === 0) return lines;
  return lines.map((line) => ({
    ...line,
    cells: line.cells.map((cell) => withAddresses(cell, linked.get(cell) ?? [])),
  }));
}

function readLinks(annotations: readonly PdfAnnotation[]): PdfLink[] {
  return annotations
    .filter(({ subtype, url = '' }) => subtype === 'Link' && url !== '')
    .slice(0, maxLinks)
    .map(({ url: address = '', rect = [] }) => {
      const [left = 0, bottom = 0, right = 0, top = 0] = rect;
      return { address, left, bottom, right, top };
    });
}

/**
 * Returns the links without duplicates. A link that continues on the next line has several parts, and only the last
 * part is kept.
 */
function joinWrappedLinks(links: readonly PdfLink[]): PdfLink[] {
  return links.filter((link, index) => {
    const next = links[index + 1];
    if (next === undefined || next.address !== link.address) return true;
    const height = link.top - link.bottom;
    const isBelow = Math.abs(link.bottom - next.top) < height;
    const isBeside = Math.abs(link.bottom - next.bottom) < height / 2 && next.left >= link.left;
    return !isBelow && !(isBeside && next.left - link.right < height);
  });
}

function lastCellInside(lines: readonly PdfLine[], link: PdfLink): PdfCell | undefined {
  let last: PdfCell | undefined;
  for (const { y, size, cells } of lines) {
    const middle = y + size * 0.3;
    if (middle < link.bottom || middle > link.top) continue;
    for (const cell of cells) if (cell.x0 < link.right && cell.x1 > link.left) last = cell;
  }
  return last;
}

function withAddresses(cell: PdfCell, links: readonly PdfLink[]): PdfCell {
  // Inserts from right to left, so that the earlier positions stay valid.
  const places = links
    .map((link) => ({ link, end: endOfLink(cell, link.right) }))
    .sort((a, b) => b.end - a.end);
  const linkedText = places.reduce((text, { link, end }) => {
    const shown = isWebAddress(link.address) ? cell.text : text.slice(0, end);
    return text.slice(0, end) + addressAfter(shown, link.address) + text.slice(end);
  }, cell.text);
  return linkedText === cell.text ? cell : { ...cell, linkedText };
}

/**
 * Returns the index after the word of the cell whose end is nearest to `x`. Punctuation after the word is not included.
 */
function endOfLink({ text, x0, x1 }: PdfCell, x: number): number {
  const share = x1 > x0 ? (x - x0) / (x1 - x0) : 1;
  const wanted = share * widthOf(text);
  let best = { end: text.length, distance: Number.POSITIVE_INFINITY };
  let width = 0;
  let read = 0;
  for (const { index, 0: word } of text.matchAll(/\S+/g)) {
    const end = index + word.length;
    width += widthOf(text.slice(read, end));
    read = end;
    const distance = Math.abs(width - wanted);
    if (distance < best.distance) best = { end, distance };
  }
  return text.slice(0, best.end).replace(/[.,;:!?]{1,3}$/, '').length;
}

/** Returns the approximate width of a text in a common font, relative to the font size. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/[\sfijlrtI.,;:!'|()[\]/-]/.test(character)) width += 0.29;
    else width += /[mwMW@%]/.test(character) ? 0.85 : /\p{Lu}/u.test(character) ? 0.67 : 0.55;
  }
  return width;
}
