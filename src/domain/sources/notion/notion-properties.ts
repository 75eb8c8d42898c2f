import type { NotionObject } from '../../../platform/notion/notion-client.ts';
import { escapeInline } from '../../../text/escape-markdown.ts';
import type { DocumentMetadata, MetadataValue } from '../../knowledge/document-details.ts';
import { objectOf, objectsOf, plainText, textOf } from './notion-values.ts';

const maxKeys = 50;
const maxKeyLength = 64;
const maxTextLength = 1_000;
const maxItems = 100;
/** Maximum length as JSON. Lower than the limit for a document's metadata. */
const maxJsonLength = 60_000;

/** Returns the values of a database row. The keys are the names of the properties. Omits the title and empty values. */
export function propertyValues(properties: unknown): Map<string, MetadataValue> {
  const values = new Map<string, MetadataValue>();
  for (const [name, property] of Object.entries(objectOf(properties))) {
    const value = readValue(objectOf(property));
    if (value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)) {
      values.set(name, value);
    }
  }
  return values;
}

export function propertiesToMarkdown(values: ReadonlyMap<string, MetadataValue>): string {
  return [...values]
    .map(([name, value]) => `- ${inline(name)}: ${inline(displayText(value))}`)
    .join('\n');
}

/**
 * Converts the values to metadata. Converts the names of properties to keys with only letters, digits, dots, hyphens
 * and underscores.
 */
export function propertiesToMetadata(values: ReadonlyMap<string, MetadataValue>): DocumentMetadata {
  const metadata: DocumentMetadata = {};
  let jsonLength = 2;
  for (const [name, value] of values) {
    const key = metadataKey(name);
    if (key === '' || Object.hasOwn(metadata, key)) continue;
    const storable = storableValue(value);
    jsonLength += JSON.stringify({ [key]: storable }).length;
    if (Object.keys(metadata).length >= maxKeys || jsonLength > maxJsonLength) break;
    metadata[key] = storable;
  }
  return metadata;
}

function readValue(property: NotionObject): MetadataValue | null {
  const type = textOf(property.type);
  const value = property[type];
  switch (type) {
    case 'rich_text':
      return plainText(value);
    case 'number':
    case 'checkbox':
    case 'url':
    case 'email':
    case 'phone_number':
    case 'created_time':
    case 'last_edited_time':
    case 'string':
    case 'boolean':
      return scalarOf(value);
    case 'select':
    case 'status':
    case 'created_by':
    case 'last_edited_by':
      return textOf(objectOf(value).name);
    case 'multi_select':
    case 'people':
    case 'files':
      return objectsOf(value).flatMap(({ name }) => textOf(name) || []);
    case 'date': {
      const { start, end } = objectOf(value);
      return [textOf(start), textOf(end)].filter(Boolean).join('/');
    }
    case 'unique_id': {
      const { prefix, number } = objectOf(value);
      return [textOf(prefix), String(scalarOf(number) ?? '')].filter(Boolean).join('-');
    }
    case 'formula':
    case 'rollup':
      return readValue(objectOf(value));
    case 'array':
      return objectsOf(value).flatMap((item) => {
        const inner = item.type === 'title' ? plainText(item.title) : readValue(item);
        return inner === null ? [] : displayText(inner) || [];
      });
    default:
      return null;
  }
}

function scalarOf(value: unknown): string | number | boolean | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

function displayText(value: MetadataValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function inline(text: string): string {
  return escapeInline(text.replace(/\s+/g, ' ').trim());
}

function metadataKey(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '');
  return ascii
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, maxKeyLength)
    .replace(/_$/, '');
}

function storableValue(value: MetadataValue): MetadataValue {
  if (typeof value === 'string') return storableText(value);
  return Array.isArray(value) ? value.slice(0, maxItems).map(storableText) : value;
}

function storableText(text: string): string {
  const clean = text.replaceAll('\0', '').normalize('NFC').slice(0, maxTextLength);
  return clean.toWellFormed();
}
