import { cleanLine } from '../clean-text.ts';
import { controlText } from './html-controls.ts';
import { createInlineText, type HtmlInlineText } from './html-inline-text.ts';
import type { HtmlElement } from './html-tree.ts';
import { isOmitted } from './html-visibility.ts';

const inlineNames = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rp rt ruby s samp ' +
    'small span strike strong sub sup time tt u var wbr'
  ).split(' '),
);

/** Whether the element is part of a line of text. */
export function isInline({ name }: HtmlElement): boolean {
  return isInlineName(name);
}

export function isInlineName(name: string): boolean {
  return inlineNames.has(name);
}

/** Returns the visible text of the element on one line. */
export function visibleText(element: HtmlElement): string {
  return lineOf(element, createInlineText({ hasAddresses: false }));
}

/** Returns the visible text of the element on one line. The address of each link follows the text of the link. */
export function visibleTextWithAddresses(element: HtmlElement): string {
  return lineOf(element, createInlineText({ hasAddresses: true }));
}

function lineOf(element: HtmlElement, text: HtmlInlineText): string {
  const visit = ({ children }: HtmlElement) => {
    for (const child of children) {
      if (typeof child === 'string') {
        text.add(child);
        continue;
      }
      if (isOmitted(child)) {
        text.add(controlText(child));
        continue;
      }
      const separator = isInline(child) ? '' : ' ';
      text.add(separator);
      text.start(child);
      if (child.name === 'img') text.add(` ${child.attributes.alt ?? ''} `);
      visit(child);
      text.end(child);
      text.add(separator);
    }
  };
  visit(element);
  return cleanLine(text.take());
}
