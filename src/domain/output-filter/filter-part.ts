import { createCharacterReferenceFilter } from './character-reference-filter.ts';
import { createHtmlTagFilter } from './html-tag-filter.ts';
import { createLinkFilter } from './link-filter.ts';
import { indexUrls } from './urls.ts';

/**
 * Returns a part of a text without HTML, and without addresses that none of `texts` contains. If an answer was filtered
 * and then cut, its parts must be filtered again: code without its end may become markup, and a cut address may become
 * a different address.
 */
export function filterPart(part: string, texts: readonly string[]): string {
  const references = createCharacterReferenceFilter();
  const links = createLinkFilter(indexUrls(texts));
  const tags = createHtmlTagFilter();
  const plain = references.push(part) + references.flush();
  const linked = [...links.push(plain), ...links.flush()].map(({ text }) => text).join('');
  return tags.push(linked) + tags.flush();
}
