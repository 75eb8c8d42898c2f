import { type HtmlElement, htmlTextOf } from './html-tree.ts';
import { isHidden } from './html-visibility.ts';

/**
 * Returns what a control of a form says: a ticked or an empty box, or the option that the page has selected. Returns ''
 * for other elements.
 */
export function controlText(element: HtmlElement): string {
  const { name, attributes } = element;
  if (isHidden(element)) return '';
  if (name === 'input' && /^(?:checkbox|radio)$/i.test(attributes.type ?? '')) {
    return attributes.checked === undefined ? ' ☐ ' : ' ☑ ';
  }
  if (name !== 'select') return '';
  const options = element.children.flatMap((child) =>
    typeof child !== 'string' && child.name === 'optgroup' ? child.children : [child],
  );
  const selected = options.find(
    (option): option is HtmlElement =>
      typeof option !== 'string' && option.attributes.selected !== undefined,
  );
  return selected === undefined ? '' : ` ${htmlTextOf(selected).trim()} `;
}

/** Whether a line has nothing but boxes, as that of a button that opens a menu by style alone. */
export function hasOnlyBoxes(line: string): boolean {
  return /^[☐☑\s]*$/.test(line);
}
