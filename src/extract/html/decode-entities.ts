import { stripTags } from './html-text.ts';

const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi;
/** An ampersand that starts no entity. It shows that the text is not encoded. */
const bareAmpersand = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});)/i;
/** An entity in quotation marks is the subject of the text. */
const quotedEntity = /["'`“‘]&[#\w]{1,32};["'`”’]/;
const maxCached = 1_000;
const cache = new Map<string, string>();

/** Whether a text without a format is certainly encoded for HTML: each ampersand starts an entity, and no tag starts. */
export function isEncoded(text: string): boolean {
  if (!text.includes('&') || text.includes('<')) return false;
  return !bareAmpersand.test(text) && !quotedEntity.test(text);
}

/** Replaces the entities of HTML by their characters, once. Unknown entities stay. */
export function decodeEntities(text: string): string {
  return text.replace(entity, (written) => {
    const known = cache.get(written);
    if (known !== undefined) return known;
    const character = stripTags(written);
    if (cache.size < maxCached) cache.set(written, character);
    return character;
  });
}
