import { type Line, lineText } from './pdf-lines.ts';

const FEWEST_REPEATS = 3;
/** Lines counted from the top and the bottom of a page. */
const EDGE_LINES = 3;

/**
 * Leaves out running headers and footers: lines at the edge of the page that repeat at the same height
 * but for their numbers. The first of each stays, unless it is a mere page number.
 */
export function dropFurniture(pages: readonly (readonly Line[])[]): Line[][] {
  const repeats = new Map<string, number>();
  const keysByPage = pages.map(
    (lines) => new Map(edgeLines(lines).map((line) => [line, keyOf(line)])),
  );
  for (const keys of keysByPage) {
    for (const key of new Set(keys.values())) repeats.set(key, (repeats.get(key) ?? 0) + 1);
  }
  const seen = new Set<string>();
  return pages.map((lines, index) =>
    lines.filter((line) => {
      const key = keysByPage[index]?.get(line);
      if (key === undefined || (repeats.get(key) ?? 0) < FEWEST_REPEATS) return true;
      const isFirst = !seen.has(key) && /\p{L}{2}/u.test(lineText(line));
      seen.add(key);
      return isFirst;
    }),
  );
}

function edgeLines(lines: readonly Line[]): Line[] {
  const byHeight = [...lines].sort((a, b) => b.y - a.y);
  return [...new Set([...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)])];
}

function keyOf(line: Line): string {
  const text = lineText(line)
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/i, '#');
  return `${Math.round(line.y / 3)} ${text}`;
}
