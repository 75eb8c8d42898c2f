import type { PdfLine } from './pdf-lines.ts';

/** Lines of a page at one height. */
export interface PdfLevel {
  readonly y: number;
  readonly lines: readonly PdfLine[];
}

export type PageEdge = 'TOP' | 'BOTTOM';

/** Usual values of a document. */
export interface BodyStyle {
  readonly size: number;
  readonly font: string;
  /** Median distance between the lines of a page, in points. */
  readonly leading: number;
  /** Position of the highest line of all pages, in points. */
  readonly top: number;
  /** Position of the lowest line of all pages, in points. */
  readonly bottom: number;
  /** Position at which most text starts, in points. */
  readonly left: number;
  /** Distance between the left side of all lines and their right side, in points. */
  readonly width: number;
}

/** Minimum gap between a running header and the body, as a multiple of the distance between the lines of the body. */
const minGap = 1.3;
/** Number of line distances of the body that the gap is compared with. */
const comparedDistances = 4;

/** Returns the levels of a page, from the edge to the middle. */
export function levelsFrom(edge: PageEdge, lines: readonly PdfLine[]): PdfLevel[] {
  const levels: { y: number; lines: PdfLine[] }[] = [];
  for (const line of [...lines].sort((a, b) => b.y - a.y)) {
    const level = levels.at(-1);
    if (level !== undefined && level.y - line.y < line.size * 0.5) level.lines.push(line);
    else levels.push({ y: line.y, lines: [line] });
  }
  return edge === 'TOP' ? levels : levels.reverse();
}

/** Returns the most frequent size and font of a document, and its usual distance between lines. */
export function bodyStyle(pages: readonly (readonly PdfLine[])[]): BodyStyle {
  const lines = pages.flat();
  const distances = pages.flatMap((page) => distancesOf(levelsFrom('TOP', page)));
  return {
    size: mostText(lines, (line) => Math.round(line.size * 2) / 2) ?? 10,
    font: mostText(lines, (line) => line.font) ?? '',
    leading: median(distances) ?? 0,
    top: greatest(lines, ({ y }) => y),
    bottom: -greatest(lines, ({ y }) => -y),
    left: mostText(lines, ({ x0 }) => Math.round(x0)) ?? 0,
    width: greatest(lines, ({ x1 }) => x1) + greatest(lines, ({ x0 }) => -x0),
  };
}

function greatest(lines: readonly PdfLine[], measure: (line: PdfLine) => number): number {
  return lines.reduce((most, line) => Math.max(most, measure(line)), Number.NEGATIVE_INFINITY);
}

/**
 * Whether the first `count` levels of a page are outside its body: the gap to the next level is larger than the distance
 * between the lines there. At the top, a different font or size is enough, and at the bottom a smaller size.
 */
export function isOutsideBody(
  levels: readonly PdfLevel[],
  count: number,
  edge: PageEdge,
  body: BodyStyle,
): boolean {
  const [outer, inner] = [levels[count - 1], levels[count]];
  if (outer === undefined || inner === undefined) return false;
  const near = distancesOf(levels.slice(count, count + comparedDistances + 1));
  const leading = near.length < 2 ? body.leading : (median(near) ?? body.leading);
  if (Math.abs(outer.y - inner.y) > leading * minGap) return true;
  const lines = levels.slice(0, count).flatMap((level) => level.lines);
  if (edge === 'BOTTOM') return lines.every((line) => isSmaller(line, inner, body));
  return lines.every((line) => body.top - line.y < line.size * 4 && differs(line, inner, body));
}

function isSmaller({ size }: PdfLine, { lines }: PdfLevel, body: BodyStyle): boolean {
  return [body.size, ...lines.map((line) => line.size)].every((other) => size < other * 0.93);
}

function differs(line: PdfLine, { lines }: PdfLevel, body: BodyStyle): boolean {
  return [body, ...lines].every(
    ({ size, font }) => font !== line.font || Math.abs(size - line.size) > size * 0.07,
  );
}

function distancesOf(levels: readonly PdfLevel[]): number[] {
  return levels.slice(1).map(({ y }, index) => Math.abs((levels[index]?.y ?? y) - y));
}

function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[(numbers.length - 1) >> 1];
}

function mostText<Value>(
  lines: readonly PdfLine[],
  pick: (line: PdfLine) => Value,
): Value | undefined {
  const characters = new Map<Value, number>();
  for (const line of lines) {
    const value = pick(line);
    const length = line.runs.reduce((sum, run) => sum + run.text.length, 0);
    characters.set(value, (characters.get(value) ?? 0) + length);
  }
  return [...characters].sort((a, b) => b[1] - a[1])[0]?.[0];
}
