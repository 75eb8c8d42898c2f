/** A row of a table: one text per column. */
export interface GridRow {
  readonly texts: readonly string[];
  /** Cells that cover several columns: maps the first column of the cell to its last column, from 0. */
  readonly spans: ReadonlyMap<number, number>;
}

/** A cell with the number of columns and rows that it covers. The cells after it move to the right. */
export interface SpanningCell {
  readonly text: string;
  /** Text for the other rows that the cell covers. */
  readonly label: string;
  readonly columns: number;
  readonly rows: number;
}

/** A cell of a format that also contains the covered cells. `coveredFrom` is the side of the covering cell. */
export interface MarkedCell {
  readonly text: string;
  readonly columns: number;
  readonly coveredFrom: 'left' | 'above' | null;
}

/** Places the cells of a table in columns, row by row. A label fills all rows that its cell covers. */
export interface CellGrid {
  /** Number of columns of the next row that cells above it cover. Only for `addSpanning`. */
  coveredColumns(): number;
  addSpanning(cells: readonly SpanningCell[]): GridRow;
  addMarked(cells: readonly MarkedCell[]): GridRow;
}

/** Maximum length of a joined cell that counts as a label. A label fills every cell that it covers. */
export const maxRepeatedCellLength = 80;
/** Maximum number of columns that joined cells fill. Other cells are never left out. */
const maxColumns = 100;
const maxSpannedRows = 1_000;

interface CellAbove {
  readonly text: string;
  readonly columns: number;
  rowsLeft: number;
}

interface OpenRow {
  readonly texts: string[];
  readonly spans: Map<number, number>;
  /** First column of the last cell that does not continue the cell to its left. */
  start: number;
}

export function createCellGrid(): CellGrid {
  const above = new Map<number, CellAbove>();
  return {
    coveredColumns: () => above.size,
    addSpanning(cells) {
      const row: OpenRow = { texts: [], spans: new Map(), start: 0 };
      for (const { text, label, columns, rows } of cells) {
        addCovered(row, above);
        const first = row.texts.length;
        const count = push(row, text, columns);
        const rowsLeft = Math.min(rows, maxSpannedRows) - 1;
        for (let at = first; rowsLeft > 0 && at < Math.min(first + count, maxColumns); at += 1) {
          const own = at === first ? { text: labelOf(label), columns: count } : emptyCell;
          above.set(at, { ...own, rowsLeft });
        }
      }
      addCovered(row, above);
      return row;
    },
    addMarked(cells) {
      const row: OpenRow = { texts: [], spans: new Map(), start: 0 };
      for (const { text, columns, coveredFrom } of cells) {
        const first = row.texts.length;
        if (coveredFrom === 'left') addLeft(row, text);
        else if (coveredFrom === 'above' && text === '') {
          push(row, above.get(first)?.text ?? '', columns);
        } else {
          const count = push(row, text, columns);
          above.set(first, { text: labelOf(text), columns: count, rowsLeft: 0 });
        }
      }
      return row;
    },
  };
}

const emptyCell = { text: '', columns: 1 };

function labelOf(text: string): string {
  return text.length <= maxRepeatedCellLength ? text : '';
}

/** Adds a cell to the row. Returns the number of columns that it gets. */
function push(row: OpenRow, text: string, columns: number): number {
  const { texts, spans } = row;
  const first = texts.length;
  row.start = first;
  const count = Math.max(1, Math.min(columns, maxColumns - first)) || 1;
  texts.push(text);
  for (let column = 1; column < count; column += 1) texts.push('');
  if (count > 1) spans.set(first, first + count - 1);
  return count;
}

/** Adds a cell that the cell to its left covers. */
function addLeft(row: OpenRow, text: string): void {
  const at = row.texts.length;
  if (at > 0) row.spans.set(row.start, at);
  row.texts.push(text);
}

/** Adds the cells that cells above the row cover, up to the next free column. */
function addCovered(row: OpenRow, above: Map<number, CellAbove>): void {
  for (let at = row.texts.length; at < maxColumns; at += 1) {
    const cell = above.get(at);
    if (cell === undefined) return;
    cell.rowsLeft -= 1;
    if (cell.rowsLeft <= 0) above.delete(at);
    row.texts.push(cell.text);
    if (cell.columns > 1) row.spans.set(at, at + cell.columns - 1);
  }
}
