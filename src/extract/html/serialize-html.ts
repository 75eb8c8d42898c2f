import type { HtmlElement } from './html-tree.ts';
import { isOmitted } from './html-visibility.ts';

const keptAttributes = ['id', 'class', 'role', 'href', 'alt', 'rowspan', 'colspan', 'start'];
const voidNames = new Set(['br', 'hr', 'img', 'wbr', 'input', 'link', 'meta', 'source', 'col']);

/** Returns well-formed HTML of the visible content. Keeps only attributes that give information about the content. */
export function serializeHtml(element: HtmlElement): string {
  const parts: string[] = [];
  const visit = (child: HtmlElement | string) => {
    if (typeof child === 'string') {
      parts.push(escapeHtml(child));
      return;
    }
    if (isOmitted(child)) return;
    const name = /^[a-z][a-z0-9]{0,20}$/.test(child.name) ? child.name : 'span';
    const attributes = keptAttributes
      .filter((key) => child.attributes[key] !== undefined)
      .map((key) => ` ${key}="${escapeHtml(child.attributes[key] ?? '')}"`)
      .join('');
    if (voidNames.has(name)) {
      parts.push(`<${name}${attributes}/>`);
      return;
    }
    parts.push(`<${name}${attributes}>`);
    for (const inner of child.children) visit(inner);
    parts.push(`</${name}>`);
  };
  visit(element);
  return parts.join('');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
