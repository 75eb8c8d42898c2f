import { xmlElements, xmlText } from '../web/xml-elements.ts';

export interface S3ObjectList {
  readonly objects: readonly { readonly key: string; readonly etag: string }[];
  /** Token of the next page, or null if this is the last page. */
  readonly next: string | null;
}

const pageObjects = 1_000;
const maxLength = 8_192;

/**
 * Reads the response of ListObjectsV2. Returns null if the response is not a list or is incomplete. An incomplete list
 * must be refused, because objects that are not in the list count as deleted.
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
  if (contents.length !== countContents(xml)) return null;
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

/** Returns the number of start tags, including those with attributes. */
function countContents(xml: string): number {
  return xml.match(/<Contents[\s/>]/g)?.length ?? 0;
}

function firstText(xml: string, name: string): string | undefined {
  const [content] = xmlElements(xml, name, { maxElements: 1, maxLength });
  return content === undefined ? undefined : xmlText(content);
}

/** Returns the decoded key, or null if the key is not encoded correctly. */
function keyOf(text: string, isEncoded: boolean): string | null {
  if (!isEncoded) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
