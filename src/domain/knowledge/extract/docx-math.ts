import { findElement, textOf, type XmlElement } from './xml-tree.ts';

/** An equation (Office MathML) on one line: `a/b`, `x^2`, `x_i`, `√(x)`. */
export function mathText(element: XmlElement): string {
  const part = (name: string): string => {
    const found = findElement(element, name);
    return found === undefined ? '' : mathText(found);
  };
  switch (element.name) {
    case 't':
      return textOf(element);
    case 'f':
      return `${grouped(part('num'))}/${grouped(part('den'))}`;
    case 'sSup':
      return `${part('e')}^${grouped(part('sup'))}`;
    case 'sSub':
      return `${part('e')}_${grouped(part('sub'))}`;
    case 'sSubSup':
      return `${part('e')}_${grouped(part('sub'))}^${grouped(part('sup'))}`;
    case 'rad':
      return `${part('deg')}√(${part('e')})`;
    case 'd':
      return `(${element.children.map(childText).join('')})`;
    case 'nary':
      return `${operator(element)}_${grouped(part('sub'))}^${grouped(part('sup'))} ${part('e')}`;
    default:
      return element.children.map(childText).join('');
  }
}

function childText(child: XmlElement | string): string {
  return typeof child === 'string' ? '' : mathText(child);
}

function grouped(text: string): string {
  return /^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`;
}

function operator(nary: XmlElement): string {
  return findElement(nary, 'naryPr', 'chr')?.attributes.val ?? '∫';
}
