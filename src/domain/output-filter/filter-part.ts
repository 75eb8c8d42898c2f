import { createCharacterReferenceFilter } from './character-reference-filter.ts';
import { createHtmlTagFilter } from './html-tag-filter.ts';
import { createLinkFilter } from './link-filter.ts';
import { indexUrls } from './urls.ts';

/**
 * Returns a part of a text without HTML, and without addresses that none of `texts` contains. A part of a filtered
 * answer must be filtered again: code whose end is cut off may be markup, and the rest of an address another address.
 */
export function filterPart(part: string, texts: readonly string[]): string {
  const references = createCharacterReferenceFilter();
  const links = createLinkFilter(indexUrls(texts));
  const tags = createHtmlTagFilter();
  const plain = references.push(part) + references.flush();
  const linked = [...links.push(plain), ...links.flush()].map(({ text }) => text).join('');
  return tags.push(linked) + tags.flush();
}
