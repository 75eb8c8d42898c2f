import { createCellGrid } from '../tables/cell-grid.ts';
import { rowBlocks } from '../tables/table-lines.ts';
import type { BlockSink } from '../text-builder.ts';
import { markedRows, type RtfRow } from './rtf-row-layout.ts';

/** Collects the rows of a table, because its columns depend on all of them. */
export interface RtfTable {
  /** Adds a row with the notes that follow it. */
  addRow(row: RtfRow, notes: readonly string[]): void;
  /** Adds the blocks of the table. Does nothing if no table is open. */
  end(): void;
}

/** Maximum length of a table row in UTF-16 units. A longer row is page layout, and its cells become paragraphs. */
const maxRowLength = 2_000;

export function createRtfTable(builder: BlockSink): RtfTable {
  let rows: RtfRow[] = [];
  let notesOfRows: (readonly string[])[] = [];
  const end = () => {
    const grid = createCellGrid();
    const blocks = rowBlocks(markedRows(rows).map((cells) => grid.addMarked(cells)));
    blocks.forEach((block, index) => {
      if (block !== null) builder.add(block.kind, block.text);
      for (const note of notesOfRows[index] ?? []) builder.add('paragraph', note);
    });
    rows = [];
    notesOfRows = [];
  };
  return {
    end,
    addRow(row, notes) {
      const isLayout = row.texts.reduce((sum, text) => sum + text.length, 0) > maxRowLength;
      if (isLayout) {
        end();
        for (const text of row.texts) builder.add('paragraph', text);
        for (const note of notes) builder.add('paragraph', note);
      } else {
        rows.push(row);
        notesOfRows.push(notes);
      }
    },
  };
}
