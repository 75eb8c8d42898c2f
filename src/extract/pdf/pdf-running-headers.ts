import { lineText, type PdfLine } from './pdf-lines.ts';

const minRepeats = 3;
/** Number of lines checked at the top and bottom of each page. */
const edgeLines = 3;

/**
 * Removes running headers and footers from all pages. A running header or footer is a line near the top or bottom of
 * the page that repeats at the same height with the same text except numbers. It is also a first or last line that
 * contains the page number. Keeps the first occurrence, unless it is only a page number.
 */
export function removeRunningHeaders(pages: readonly (readonly PdfLine[])[]): PdfLine[][] {
  const repeats = new Map<string, number>();
  const keysByPage = pages.map((lines, page) => edgeLineKeys(lines, page));
  for (const keys of keysByPage) {
    for (const key of new Set([...keys.values()].flat())) {
      repeats.set(key, (repeats.get(key) ?? 0) + 1);
    }
  }
  const seen = new Set<string>();
  return pages.map((lines, page) =>
    lines.filter((line) => {
      const repeated = (keysByPage[page]?.get(line) ?? []).filter(
        (key) => (repeats.get(key) ?? 0) >= minRepeats,
      );
      if (repeated.length === 0) return true;
      const isFirst = repeated.every((key) => !seen.has(key)) && /\p{L}{2}/u.test(lineText(line));
      for (const key of repeated) seen.add(key);
      return isFirst;
    }),
  );
}

/**
 * Returns the lines near the top and bottom of a page, each with its keys. Lines of different pages match if they have
 * a key in common.
 */
function edgeLineKeys(lines: readonly PdfLine[], page: number): Map<PdfLine, string[]> {
  const byHeight = [...lines].sort((a, b) => b.y - a.y);
  const edges = [...byHeight.slice(0, edgeLines), ...byHeight.slice(-edgeLines)];
  const keys = new Map(edges.map((line) => [line, [positionKey(line)]]));
  for (const line of [byHeight.at(0), byHeight.at(-1)]) {
    if (line) keys.get(line)?.push(...pageNumberKeys(line, page));
  }
  return keys;
}

function positionKey(line: PdfLine): string {
  const text = lineText(line)
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/i, '#');
  return `${Math.round(line.y / 3)} ${text}`;
}

/**
 * Returns one key for the first number of the line and one for the last number. If a number is the page number, its key
 * is the same on all pages.
 */
function pageNumberKeys(line: PdfLine, page: number): string[] {
  const text = lineText(line);
  const numbers = [...text.matchAll(/\d+/g)];
  return [numbers.at(0), numbers.at(-1)].flatMap((number) => {
    if (number === undefined || number[0].length > 5) return [];
    const after = text.slice(number.index + number[0].length);
    return [`${Number(number[0]) - page} ${text.slice(0, number.index)}#${after}`];
  });
}
