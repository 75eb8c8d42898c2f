import { cleanLine } from './clean-text.ts';
import { controlText } from './html-controls.ts';
import type { HtmlElement } from './html-tree.ts';
import { isOmitted } from './html-visibility.ts';
import { raisedEnd, raisedStart } from './raised-text.ts';

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

/** Returns the text of the element that a reader sees, on one line. */
export function visibleText(element: HtmlElement): string {
  const parts: string[] = [];
  const visit = ({ children }: HtmlElement) => {
    for (const child of children) {
      if (typeof child === 'string') {
        parts.push(child);
        continue;
      }
      if (isOmitted(child)) {
        parts.push(controlText(child));
        continue;
      }
      const separator = isInline(child) ? '' : ' ';
      parts.push(child.name === 'sup' ? raisedStart : separator);
      if (child.name === 'img') parts.push(` ${child.attributes.alt ?? ''} `);
      visit(child);
      parts.push(child.name === 'sup' ? raisedEnd : separator);
    }
  };
  visit(element);
  return cleanLine(parts.join(''));
}
