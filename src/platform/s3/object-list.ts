import { xmlElements, xmlText } from '../web/xml-elements.ts';

export interface S3ObjectList {
  readonly objects: readonly { readonly key: string; readonly etag: string }[];
  /** Token of the next page, or null. */
  readonly next: string | null;
}

const pageObjects = 1_000;
const maxLength = 8_192;

/** Reads the answer to ListObjectsV2. Returns null if it is none. */
export function readObjectList(xml: string): S3ObjectList | null {
  if (!/<ListBucketResult[\s>]/.test(xml)) return null;
  const [head = ''] = xml.split('<Contents>', 1);
  const tail = xml.slice(xml.lastIndexOf('</Contents>') + 1);
  const readValue = (name: string) => firstText(head, name) ?? firstText(tail, name);
  const isEncoded = readValue('EncodingType') === 'url';
  const objects = xmlElements(xml, 'Contents', { maxElements: pageObjects, maxLength }).flatMap(
    (content) => {
      const key = keyOf(firstText(content, 'Key') ?? '', isEncoded);
      const etag = firstText(content, 'ETag') ?? '';
      return key === null || etag === '' ? [] : [{ key, etag }];
    },
  );
  const next = readValue('NextContinuationToken') ?? null;
  const isTruncated = readValue('IsTruncated') === 'true';
  // Without the token, the rest of the list would count as deleted.
  if (isTruncated && next === null) return null;
  return { objects, next: isTruncated ? next : null };
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
