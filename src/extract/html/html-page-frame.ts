import { consentDialogs } from './html-consent.ts';
import { namesOf } from './html-names.ts';
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
  /^(?:pagination|pager|pagination-nav|share-buttons|social-share)$/,
  /^(?:page-metadata|page-section|site-sub|catlinks|printfooter|navbox|last-updated)$/,
];
/** Comments are content. A short invitation to comment is not. */
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
  const consentOf = consentDialogs(root);
  const isFrame = (element: HtmlElement) => {
    const consent = consentOf(element);
    if (consent !== null) return consent === 'certain' || lengthOf(element) <= maxLength;
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
