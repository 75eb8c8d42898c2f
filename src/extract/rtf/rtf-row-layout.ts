import type { MarkedCell } from '../tables/cell-grid.ts';

/** A cell of a row definition (RTF 1.9.1, table definitions). */
export interface RtfCell {
  readonly coveredFrom: MarkedCell['coveredFrom'];
  /** Position of the right border, in twips. */
  readonly right: number;
}

/** Reads the definitions of the rows of a table. A row without its own definition has the one of the row above. */
export interface RtfRowLayout {
  /** Reads a control word. Returns whether it belongs to a row definition. */
  readWord(word: string, value: number): boolean;
  /** Returns the cells of the current row. */
  cells(): readonly RtfCell[];
}

/** Maximum number of cells of a row. Word allows 63. */
const maxCells = 1_000;

export function createRtfRowLayout(): RtfRowLayout {
  let cells: RtfCell[] = [];
  let coveredFrom: RtfCell['coveredFrom'] = null;
  return {
    cells: () => cells,
    readWord(word, value) {
      switch (word) {
        case 'trowd':
          cells = [];
          coveredFrom = null;
          return true;
        case 'clmrg':
          coveredFrom = 'left';
          return true;
        case 'clvmrg':
          coveredFrom ??= 'above';
          return true;
        case 'cellx':
          if (cells.length < maxCells) cells.push({ coveredFrom, right: value });
          coveredFrom = null;
          return true;
        default:
          return false;
      }
    },
  };
}

export interface RtfRow {
  readonly texts: readonly string[];
  readonly layout: readonly RtfCell[];
}

/** Maximum distance, in twips, of borders that are the same border. */
const tolerance = 30;

/**
 * Returns the cells of the rows of a table. Word writes a cell that covers several columns as one wide cell. Its
 * columns are those of the row with the most cells, if the borders of all rows are borders of this row.
 */
export function markedRows(rows: readonly RtfRow[]): MarkedCell[][] {
  const widest = rows.reduce<readonly RtfCell[]>(
    (most, { layout }) => (layout.length > most.length ? layout : most),
    [],
  );
  const borders = widest.map(({ right }) => right);
  const isOrdered = borders.every((border, at) => at === 0 || border > (borders[at - 1] ?? 0));
  const placed = rows.map(({ layout }) => layout.map(({ right }) => borderIndex(borders, right)));
  const isAligned = isOrdered && placed.every((row) => row.every((column) => column >= 0));
  return rows.map(({ texts, layout }, at) =>
    texts.map((text, index) => {
      const last = placed[at]?.[index] ?? index;
      const before = index === 0 ? -1 : (placed[at]?.[index - 1] ?? index - 1);
      const coveredFrom = layout[index]?.coveredFrom ?? null;
      return { text, coveredFrom, columns: isAligned ? Math.max(1, last - before) : 1 };
    }),
  );
}

/** Returns the index of a border among ascending borders, or -1. */
function borderIndex(borders: readonly number[], border: number): number {
  let [low, high] = [0, borders.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((borders[middle] ?? 0) < border - tolerance) low = middle + 1;
    else high = middle;
  }
  return Math.abs((borders[low] ?? Number.POSITIVE_INFINITY) - border) <= tolerance ? low : -1;
}
