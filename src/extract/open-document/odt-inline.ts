import { emptyFieldText } from '../empty-field.ts';
import { linkText } from '../link-address.ts';
import { markRaised } from '../raised-text.ts';
import { childElements, type XmlElement } from '../xml-tree.ts';
import type { OdtStyles } from './odt-styles.ts';

/** Content of a paragraph. */
export interface OdtInline {
  text: string;
  /** Notes, text boxes and shapes that are anchored in the paragraph. */
  readonly blocks: XmlElement[];
}

const maxRepeatedSpaces = 100;

/**
 * Reads the text of a paragraph (OpenDocument 1.3, part 3, 6). Collapses white space, except spaces, tabs and line
 * breaks that are elements. Adds the address of each link after its text. Omits struck text.
 */
export function readOdtInline(paragraph: XmlElement, styles: OdtStyles): OdtInline {
  const content: OdtInline = { text: '', blocks: [] };
  read(paragraph, styles, content);
  return content;
}

function read(parent: XmlElement, styles: OdtStyles, content: OdtInline): void {
  for (const child of parent.children) {
    if (typeof child === 'string') content.text += child.replace(/\s+/g, ' ');
    else readElement(child, parent, styles, content);
  }
}

function readElement(
  element: XmlElement,
  parent: XmlElement,
  styles: OdtStyles,
  content: OdtInline,
): void {
  switch (element.name) {
    case 's':
      content.text += ' '.repeat(
        Math.min(maxRepeatedSpaces, Number(element.attributes.c ?? 1) || 1),
      );
      return;
    case 'tab':
      content.text += ' ';
      return;
    case 'line-break':
      content.text += '\n';
      return;
    case 'note':
      content.blocks.push(...childElements(element, 'note-body'));
      return;
    case 'text-box':
      content.blocks.push(element);
      return;
    // A phonetic guide above other text.
    case 'ruby-text':
      return;
    // The prompt of a field that nobody has filled in.
    case 'placeholder':
      content.text += emptyFieldText(content.text);
      return;
    case 'content-control':
      if (element.attributes['showing-place-holder'] !== 'true') read(element, styles, content);
      else content.text += emptyFieldText(content.text);
      return;
    case 'a':
      content.text += linkText(innerText(element, styles, content), element.attributes.href ?? '');
      return;
    case 'span':
      return readSpan(element, styles, content);
    default:
      if (isDescription(element, parent)) return;
      if (element.children.some(isBlock)) content.blocks.push(element);
      else read(element, styles, content);
  }
}

function readSpan(span: XmlElement, styles: OdtStyles, content: OdtInline): void {
  const { isRaised = false, isStruck = false } = styles.textFormat(span.attributes['style-name']);
  if (isStruck) return;
  const text = innerText(span, styles, content);
  content.text += isRaised ? markRaised(text) : text;
}

/** Returns the text of an element. Adds its notes and text boxes to `content`. */
function innerText(element: XmlElement, styles: OdtStyles, content: OdtInline): string {
  const inner = { ...content, text: '' };
  read(element, styles, inner);
  return inner.text;
}

/** Names of elements that can have a title and a description (OpenDocument 1.3, part 3, 10.2.1.20). */
const drawings = new Set(
  'frame g custom-shape rect line polyline polygon regular-polygon path circle ellipse connector caption measure control scene page-thumbnail'.split(
    ' ',
  ),
);

/**
 * Whether the element is the title or description of a drawing. A field with the document's title has the same name.
 */
function isDescription({ name }: XmlElement, parent: XmlElement): boolean {
  return (name === 'title' || name === 'desc') && drawings.has(parent.name);
}

function isBlock(child: XmlElement | string): boolean {
  return typeof child !== 'string' && /^(?:p|h|list)$/.test(child.name);
}
