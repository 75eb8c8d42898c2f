import { lineText, type PdfLine } from './pdf-lines.ts';
import {
  type BodyStyle,
  bodyStyle,
  isOutsideBody,
  levelsFrom,
  type PageEdge,
} from './pdf-page-levels.ts';
import { isPosition } from './pdf-page-numbers.ts';
import { edgeLevels, findRepeatedLines, type RepeatedLine } from './pdf-repeated-lines.ts';

export interface PagesWithoutHeaders {
  readonly pages: PdfLine[][];
  /** Removed headers and footers, without the page numbers of a document that counts its own pages. */
  readonly removed: readonly RemovedText[];
}

export interface RemovedText {
  /** The text on the first of the pages. */
  readonly text: string;
  /** Positions of the pages, from 0. */
  readonly pages: number[];
}

/**
 * Removes running headers and footers from all pages, except their first occurrence. A running header or footer is
 * outside the body of the page and has the same text on most pages of a document, of its left or right pages, or of a
 * chapter. Only a number that counts the pages may differ. Page numbers without other words are removed from all pages.
 */
export function removeRunningHeaders(pages: readonly (readonly PdfLine[])[]): PagesWithoutHeaders {
  const body = bodyStyle(pages);
  const repeated = findRepeatedLines(pages, body);
  const seen = new Set<string>();
  const removed = new Map<string, RemovedText>();
  const kept = pages.map((lines) => {
    const outside = new Set([
      ...outsideLines(lines, 'TOP', repeated, body),
      ...outsideLines(lines, 'BOTTOM', repeated, body),
    ]);
    const headers = lines.flatMap((line) => repeated.get(line) ?? []);
    const dropped = headers.filter(
      (header) => outside.has(header.line) && (seen.has(header.key) || isOnlyNumber(header)),
    );
    for (const { key } of headers) seen.add(key);
    // Running headers can be the only text of a page, such as the title above a picture.
    if (dropped.length === lines.length) return [...lines];
    for (const header of dropped) addRemoved(removed, header);
    const droppedLines = new Set(dropped.map(({ line }) => line));
    return lines.filter((line) => !droppedLines.has(line));
  });
  return { pages: kept, removed: [...removed.values()] };
}

/** Returns the repeated lines at an edge of the page, if they are outside the body. */
function outsideLines(
  lines: readonly PdfLine[],
  edge: PageEdge,
  repeated: ReadonlyMap<PdfLine, RepeatedLine>,
  body: BodyStyle,
): PdfLine[] {
  const levels = levelsFrom(edge, lines);
  const others = levels.findIndex((level) =>
    level.lines.some((line) => repeated.get(line)?.edge !== edge),
  );
  const count = Math.min(edgeLevels, others === -1 ? levels.length : others);
  for (let outer = count; outer > 0; outer -= 1) {
    if (isOutsideBody(levels, outer, edge, body))
      return levels.slice(0, outer).flatMap((level) => level.lines);
  }
  return [];
}

function isOnlyNumber({ counter }: RepeatedLine): boolean {
  return counter !== undefined && !/[\p{L}\p{N}]/u.test(counter.title);
}

function addRemoved(removed: Map<string, RemovedText>, header: RepeatedLine): void {
  const { counter, key, line, page } = header;
  if (counter !== undefined && isOnlyNumber(header) && isPosition(counter)) return;
  const entry = removed.get(key);
  if (entry === undefined) removed.set(key, { text: lineText(line), pages: [page] });
  else entry.pages.push(page);
}
