import type { HtmlElement } from './html-tree.ts';
import { isOmitted } from './html-visibility.ts';

/**
 * Returns the number of visible characters in each element, without white space. Takes linear time, unlike reading the
 * text of each of many nested elements.
 */
export function countCharacters(root: HtmlElement): ReadonlyMap<HtmlElement, number> {
  const lengths = new Map<HtmlElement, number>();
  const count = (element: HtmlElement): number => {
    let length = 0;
    for (const child of element.children) {
      if (typeof child === 'string') length += child.replace(/\s+/g, '').length;
      else {
        const own = count(child);
        if (!isOmitted(child)) length += own;
      }
    }
    lengths.set(element, length);
    return length;
  };
  count(root);
  return lengths;
}
