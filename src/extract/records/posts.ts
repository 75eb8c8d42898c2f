import { isJsonObject } from '../../platform/is-json-object.ts';
import { readChatMarks } from './chat-marks.ts';
import { type FieldText, readFieldText } from './field-text.ts';
import { authorNames, textNames, timeNames } from './record-names.ts';
import { readRecordTime } from './record-time.ts';

/** A message, comment, ticket or article of an export: a record with a text, an author and a time. */
export interface Post {
  /** Name of the author, or '' if the record contains only an identifier without a name. */
  readonly author: string;
  readonly time: string;
  readonly body: FieldText;
  readonly bodyName: string;
  readonly authorName: string;
  readonly timeName: string;
  /** Lists of posts inside the record, such as the comments of a ticket. */
  readonly replies: readonly (readonly unknown[])[];
  /** The other fields of the record. */
  readonly rest: Readonly<Record<string, unknown>>;
}

type Names = ReadonlyMap<string, string>;
type JsonRecord = Readonly<Record<string, unknown>>;

/** Returns the post inside an object that contains nothing else, such as `{ "article": { … } }`, or the value itself. */
export function unwrapPost(value: unknown): unknown {
  const [only, ...others] = isJsonObject(value) ? Object.values(value) : [];
  return others.length === 0 && isPost(only) ? only : value;
}

/** Returns the post that a record contains, or null. */
export function readPost(record: unknown, names: Names): Post | null {
  if (!isPost(record)) return null;
  const isChat = isChatMessage(record);
  const texts = textNames.flatMap((name) => {
    const text = record[name];
    return typeof text === 'string' && text.trim() !== '' ? [{ name, text }] : [];
  });
  const read = (name: string, text: string): FieldText =>
    isChat ? { text: readChatMarks(text, names) } : readFieldText(name, text);
  const { name: bodyName, text } = texts[0] ?? { name: 'text', text: attachedText(record) };
  const body = read(bodyName, text);
  const same = texts.filter(({ name, text }) => lettersOf(read(name, text)) === lettersOf(body));
  const [authorName, timeName] = [authorPath(record) ?? '', timePath(record) ?? ''];
  const lists = Object.entries(record).filter(
    (entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].some(isPost),
  );
  const taken = new Set([bodyName, timeName, authorName.replace(/\..*/, '')]);
  for (const { name } of same) taken.add(name);
  for (const [name] of lists) taken.add(name);
  if (isChat) taken.add('subtype');
  if (texts.length === 0) for (const name of ['attachments', 'files']) taken.add(name);
  return {
    author: personName(valueAt(record, authorName), names),
    time: readRecordTime(record[timeName]) ?? '',
    body,
    bodyName,
    authorName,
    timeName,
    replies: lists.map(([, posts]) => posts),
    rest: Object.fromEntries(
      Object.entries(record).filter(
        ([name, value]) => !taken.has(name) && !isPersonId(name, value),
      ),
    ),
  };
}

/** Whether the record is a notice of a chat program, such as that a person has joined. */
export function isNotice(record: unknown): boolean {
  const subtype = isJsonObject(record) && isChatMessage(record) ? record.subtype : undefined;
  return (
    typeof subtype === 'string' &&
    /^(?:(?:channel|group)_(?:join|leave|archive)|tombstone|bot_add)$/.test(subtype)
  );
}

/** Returns the letters and digits of a text, to compare two forms of the same text. */
export function lettersOf({ text }: FieldText): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

export function isPost(record: unknown): record is JsonRecord {
  if (!isJsonObject(record)) return false;
  const hasText = textNames.some((name) => {
    const text = record[name];
    return typeof text === 'string' && text.trim() !== '';
  });
  if (!hasText && !(isChatMessage(record) && attachedText(record) !== '')) return false;
  return authorPath(record) !== null && timePath(record) !== null;
}

/** Whether the record has a time in Slack's form: seconds, usually with a fraction that makes them unique. */
export function isChatMessage({ ts }: JsonRecord): boolean {
  const isScalar = typeof ts === 'string' || typeof ts === 'number';
  return isScalar && /^\d{10}(?:\.\d{1,6})?$/.test(String(ts));
}

function authorPath(record: JsonRecord): string | null {
  return (
    authorNames.find((path) => {
      const value = valueAt(record, path);
      return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
    }) ?? null
  );
}

function timePath(record: JsonRecord): string | null {
  return timeNames.find((name) => readRecordTime(record[name]) !== null) ?? null;
}

function valueAt(record: JsonRecord, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), record);
}

/** Identifiers of people: a number, or the form of Slack. */
const personId = /^(?:\d+|[UWB][A-Z\d]{2,20}|[\da-f]{8}-[\da-f-]{27})$/;

function personName(value: unknown, names: Names): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return names.get(text) ?? (personId.test(text) ? '' : text);
}

/** Whether a field with the name of an author contains only an identifier. */
function isPersonId(name: string, value: unknown): boolean {
  const isScalar = typeof value === 'string' || typeof value === 'number';
  return isScalar && authorNames.includes(name) && personId.test(String(value));
}

/** Returns the text of the attachments and files of a chat message that has no text of its own. */
function attachedText(record: JsonRecord): string {
  const lists = [record.attachments, record.files, record.blocks];
  const texts = lists.map((list) => (Array.isArray(list) ? list.flatMap(textsOf).join('\n') : ''));
  return texts.find((text) => text !== '') ?? '';
}

function textsOf(item: unknown, depth = 0): string[] {
  if (depth > 8) return [];
  if (Array.isArray(item)) return item.flatMap((one) => textsOf(one, depth + 1));
  if (!isJsonObject(item)) return [];
  const own = [item.text, item.fallback, item.title, item.name].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  if (own !== undefined) return [own];
  return Object.values(item).flatMap((one) =>
    typeof one === 'object' ? textsOf(one, depth + 1) : [],
  );
}
