/** A line of recognized words, in pixels. */
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
 * Joins the rows of tables. The layout analysis may take the columns of a table for columns of text. Joins a line of a
 * block of short lines to an earlier line at the same height, unless that is running text.
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

/** The height of one of the highest words, but not of the highest of many, whose box may contain a speck. */
export function heightOf({ words }: OcrLine): number {
  const heights = words.map(({ top, bottom }) => bottom - top).sort((a, b) => a - b);
  return heights[Math.ceil((heights.length - 1) * 0.8)] ?? 0;
}

/** Most words have no descender. */
export function baselineOf({ words }: OcrLine): number {
  return median(words.map(({ bottom }) => bottom));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
