import { type HtmlElement, htmlTextOf } from './html-tree.ts';
import { isHidden } from './html-visibility.ts';

/**
 * Returns the text for a form control: a ticked or empty box, or the option that is selected in the page. Returns ''
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

/** Whether a line contains nothing but boxes. Such a line can come from a button that opens a menu with CSS only. */
export function hasOnlyBoxes(line: string): boolean {
  return /^[☐☑\s]*$/.test(line);
}
