import type { PdfLine } from './pdf-lines.ts';
import type { PageCounter } from './pdf-page-counters.ts';
import type { BodyStyle, PageEdge } from './pdf-page-levels.ts';

/** A number that follows the page on several pages, with the position of one of these pages. */
export interface NumberedLine {
  readonly page: number;
  readonly edge: PageEdge;
  readonly line: PdfLine;
  readonly counter: PageCounter;
}

export interface Numbering {
  /** Number of pages of the document. */
  readonly pages: number;
  readonly body: BodyStyle;
  readonly numbered: readonly NumberedLine[];
  /** Texts of all lines, in lower case. */
  readonly texts: ReadonlySet<string>;
}

/** Maximum size of a page number, as a multiple of the size of the body. A larger number is a heading. */
const maxSize = 1.2;
const maxSizeWithWord = 1.5;
/** Minimum width of a line with a title at one side and a number at the other, as a share of the page's text. */
const minSpread = 0.8;

/**
 * Whether a number that follows the page is the number of the page. Numbers of rooms, invoices or steps also follow it
 * if each has a page of its own, so a number with a title needs further signs.
 */
export function isPageNumber(numbered: NumberedLine, numbering: Numbering): boolean {
  const { counter, line, edge } = numbered;
  const { body, pages } = numbering;
  const ratio = line.size / body.size;
  if (counter.kind === 'PAGE_WORD') return ratio <= maxSizeWithWord;
  if (ratio > maxSize) return false;
  if (counter.kind === 'BARE') {
    return edge === 'BOTTOM' || (isPosition(counter) && (counter.total ?? pages) === pages);
  }
  if (ratio > 1.05) return false;
  if (alternates(numbered, numbering)) return true;
  const { separation, title } = counter;
  const isSpread = line.x1 - line.x0 > body.width * minSpread;
  // At the top, in the size of the body, `Room 3` looks like a running header.
  const isAside = edge === 'BOTTOM' || ratio < 0.95;
  if (!isAside) return isSpread && separation === 'GAP' && hasKnownTitle(numbered, numbering);
  if (separation === 'RULE' && hasWords(title)) return true;
  if (!isPosition(counter)) return false;
  if (separation === 'GAP') return isSpread;
  return separation !== 'NONE' || hasKnownTitle(numbered, numbering);
}

function hasWords(title: string): boolean {
  return /\p{L} (?:\P{L}* )?\p{L}/u.test(title);
}

/**
 * Whether the number is at most the position of its page. The first pages often have no number. Larger numbers occur in
 * a part of a publication only.
 */
export function isPosition({ offset }: PageCounter): boolean {
  return offset <= 0;
}

/**
 * Whether the line occurs on left or on right pages only, so that its numbers grow by 2. Numbers of contents grow by 1.
 */
function alternates({ page, counter }: NumberedLine, { numbered }: Numbering): boolean {
  return numbered.every(
    (other) => other.counter.key !== counter.key || (other.page - page) % 2 === 0,
  );
}

/** Whether the title is a line of its own in the document, or other pages continue the numbers with another title. */
function hasKnownTitle(numbered: NumberedLine, numbering: Numbering): boolean {
  const { title } = numbered.counter;
  if (hasWords(title) && numbering.texts.has(title.toLowerCase())) return true;
  const sequence = sameSequence(numbered, numbering);
  const pages = new Set(
    sequence.filter(({ counter }) => counter.title === title).map(({ page }) => page),
  );
  const others = sequence.filter(({ counter }) => counter.title !== title);
  return others.length > 0 && others.every(({ page }) => !pages.has(page));
}

function sameSequence({ edge, counter }: NumberedLine, { numbered }: Numbering): NumberedLine[] {
  return numbered.filter(
    (other) =>
      other.edge === edge &&
      other.counter.kind === 'TITLED' &&
      other.counter.offset === counter.offset,
  );
}
