import { isJsonObject } from '../../../platform/is-json-object.ts';
import type { NotionObject } from '../../../platform/notion/notion-client.ts';

/** Returns a JSON value as an object. The structure of JSON from the API is not certain. */
export function objectOf(value: unknown): NotionObject {
  return isJsonObject(value) ? value : {};
}

export function objectsOf(value: unknown): readonly NotionObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the plain text of a list of rich text elements, without markup. */
export function plainText(richText: unknown): string {
  return objectsOf(richText)
    .map(({ plain_text }) => textOf(plain_text))
    .join('');
}

/**
 * Returns the id at the end of a text, such as a link, in the format of the API. Returns null if the text does not end
 * with an id.
 */
export function notionId(text: string): string | null {
  const path = text.trim().toLowerCase().split(/[?#]/, 1)[0] ?? '';
  const match = /([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/.exec(
    path,
  );
  return match === null ? null : match.slice(1).join('-');
}
