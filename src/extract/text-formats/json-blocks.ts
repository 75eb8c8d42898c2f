import { cleanText } from '../clean-text.ts';
import type { BlockSink } from '../text-builder.ts';
import { flattenJson, type JsonField, jsonRow } from './json-fields.ts';
import { addPlainText } from './txt.ts';

/** Maximum length of a value, in UTF-16 units, that becomes part of a row. A longer value becomes a separate text. */
const maxCellLength = 400;
const maxTitleLength = 200;
const titleNames = /^(?:title|name|question|subject|headline|heading)$/i;

/**
 * Adds a JSON value. Each value of an object becomes a row with its path, such as `address.city: Rome`. Each record of
 * an array becomes one row, such as `room: 101; price: 89`. If any record of an array contains a long text, each record
 * of this array becomes a section with a heading.
 */
export function addJson(builder: BlockSink, value: unknown): void {
  if (isRecords(value)) return addRecords(builder, value, '');
  const { fields, records } = flattenJson(value, isRecords);
  for (const field of fields) addField(builder, field);
  for (const { path, value } of records) {
    builder.add('heading', path, { level: 1 });
    addRecords(builder, value, path);
  }
}

/** Whether the value is an array that contains at least one object. */
function isRecords(value: unknown): value is readonly unknown[] {
  return (
    Array.isArray(value) &&
    value.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  );
}

function addField(builder: BlockSink, field: JsonField): void {
  if (field.text.length <= maxCellLength) builder.add('table-row', jsonRow([field]));
  else {
    if (field.path !== '') builder.add('paragraph', `${field.path}:`);
    addPlainText(builder, cleanText(field.text));
  }
}

function addRecords(builder: BlockSink, values: readonly unknown[], path: string): void {
  const records = values.map((value) => flattenJson(value).fields);
  const areSections = records.some((fields) => fields.some(isLong));
  for (const [index, fields] of records.entries()) {
    if (areSections) addSection(builder, fields, `${path}[${index}]`);
    else builder.add('table-row', jsonRow(fields));
  }
}

/**
 * Adds a record: a heading, a row of its short values, then its long texts. If it has several long texts, the name of
 * each is its heading.
 */
function addSection(builder: BlockSink, fields: readonly JsonField[], path: string): void {
  const title = fields.find(
    ({ path, text }) => titleNames.test(path) && text.length <= maxTitleLength,
  );
  const long = fields.filter(isLong);
  const short = fields.filter((field) => field !== title && !isLong(field));
  builder.add('heading', title?.text ?? path, { level: 2 });
  if (short.length > 0) builder.add('table-row', jsonRow(short));
  for (const field of long) {
    if (long.length > 1) builder.add('heading', field.path, { level: 3 });
    addPlainText(builder, cleanText(field.text));
  }
}

function isLong({ text }: JsonField): boolean {
  return text.length > maxCellLength;
}
