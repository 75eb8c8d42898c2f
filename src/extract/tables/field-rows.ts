import { readFieldText } from '../records/field-text.ts';
import { addSection } from '../records/record-blocks.ts';
import type { BlockSink } from '../text-builder.ts';
import { type JsonField, jsonRow } from '../text-formats/json-fields.ts';
import type { Row } from './table-records.ts';

/**
 * Adds rows of a spreadsheet or CSV file with the names of their columns. Reads cells that are HTML. If a cell of a
 * table with a header is HTML with several blocks, each row becomes a section with a heading, such as an article of a
 * help desk.
 */
export function addFieldRows(builder: BlockSink, rows: readonly Row[], header: Row | null): void {
  const records = rows.map((row) => fieldsOf(row, header));
  const areSections = header !== null && records.some((fields) => fields.some(hasBlocks));
  for (const [index, fields] of records.entries()) {
    if (areSections) addSection(builder, fields, `Row ${index + 1}`);
    else builder.add('table-row', jsonRow(fields));
  }
}

function fieldsOf(row: Row, header: Row | null): JsonField[] {
  return row.flatMap((cell, index) => {
    const path = header?.[index] ?? '';
    const field = readFieldText(path, cell);
    return field.text === '' ? [] : [{ path, ...field }];
  });
}

function hasBlocks({ blocks }: JsonField): boolean {
  return blocks !== undefined;
}
