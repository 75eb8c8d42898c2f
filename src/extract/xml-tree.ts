import { SaxesParser } from 'saxes';
import { decodeText } from './encoding/decode-text.ts';
import { ExtractError } from './extracted-text.ts';

/** An XML element. `name` is its local name. Text children are strings. */
export interface XmlElement {
  readonly name: string;
  /**
   * Attributes by local name. If two attributes have the same local name, this name belongs to the attribute without a
   * prefix, and the other attribute keeps its prefix.
   */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

/**
 * Receives each element when the element ends. If it returns true, the element is not stored in the tree, which saves
 * memory.
 */
export type TakeElement = (element: XmlElement) => boolean;

const maxNesting = 2_000;

/**
 * Parses XML into a tree. Refuses document type declarations, so that no entities can be defined and expanded.
 * @param skip names of elements to omit with their content.
 * @throws ExtractError CORRUPT_FILE when the XML is malformed or has a document type, TOO_LARGE when it is nested too
 * deeply.
 */
export async function parseXml(
  bytes: Uint8Array,
  skip: ReadonlySet<string> = new Set(),
  take: TakeElement = () => false,
): Promise<XmlElement> {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open: XmlElement[] = [root];
  let skipped = 0;
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw new ExtractError('CORRUPT_FILE', 'The file contains malformed XML.', { cause: error });
  });
  parser.on('doctype', () => {
    throw new ExtractError('CORRUPT_FILE', 'The file contains XML with a document type.');
  });
  parser.on('opentag', (tag) => {
    const name = localName(tag.name);
    if (skipped > 0 || skip.has(name)) {
      skipped += 1;
      return;
    }
    if (open.length > maxNesting)
      throw new ExtractError('TOO_LARGE', 'The XML is nested too deeply.');
    const element = { name, attributes: localAttributes(tag.attributes), children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    if (skipped > 0) {
      skipped -= 1;
      return;
    }
    const element = open.pop();
    if (element !== undefined && take(element)) open.at(-1)?.children.pop();
  });
  const addText = (text: string) => {
    if (skipped === 0) open.at(-1)?.children.push(text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write((await decodeText(bytes)) ?? '').close();
  return childElements(root)[0] ?? root;
}

/** Returns the child elements of `parent`. If `name` is given, returns only those with this name. */
export function childElements(parent: XmlElement | undefined, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of parent?.children ?? []) {
    if (typeof child !== 'string' && (name === undefined || child.name === name)) found.push(child);
  }
  return found;
}

/** Returns the first descendant at `path`. The path lists element names, starting with a child of `parent`. */
export function findElement(
  parent: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((at, name) => childElements(at, name)[0], parent);
}

/** Returns the text of `element` and all its descendants in document order. */
export function textOf(element: XmlElement): string {
  return element.children
    .map((child) => (typeof child === 'string' ? child : textOf(child)))
    .join('');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function localAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const local: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const short = localName(name);
    if (short !== name && short in attributes) local[name] = value;
    else if (!(short in local)) local[short] = value;
  }
  return local;
}
