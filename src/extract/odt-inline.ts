import { childElements, type XmlElement } from './xml-tree.ts';

/** Content of a paragraph. */
export interface OdtInline {
  text: string;
  /** Notes and text boxes that are anchored in the paragraph. */
  readonly blocks: XmlElement[];
}

const maxRepeatedSpaces = 100;

/** Reads the text of a paragraph (OpenDocument 1.3, part 3, 6). White space is collapsed, except for that of elements. */
export function readOdtInline(paragraph: XmlElement): OdtInline {
  const content: OdtInline = { text: '', blocks: [] };
  read(paragraph, content);
  return content;
}

function read(parent: XmlElement, content: OdtInline): void {
  for (const child of parent.children) {
    if (typeof child === 'string') content.text += child.replace(/\s+/g, ' ');
    else readElement(child, content);
  }
}

function readElement(element: XmlElement, content: OdtInline): void {
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
    // Phonetic text above other text, and descriptions of pictures.
    case 'ruby-text':
    case 'title':
    case 'desc':
      return;
    default:
      return read(element, content);
  }
}
