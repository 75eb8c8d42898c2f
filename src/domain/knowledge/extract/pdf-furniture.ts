import { type Line, lineText } from './pdf-lines.ts';

const FEWEST_REPEATS = 3;
/** Lines counted from the top and the bottom of a page. */
const EDGE_LINES = 3;

/**
 * Leaves out running headers and footers: lines at the edge of the page that repeat, but for their numbers, at the
 * same height, or that come first or last and count the pages. The first of each stays, unless it is a mere page
 * number.
 */
export function dropFurniture(pages: readonly (readonly Line[])[]): Line[][] {
  const repeats = new Map<string, number>();
  const keysByPage = pages.map((lines, page) => keysOf(lines, page));
  for (const keys of keysByPage) {
    for (const key of new Set([...keys.values()].flat())) {
      repeats.set(key, (repeats.get(key) ?? 0) + 1);
    }
  }
  const seen = new Set<string>();
  return pages.map((lines, page) =>
    lines.filter((line) => {
      const repeated = (keysByPage[page]?.get(line) ?? []).filter(
        (key) => (repeats.get(key) ?? 0) >= FEWEST_REPEATS,
      );
      if (repeated.length === 0) return true;
      const isFirst = repeated.every((key) => !seen.has(key)) && /\p{L}{2}/u.test(lineText(line));
      for (const key of repeated) seen.add(key);
      return isFirst;
    }),
  );
}

/** What the lines at the edges of a page are compared by with those of other pages. */
function keysOf(lines: readonly Line[], page: number): Map<Line, string[]> {
  const byHeight = [...lines].sort((a, b) => b.y - a.y);
  const edges = [...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)];
  const keys = new Map(edges.map((line) => [line, [placeKey(line)]]));
  for (const line of [byHeight.at(0), byHeight.at(-1)]) {
    if (line) keys.get(line)?.push(...countKeys(line, page));
  }
  return keys;
}

function placeKey(line: Line): string {
  const text = lineText(line)
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/i, '#');
  return `${Math.round(line.y / 3)} ${text}`;
}

/** The same for all pages, wherever their text ends, where the first or the last number of a line is that of the page. */
function countKeys(line: Line, page: number): string[] {
  const text = lineText(line);
  const numbers = [...text.matchAll(/\d+/g)];
  return [numbers.at(0), numbers.at(-1)].flatMap((number) => {
    if (number === undefined || number[0].length > 5) return [];
    const after = text.slice(number.index + number[0].length);
    return [`${Number(number[0]) - page} ${text.slice(0, number.index)}#${after}`];
  });
}
