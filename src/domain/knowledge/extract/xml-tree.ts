import { SaxesParser } from 'saxes';
import { decodeText } from './decode-text.ts';
import { ExtractError } from './extracted-text.ts';

/** An element without its namespace prefix; text children are strings. */
export interface XmlElement {
  readonly name: string;
  /** By local name; of two with the same local name the unprefixed one is kept. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

const DEEPEST_NESTING = 2_000;

/**
 * Parses XML into elements. Documents may define no entities, so there is nothing to expand. Elements
 * named in `skip` are left out with all they hold. Throws `ExtractError` `CORRUPT_FILE`.
 */
export async function parseXml(
  bytes: Uint8Array,
  skip: ReadonlySet<string> = new Set(),
): Promise<XmlElement> {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open: XmlElement[] = [root];
  let skipped = 0;
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw new ExtractError('CORRUPT_FILE', 'The file holds malformed XML.', { cause: error });
  });
  parser.on('doctype', () => {
    throw new ExtractError('CORRUPT_FILE', 'The file holds XML with a document type.');
  });
  parser.on('opentag', (tag) => {
    const name = localName(tag.name);
    if (skipped > 0 || skip.has(name)) {
      skipped += 1;
      return;
    }
    if (open.length > DEEPEST_NESTING)
      throw new ExtractError('TOO_LARGE', 'The XML nests too deeply.');
    const element = { name, attributes: localAttributes(tag.attributes), children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    if (skipped > 0) skipped -= 1;
    else open.pop();
  });
  const addText = (text: string) => {
    if (skipped === 0) open.at(-1)?.children.push(text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write((await decodeText(bytes)) ?? '').close();
  return childElements(root)[0] ?? root;
}

/** The elements directly in `parent`; with `name` only those so named. */
export function childElements(parent: XmlElement | undefined, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of parent?.children ?? []) {
    if (typeof child !== 'string' && (name === undefined || child.name === name)) found.push(child);
  }
  return found;
}

/** The first element at `path`, a list of names downward from `parent`. */
export function findElement(
  parent: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((at, name) => childElements(at, name)[0], parent);
}

/** All text in `element`, in document order. */
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
    if (short === name || !(short in local)) local[short] = value;
  }
  return local;
}
