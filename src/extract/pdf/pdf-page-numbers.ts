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
  /** Keys of lines that occur on left or on right pages only. */
  readonly alternating: ReadonlySet<string>;
  /** Lines with a title and a number, by the position and offset of the number. */
  readonly sequences: ReadonlyMap<string, NumberSequence>;
  /** Texts of all lines, in lower case. */
  readonly texts: ReadonlySet<string>;
}

interface NumberSequence {
  readonly titles: ReadonlySet<string>;
  /** Titles that share a page with another title of the sequence. */
  readonly shared: ReadonlySet<string>;
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
    if ((counter.total ?? pages) !== pages) return false;
    if (edge === 'BOTTOM' || numbering.alternating.has(counter.key)) return true;
    // The number of a room or question starts where the lines of the body start.
    return isPosition(counter) && Math.abs(line.x0 - body.left) > line.size;
  }
  if (ratio > 1.05) return false;
  // Numbers of left or right pages only grow by 2, numbers of rooms or invoices by 1.
  if (numbering.alternating.has(counter.key)) return true;
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

/** Whether the title is a line of its own in the document, or other pages continue the numbers with another title. */
function hasKnownTitle(numbered: NumberedLine, { texts, sequences }: Numbering): boolean {
  const { title } = numbered.counter;
  if (hasWords(title) && texts.has(title.toLowerCase())) return true;
  const sequence = sequences.get(sequenceOf(numbered));
  return sequence !== undefined && sequence.titles.size > 1 && !sequence.shared.has(title);
}

function sequenceOf({ edge, counter }: NumberedLine): string {
  return `${edge} ${counter.offset}`;
}

/** Returns what the numbers of a document have in common. `numbered` are lines whose number follows the page. */
export function compareNumbers(
  numbered: readonly NumberedLine[],
): Pick<Numbering, 'alternating' | 'sequences'> {
  const byKey = Map.groupBy(numbered, ({ counter }) => counter.key);
  const alternating = [...byKey].filter(
    ([, lines]) => new Set(lines.map(({ page }) => page % 2)).size === 1,
  );
  const titled = numbered.filter(({ counter }) => counter.kind === 'TITLED');
  const sequences = [...Map.groupBy(titled, sequenceOf)].map(([key, lines]) => {
    const titles = new Set(lines.map(({ counter }) => counter.title));
    const pages = [...Map.groupBy(lines, ({ page }) => page).values()];
    const shared = pages
      .map((page) => new Set(page.map(({ counter }) => counter.title)))
      .filter(({ size }) => size > 1)
      .flatMap((page) => [...page]);
    return [key, { titles, shared: new Set(shared) }] as const;
  });
  return { alternating: new Set(alternating.map(([key]) => key)), sequences: new Map(sequences) };
}
