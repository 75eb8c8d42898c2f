import { addressAfter, isWebAddress } from '../link-address.ts';
import { raisedEnd, raisedStart } from '../raised-text.ts';
import type { HtmlElement } from './html-tree.ts';

/**
 * Collects the text of inline elements. Marks superscripts, and adds the address of each link after the text of the
 * link.
 */
export interface HtmlInlineText {
  add(text: string): void;
  /** Call before and after the content of an inline element. */
  start(element: HtmlElement): void;
  end(element: HtmlElement): void;
  /** Returns the text since the last call. */
  take(): string;
}

/**
 * Maximum number of web addresses per paragraph or cell. More addresses, as in a list of related pages, would fill the
 * text.
 */
const maxWebAddresses = 3;

/** @param options.hasAddresses if false, the addresses of links are left out. */
export function createInlineText({ hasAddresses }: { hasAddresses: boolean }): HtmlInlineText {
  let parts: string[] = [];
  let webAddresses = 0;
  /** For each open element, the number of parts that were collected before it. */
  let starts: number[] = [];
  /** Number of parts that were collected up to the end of the last link. */
  let linkEnd = 0;

  const address = (text: string, target: string): string => {
    const isWeb = isWebAddress(target);
    if (isWeb && webAddresses >= maxWebAddresses) return '';
    const added = addressAfter(text, target);
    if (isWeb && added !== '') webAddresses += 1;
    return added;
  };
  return {
    add: (text) => void parts.push(text),
    start({ name }) {
      starts.push(parts.length);
      if (name === 'sup') parts.push(raisedStart);
    },
    end({ name, attributes: { href = '' } }) {
      const start = starts.pop() ?? 0;
      if (name === 'sup') parts.push(raisedEnd);
      if (name !== 'a' || !hasAddresses) return;
      const hasLinkInside = linkEnd > start;
      if (!hasLinkInside && href !== '') parts.push(address(parts.slice(start).join(''), href));
      linkEnd = parts.length;
    },
    take() {
      const text = parts.join('');
      parts = [];
      webAddresses = 0;
      linkEnd = 0;
      starts = starts.map(() => 0);
      return text;
    },
  };
}
