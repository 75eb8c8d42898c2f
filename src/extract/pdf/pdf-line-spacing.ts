import type { PdfLine } from './pdf-lines.ts';

/**
 * Minimum distance between the lines of a widely spaced page, as a multiple of the font size. Single spacing is 1.2.
 */
const minWideLeading = 1.8;
const maxLeading = 6;
/** Minimum share of the lines that must have this distance. Other pages have paragraphs of one line, or a table. */
const minWideShare = 0.8;
const minDistances = 4;
/** Maximum empty space at the end of a full line, as a share of the width of the page's text. */
const maxIndentShare = 0.25;

/** Spacing of a page with large distances between lines, such as a manuscript with double spacing. */
export interface WideSpacing {
  /** Median distance between lines, in points. */
  readonly leading: number;
  /** A line that ends beyond this position (in points) is full, so its paragraph may continue in the next line. */
  readonly fullLineEnd: number;
}

/** Returns the spacing of a page if nearly all of its lines have large distances. Returns null otherwise. */
export function detectWideSpacing(lines: readonly PdfLine[]): WideSpacing | null {
  const leadings: number[] = [];
  let wide = 0;
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  lines.forEach((line, index) => {
    left = Math.min(left, line.x0);
    right = Math.max(right, line.x1);
    const previous = lines[index - 1];
    if (previous === undefined || previous.cells.length > 1 || line.cells.length > 1) return;
    const leading = previous.y - line.y;
    const overlaps = line.x0 < previous.x1 && line.x1 > previous.x0;
    if (!overlaps || leading < line.size * 0.3 || leading > line.size * maxLeading) return;
    leadings.push(leading);
    if (leading > line.size * minWideLeading) wide += 1;
  });
  if (leadings.length < minDistances || wide < leadings.length * minWideShare) return null;
  const leading = leadings.sort((a, b) => a - b)[leadings.length >> 1] ?? 0;
  return { leading, fullLineEnd: right - (right - left) * maxIndentShare };
}
