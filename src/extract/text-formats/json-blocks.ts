import { addRecords } from '../records/add-records.ts';
import { personNames } from '../records/person-names.ts';
import { isPost, unwrapPost } from '../records/posts.ts';
import { addFieldText, isLong } from '../records/record-blocks.ts';
import { isPaging } from '../records/record-names.ts';
import type { BlockSink } from '../text-builder.ts';
import { flattenJson, type JsonField, jsonRow } from './json-fields.ts';

/**
 * Adds a JSON value. Each value of an object becomes a row with its path, such as `address.city: Rome`. The records of
 * an array become rows, sections or posts: see `addRecords`.
 */
export function addJson(builder: BlockSink, value: unknown): void {
  const names = personNames(value);
  const post = unwrapPost(value);
  if (isPost(post)) return addRecords(builder, { values: [post], path: '', names });
  if (isRecords(value)) return addRecords(builder, { values: value, path: '', names });
  const { fields, records } = flattenJson(value, isRecords);
  for (const field of fields) {
    if (records.length === 0 || !isPaging(field.path)) addField(builder, field);
  }
  for (const { path, value: values } of records) {
    builder.add('heading', path, { level: 1 });
    addRecords(builder, { values, path, names });
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
  if (!isLong(field)) {
    builder.add('table-row', jsonRow([field]));
    return;
  }
  if (field.path !== '') builder.add('paragraph', `${field.path}:`);
  addFieldText(builder, field, 1);
}
