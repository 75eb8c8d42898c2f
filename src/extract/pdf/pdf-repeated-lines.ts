import { lineText, type PdfLine } from './pdf-lines.ts';
import { type PageCounter, pageCounters } from './pdf-page-counters.ts';
import { type BodyStyle, levelsFrom, type PageEdge } from './pdf-page-levels.ts';
import {
  compareNumbers,
  isPageNumber,
  type NumberedLine,
  type Numbering,
} from './pdf-page-numbers.ts';

/** Number of levels checked at the top and bottom of each page. */
export const edgeLevels = 5;

/** Maximum number of separate texts at the height of a running header. */
const maxLevelLines = 20;
const minRepeats = 3;
/** Minimum share of the pages between the first and last page of a running header that must have it. */
const minShare = 0.6;
/** Height of the edge in which a line without a page number must be, as a share of the height of the text. */
const edgeShare = 0.15;

/** A line at the edge of a page that other pages repeat. */
export interface RepeatedLine {
  /** Position of the page, from 0. */
  readonly page: number;
  readonly edge: PageEdge;
  readonly line: PdfLine;
  /** Equal for all lines that repeat each other. */
  readonly key: string;
  /** Missing if all numbers of the line are equal on all pages. */
  readonly counter?: PageCounter;
}

/** Returns the lines that repeat at the edge of other pages, where only the page number may differ. */
export function findRepeatedLines(
  pages: readonly (readonly PdfLine[])[],
  body: BodyStyle,
): Map<PdfLine, RepeatedLine> {
  const candidates = pages.flatMap((lines, page) => edgeLines(lines, page));
  const byPage = Map.groupBy(candidates, ({ page }) => page);
  const labels = valuesByLabel(candidates);
  const repeats = [...Map.groupBy(candidates, ({ key }) => key).values()].flatMap((group) =>
    repeatsOf(group, byPage),
  );
  const numbering: Numbering = {
    pages: pages.length,
    body,
    ...compareNumbers(repeats.filter(isNumbered)),
    texts: new Set(pages.flat().map((line) => lineText(line).toLowerCase())),
  };
  const repeated = new Map<PdfLine, RepeatedLine>();
  for (const repeat of repeats) {
    const isHeader = isNumbered(repeat)
      ? isPageNumber(repeat, numbering)
      : isAtEdge(repeat, body) && (labels.get(labelOf(repeat))?.size ?? 1) === 1;
    if (isHeader && !repeated.has(repeat.line)) repeated.set(repeat.line, repeat);
  }
  return repeated;
}

function edgeLines(lines: readonly PdfLine[], page: number): RepeatedLine[] {
  return (['TOP', 'BOTTOM'] as const).flatMap((edge) => {
    const levels = levelsFrom(edge, lines);
    const half = edge === 'TOP' ? Math.ceil(levels.length / 2) : Math.floor(levels.length / 2);
    return levels
      .slice(0, Math.min(half, edgeLevels))
      .flatMap((level) => (level.lines.length > maxLevelLines ? [] : level.lines))
      .flatMap((line) => [
        { page, edge, line, key: `${edge} ${lineText(line)}` },
        ...pageCounters(line, page).map((counter) => {
          return { page, edge, line, key: counter.key, counter };
        }),
      ]);
  });
}

/** Returns the texts of the lines with the same label, such as `Status: paid` and `Status: open`. */
function valuesByLabel(lines: readonly RepeatedLine[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const line of lines) {
    const label = labelOf(line);
    if (label === '') continue;
    const texts = values.get(label) ?? new Set();
    values.set(label, texts.add(line.key));
  }
  return values;
}

function labelOf({ counter, key }: RepeatedLine): string {
  return counter === undefined ? (/^.{1,60}?[:：](?=\s)/u.exec(key)?.[0] ?? '') : '';
}

/**
 * Returns the lines of a group if most pages between the first and the last contain one, or most of the left or right
 * pages. Returns none if another text has the same place and font on one of these pages, because then the text is a
 * value of its page.
 */
function repeatsOf(
  all: readonly RepeatedLine[],
  byPage: ReadonlyMap<number, readonly RepeatedLine[]>,
): readonly RepeatedLine[] {
  const heights = all.map(({ line }) => line.y).sort((a, b) => a - b);
  const height = heights[heights.length >> 1] ?? 0;
  const group = all.filter(
    ({ counter, line }) => counter !== undefined || Math.abs(line.y - height) <= line.size,
  );
  for (const step of [1, 2]) {
    const sides = [...Map.groupBy(group, ({ page }) => page % step).values()];
    const [side = []] = sides.sort((a, b) => b.length - a.length);
    if (isOnMostPages(side, step, byPage)) return side;
  }
  return [];
}

function isOnMostPages(
  group: readonly RepeatedLine[],
  step: number,
  byPage: ReadonlyMap<number, readonly RepeatedLine[]>,
): boolean {
  const [first, last] = [group.at(0), group.at(-1)];
  const found = new Set(group.map(({ page }) => page));
  if (first === undefined || last === undefined || found.size < minRepeats) return false;
  const missing: (readonly RepeatedLine[])[] = [];
  for (let page = first.page; page <= last.page; page += step) {
    const lines = byPage.get(page);
    if (lines !== undefined && !found.has(page)) missing.push(lines);
  }
  if (found.size < (found.size + missing.length) * minShare) return false;
  const isText = first.counter === undefined || first.counter.kind === 'TITLED';
  return !isText || !missing.flat().some((line) => isInPlaceOf(line, first));
}

function isInPlaceOf({ edge, line }: RepeatedLine, first: RepeatedLine): boolean {
  const isSameFont = line.font === first.line.font && Math.abs(line.size - first.line.size) < 0.5;
  return edge === first.edge && isSameFont && Math.abs(line.y - first.line.y) < 2;
}

function isNumbered(line: RepeatedLine): line is NumberedLine & RepeatedLine {
  return line.counter !== undefined;
}

function isAtEdge({ edge, line }: RepeatedLine, { top, bottom }: BodyStyle): boolean {
  const distance = edge === 'TOP' ? top - line.y : line.y - bottom;
  return distance <= (top - bottom) * edgeShare;
}
