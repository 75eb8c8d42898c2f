import { countCharacters } from './html-text-lengths.ts';
import type { HtmlElement } from './html-tree.ts';

/**
 * Classes and ids of elements around the content of a page, as wikis, help centres and generators of documentation name
 * them. `-` separates the words of a name.
 */
const framePatterns = [
  /^skip-?(?:to|nav|link|content)/,
  /(?:^|-)jump-link$/,
  /(?:^|-)breadcrumbs?(?:-|$)/,
  /^(?:toc|table-of-contents)$/,
  /(?:^|-)edit-?(?:section|link|page|this-page)$/,
  /(?:^|-)(?:hash-link|headerlink|anchor-link|cite-backlink)$/,
  /^(?:article-|page-|post-)?(?:votes|was-this-helpful|more-questions)$/,
  /(?:^|-)(?:relatives|related-(?:articles|posts|pages|questions)|recently-viewed)(?:-|$)/,
  /^(?:cookies?|consent|gdpr)(?:-|$)/,
  /^(?:pagination|pager|pagination-nav|share-buttons|social-share)$/,
  /^(?:page-metadata|page-section|site-sub|catlinks|printfooter|navbox|last-updated)$/,
];
/** Comments are content if there are some. Their invitation is none. */
const commentPattern = /(?:^|-)comments?$/;
const maxInvitationLength = 200;

/**
 * An element with more of the page's text than this is content, whatever its name is: a page that has only questions
 * may call them `related-questions`.
 */
const maxShare = 0.6;

/** Returns a copy of a page without the parts of its frame that their class or id names. */
export function withoutNamedFrame(root: HtmlElement): HtmlElement {
  const lengths = countCharacters(root);
  const lengthOf = (element: HtmlElement) => lengths.get(element) ?? 0;
  const maxLength = lengthOf(root) * maxShare;
  const isFrame = (element: HtmlElement) => {
    const names = namesOf(element);
    if (names.some((name) => framePatterns.some((pattern) => pattern.test(name)))) {
      return lengthOf(element) <= maxLength;
    }
    const isComments = names.some((name) => commentPattern.test(name));
    return isComments && lengthOf(element) <= Math.min(maxLength, maxInvitationLength);
  };
  const copy = (element: HtmlElement): HtmlElement => ({
    ...element,
    children: element.children
      .filter((child) => typeof child === 'string' || !isFrame(child))
      .map((child) => (typeof child === 'string' ? child : copy(child))),
  });
  return copy(root);
}

/** Returns the classes and the id in the form `edit-this-page`. */
export function namesOf({ attributes }: HtmlElement): string[] {
  return `${attributes.class ?? ''} ${attributes.id ?? ''}`
    .split(/\s+/)
    .filter((name) => name !== '')
    .map((name) =>
      name
        .replace(/([a-z])([A-Z])/g, '$1-$2')
        .replaceAll('_', '-')
        .toLowerCase(),
    );
}
