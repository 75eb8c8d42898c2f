import { cleanText } from '../clean-text.ts';
import type { HtmlBlock } from '../html/html-blocks.ts';
import { addHtmlBlock } from '../html/html-text.ts';
import type { BlockSink } from '../text-builder.ts';
import { type JsonField, jsonRow } from '../text-formats/json-fields.ts';
import { addPlainText } from '../text-formats/txt.ts';
import type { FieldText } from './field-text.ts';

/** Maximum length of a value, in UTF-16 units, that becomes part of a row. A longer value becomes a separate text. */
const maxCellLength = 400;
const maxTitleLength = 200;
const titleNames =
  /^(?:(?:article|page|post|ticket)[ _]?)?(?:title|name|question|subject|headline|heading)$/i;
const maxHeadingLevel = 6;

export function isLong({ text, blocks }: FieldText): boolean {
  return text.length > maxCellLength || blocks !== undefined;
}

export function findTitle(fields: readonly JsonField[]): JsonField | undefined {
  return fields.find(
    ({ path, text, blocks }) =>
      titleNames.test(path) && text.length <= maxTitleLength && blocks === undefined,
  );
}

/**
 * Adds a record: a heading, a row of its short values, then its long texts. If it has several long texts, the name of
 * each is its heading.
 * @param name the heading of a record without a title.
 */
export function addSection(builder: BlockSink, fields: readonly JsonField[], name: string): void {
  const title = findTitle(fields);
  const long = fields.filter(isLong);
  const short = fields.filter((field) => field !== title && !isLong(field));
  builder.add('heading', title?.text ?? name, { level: 2 });
  if (short.length > 0) builder.add('table-row', jsonRow(short));
  for (const field of long) {
    if (long.length > 1) builder.add('heading', field.path, { level: 3 });
    addFieldText(builder, field, long.length > 1 ? 3 : 2);
  }
}

/** Adds a long text. Its own headings are below `level`. */
export function addFieldText(builder: BlockSink, { text, blocks }: FieldText, level: number): void {
  if (blocks === undefined) addPlainText(builder, cleanText(text));
  else for (const block of blocks) addHtmlBlock(builder, below(block, level));
}

function below(block: HtmlBlock, level: number): HtmlBlock {
  if (block.kind !== 'heading') return block;
  return { ...block, level: Math.min(maxHeadingLevel, block.level + level) };
}
