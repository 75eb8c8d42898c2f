import type { HtmlElement } from './html-tree.ts';
import { isOmitted } from './html-visibility.ts';

/** Minimum number of links of a menu. Fewer may be part of a text. */
const minLinks = 3;
/** Minimum share of the characters of a menu that are links. */
const minLinkShare = 0.9;
/** Maximum average length of the links of a menu. The links of a list of products or news are longer, or have numbers. */
const maxLinkLength = 25;

interface LinkCounts {
  characters: number;
  linkCharacters: number;
  links: number;
  hasNumber: boolean;
}

/**
 * Returns a copy without elements that consist of short links: menus and lists of pages that are not marked as
 * navigation.
 */
export function withoutMenus(root: HtmlElement): HtmlElement {
  const menus = new Set<HtmlElement>();
  const count = (element: HtmlElement, isLink: boolean): LinkCounts => {
    const counts = { characters: 0, linkCharacters: 0, links: 0, hasNumber: false };
    for (const child of element.children) {
      const part =
        typeof child === 'string' ? countText(child, isLink) : countElement(child, isLink);
      counts.characters += part.characters;
      counts.linkCharacters += part.linkCharacters;
      counts.links += part.links;
      counts.hasNumber ||= part.hasNumber;
    }
    return counts;
  };
  const countElement = (element: HtmlElement, isLink: boolean): LinkCounts => {
    if (isOmitted(element)) return { characters: 0, linkCharacters: 0, links: 0, hasNumber: false };
    const isOwn = element.name === 'a' && element.attributes.href !== undefined;
    const counts = count(element, isLink || isOwn);
    if (isOwn && counts.characters > 0) counts.links += 1;
    if (isMenu(counts)) menus.add(element);
    return counts;
  };
  const all = count(root, false);
  // A page that is a list of links has no other content.
  if (isMenu(all)) return root;
  const copy = (element: HtmlElement): HtmlElement => ({
    ...element,
    children: element.children
      .filter((child) => typeof child === 'string' || !menus.has(child))
      .map((child) => (typeof child === 'string' ? child : copy(child))),
  });
  return copy(root);
}

function countText(text: string, isLink: boolean): LinkCounts {
  const characters = text.replace(/\s+/g, '').length;
  const linkCharacters = isLink ? characters : 0;
  return { characters, linkCharacters, links: 0, hasNumber: /\p{N}/u.test(text) };
}

function isMenu({ characters, linkCharacters, links, hasNumber }: LinkCounts): boolean {
  if (links < minLinks || hasNumber) return false;
  return linkCharacters >= characters * minLinkShare && linkCharacters <= links * maxLinkLength;
}
