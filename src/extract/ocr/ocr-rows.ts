/** A line of recognized words. Positions are in pixels. */
export interface OcrLine {
  /** Number of the block to which the layout analysis assigned the line. */
  readonly block: string;
  readonly words: readonly OcrWord[];
}

export interface OcrWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const maxCellWords = 3;
const minProseWords = 6;

/**
 * Joins the lines that are one row of a table, because the layout analysis may read the columns of a table as columns
 * of text. A line of a block with short lines is joined to an earlier line at the same height, unless the earlier line
 * is running text.
 */
export function joinTableRows(lines: readonly OcrLine[]): OcrLine[] {
  const usualWords = usualWordsByBlock(lines);
  const rows: OcrLine[] = [];
  for (const line of lines) {
    const words = usualWords.get(line.block) ?? 0;
    const index =
      words > maxCellWords
        ? -1
        : rows.findIndex(
            (row) =>
              row.block !== line.block &&
              (usualWords.get(row.block) ?? 0) < minProseWords &&
              isBeside(row, line),
          );
    const row = rows[index];
    if (row === undefined) rows.push(line);
    else rows[index] = { ...row, words: [...row.words, ...line.words] };
  }
  return rows;
}

function usualWordsByBlock(lines: readonly OcrLine[]): Map<string, number> {
  const counts = new Map<string, number[]>();
  for (const { block, words } of lines) {
    const numbers = counts.get(block) ?? [];
    numbers.push(words.length);
    counts.set(block, numbers);
  }
  return new Map([...counts].map(([block, words]) => [block, median(words)]));
}

/** Whether the lines are at the same height and do not overlap. */
function isBeside(row: OcrLine, line: OcrLine): boolean {
  const height = Math.min(heightOf(row), heightOf(line));
  if (Math.abs(baselineOf(row) - baselineOf(line)) > height * 0.4) return false;
  const [first] = line.words;
  const last = line.words.at(-1);
  if (first === undefined || last === undefined) return false;
  return row.words.every(({ left, right }) => right <= first.left || left >= last.right);
}

/**
 * Returns the height of a line, measured at one of its highest words. In a line of many words, the very highest word is
 * ignored, because its box may contain a speck.
 */
export function heightOf({ words }: OcrLine): number {
  const heights = words.map(({ top, bottom }) => bottom - top).sort((a, b) => a - b);
  return heights[Math.ceil((heights.length - 1) * 0.8)] ?? 0;
}

/** Returns the baseline of a line: the median of the lower edges, because most words have no descender. */
export function baselineOf({ words }: OcrLine): number {
  return median(words.map(({ bottom }) => bottom));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
