import { xmlElements, xmlText } from '../web/xml-elements.ts';

export interface S3ObjectList {
  readonly objects: readonly { readonly key: string; readonly etag: string }[];
  /** Token of the next page, or null. */
  readonly next: string | null;
}

const pageObjects = 1_000;
const maxLength = 8_192;

/**
 * Reads the answer to ListObjectsV2. Returns null if it is none, or not complete to the last object: what the list lacks
 * would count as deleted.
 */
export function readObjectList(xml: string): S3ObjectList | null {
  if (!/<ListBucketResult[\s>]/.test(xml) || !xml.trimEnd().endsWith('</ListBucketResult>')) {
    return null;
  }
  const [head = ''] = xml.split('<Contents>', 1);
  const tail = xml.slice(xml.lastIndexOf('</Contents>') + 1);
  const readValue = (name: string) => firstText(head, name) ?? firstText(tail, name);
  const isEncoded = readValue('EncodingType') === 'url';
  const contents = xmlElements(xml, 'Contents', { maxElements: pageObjects, maxLength });
  if (contents.length !== countTags(xml, 'Contents')) return null;
  const objects: { key: string; etag: string }[] = [];
  for (const content of contents) {
    const key = keyOf(firstText(content, 'Key') ?? '', isEncoded);
    const etag = firstText(content, 'ETag') ?? '';
    if (key === null || key === '' || etag === '') return null;
    objects.push({ key, etag });
  }
  const isTruncated = readValue('IsTruncated');
  const next = readValue('NextContinuationToken') ?? '';
  if (isTruncated === 'false') return { objects, next: null };
  return isTruncated === 'true' && next !== '' ? { objects, next } : null;
}

/** Number of start tags, also of those with attributes. */
function countTags(xml: string, name: string): number {
  return xml.match(new RegExp(`<${name}[\\s/>]`, 'g'))?.length ?? 0;
}

function firstText(xml: string, name: string): string | undefined {
  const [content] = xmlElements(xml, name, { maxElements: 1, maxLength });
  return content === undefined ? undefined : xmlText(content);
}

/** Null for a key that is not encoded correctly. */
function keyOf(text: string, isEncoded: boolean): string | null {
  if (!isEncoded) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
