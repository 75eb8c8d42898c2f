import { isJsonObject } from '../../platform/is-json-object.ts';
import { cleanText } from '../clean-text.ts';
import { ExtractError } from '../extracted-text.ts';
import type { BlockSink } from '../text-builder.ts';
import { flattenJson, type JsonField, jsonRow } from '../text-formats/json-fields.ts';
import { addPlainText } from '../text-formats/txt.ts';
import { isNotice, lettersOf, type Post, readPost, unwrapPost } from './posts.ts';
import { addFieldText, addSection, findTitle, isLong } from './record-blocks.ts';
import { isTechnical } from './record-names.ts';
import { readRecordTime } from './record-time.ts';
import { orderThreads } from './threads.ts';

const maxNesting = 50;

export interface RecordList {
  readonly values: readonly unknown[];
  /** Path of the list in the file, such as `tickets`. With the index, it is the heading of a record without a title. */
  readonly path: string;
  /** Names of people and channels by id. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Adds the records of a list. A record with a text, an author and a time is a post: it becomes its text after its
 * author and time, without technical fields. Any other record becomes a row, or a section if any record of the list
 * contains a long text.
 */
export function addRecords(builder: BlockSink, list: RecordList): void {
  addList(builder, list, '', 0);
}

function addList(builder: BlockSink, list: RecordList, replyTo: string, nesting: number): void {
  if (nesting > maxNesting) {
    throw new ExtractError('TOO_LARGE', `The JSON has more than ${maxNesting} levels of replies.`);
  }
  const { values, path, names } = list;
  const records = orderThreads(values.map(unwrapPost)).flatMap(({ value, parent }) => {
    if (isNotice(value)) return [];
    const post = readPost(value, names);
    const fields = post === null ? fieldsOf(value) : restOf(post);
    const author = parent === null ? replyTo : (readPost(parent, names)?.author ?? '');
    return [{ value, post, fields, replyTo: author }];
  });
  const areSections = records.some(({ post, fields }) => post === null && fields.some(isLong));
  for (const [index, { post, fields, replyTo }] of records.entries()) {
    const name = `${path}[${index}]`;
    if (post !== null) {
      const isTitled = addPost(builder, { post, fields, replyTo });
      for (const values of post.replies) {
        addList(builder, { ...list, values }, isTitled ? '' : post.author, nesting + 1);
      }
    } else if (areSections) addSection(builder, fields, name);
    else builder.add('table-row', jsonRow(fields));
  }
}

function fieldsOf(value: unknown): readonly JsonField[] {
  const { fields } = flattenJson(value);
  if (!isDirectoryEntry(value)) return fields;
  return withoutTechnical(fields).filter(({ path }) => path !== 'created');
}

/** Whether the record describes a person or channel of a chat program. */
function isDirectoryEntry(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { profile, topic, purpose } = value;
  const isPerson = isJsonObject(profile) && ('real_name' in profile || 'display_name' in profile);
  return isPerson || (isJsonObject(topic) && isJsonObject(purpose));
}

/** Returns the fields of a post for its readers, except text, author and time. */
function restOf({ rest }: Post): readonly JsonField[] {
  return withoutTechnical(flattenJson(rest).fields).map((field) => ({
    ...field,
    text: /(?:_at|At|_on|date)$/.test(field.path)
      ? (readRecordTime(field.text) ?? field.text)
      : field.text,
  }));
}

/**
 * Removes technical fields, such as ids and flags. Also removes repeated values, such as a name that is also the title.
 */
function withoutTechnical(fields: readonly JsonField[]): readonly JsonField[] {
  const seen = new Set<string>();
  return fields.filter((field) => {
    if (isTechnical(field.path, field.text)) return false;
    const isRepeated = field.text.length > 3 && seen.has(field.text);
    seen.add(field.text);
    return !isRepeated;
  });
}

interface PostRecord {
  readonly post: Post;
  readonly fields: readonly JsonField[];
  /** Author of the message to which this post replies, or ''. */
  readonly replyTo: string;
}

/** Adds a post without its replies. Returns whether it has a title. */
function addPost(builder: BlockSink, { post, fields, replyTo }: PostRecord): boolean {
  const { author, time, body } = post;
  const title = findTitle(fields);
  const others = fields.filter((field) => field !== title);
  if (title !== undefined) {
    addTitledPost(builder, post, [title, ...others]);
    return true;
  }
  const isRow = others.some(({ path }) => !/[.[]/.test(path)) && !isLong(body);
  if (isRow) {
    builder.add('table-row', jsonRow([...bylineOf(post), bodyField(post), ...others]));
    return false;
  }
  const byline = [author, time, replyTo && `in reply to ${replyTo}`].filter(Boolean).join(', ');
  addBody(builder, post, byline);
  if (others.length > 0) builder.add('table-row', jsonRow(others));
  return false;
}

/** Adds a ticket or article as a section. The comments of a ticket often repeat its text, which is then left out. */
function addTitledPost(builder: BlockSink, post: Post, fields: readonly JsonField[]): void {
  const letters = lettersOf(post.body);
  const isRepeated = post.replies.some((replies) =>
    replies.some((reply) => {
      const body = readPost(reply, new Map())?.body;
      return body !== undefined && lettersOf(body) === letters;
    }),
  );
  const long = fields.filter(isLong);
  const short = fields.filter((field) => !isLong(field));
  addSection(builder, [...short, ...(isRepeated ? [] : bylineOf(post))], '');
  if (!isRepeated) addFieldText(builder, post.body, 2);
  for (const field of long) {
    builder.add('heading', field.path, { level: 3 });
    addFieldText(builder, field, 3);
  }
}

function bylineOf({ author, authorName, time, timeName }: Post): JsonField[] {
  const name = (authorName.split('.')[0] ?? '').replace(/_(?:id|profile)$/, '');
  const fields = [
    { path: name, text: author },
    { path: timeName, text: time },
  ];
  return fields.filter(({ text }) => text !== '');
}

function bodyField({ body, bodyName }: Post): JsonField {
  return { path: bodyName, ...body };
}

/** Adds the text of a post after its author and time. */
function addBody(builder: BlockSink, { body }: Post, byline: string): void {
  const [first, ...blocks] = body.blocks ?? [];
  if (body.blocks === undefined) {
    addPlainText(builder, cleanText(byline === '' ? body.text : `${byline}: ${body.text.trim()}`));
  } else if (first?.kind === 'paragraph' && byline !== '') {
    addPlainText(builder, cleanText(`${byline}: ${first.text}`));
    addFieldText(builder, { text: '', blocks }, 2);
  } else {
    if (byline !== '') builder.add('paragraph', `${byline}:`);
    addFieldText(builder, body, 2);
  }
}
