import { findElement, textOf, type XmlElement } from '../xml-tree.ts';

/** Renders an Office MathML equation on one line: `a/b`, `x^2`, `x_i`, `√(x)`. */
export function equationText(element: XmlElement): string {
  const part = (name: string): string => {
    const found = findElement(element, name);
    return found === undefined ? '' : equationText(found);
  };
  switch (element.name) {
    case 't':
      return textOf(element);
    case 'f':
      return `${parenthesize(part('num'))}/${parenthesize(part('den'))}`;
    case 'sSup':
      return `${part('e')}^${parenthesize(part('sup'))}`;
    case 'sSub':
      return `${part('e')}_${parenthesize(part('sub'))}`;
    case 'sSubSup':
      return `${part('e')}_${parenthesize(part('sub'))}^${parenthesize(part('sup'))}`;
    case 'rad':
      return `${part('deg')}√(${part('e')})`;
    case 'd':
      return `(${element.children.map(childText).join('')})`;
    case 'nary':
      return `${operator(element)}_${parenthesize(part('sub'))}^${parenthesize(part('sup'))} ${part('e')}`;
    default:
      return element.children.map(childText).join('');
  }
}

function childText(child: XmlElement | string): string {
  return typeof child === 'string' ? '' : equationText(child);
}

function parenthesize(text: string): string {
  return /^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`;
}

function operator(nary: XmlElement): string {
  return findElement(nary, 'naryPr', 'chr')?.attributes.val ?? '∫';
}
