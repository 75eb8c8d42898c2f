import { linkText } from '../link-address.ts';
import { markRaised } from '../raised-text.ts';
import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';
import type { DocxLinks } from './docx-document.ts';
import { equationText } from './docx-equations.ts';
import { isOn, isSuperscript } from './office-run-properties.ts';
import {
  addInstruction,
  closeFields,
  fieldText,
  type OpenField,
  readFieldCharacter,
} from './word-fields.ts';

/** Content of a paragraph or a table cell. */
export interface InlineContent {
  text: string;
  /** Contents of the text boxes that are anchored in the paragraph or cell. */
  readonly boxes: XmlElement[];
  /** Keys of the notes to which the text refers, such as `footnote 3` or `endnote 1`. */
  readonly notes: string[];
}

interface Reading extends InlineContent {
  readonly links: DocxLinks;
  /** Fields that have started and not ended. The innermost field is the last one. */
  fields: OpenField[];
}

/**
 * Reads the content of a paragraph. Includes tracked insertions, and adds the address of each link after its text.
 * Omits deletions, struck text, comments, hidden text and field codes.
 */
export function readInline(paragraph: XmlElement, links: DocxLinks): InlineContent {
  const content: Reading = { text: '', boxes: [], notes: [], links, fields: [] };
  content.text = readText(paragraph, content);
  return content;
}

/** Returns the text of an element. Adds its text boxes and notes to `content`. */
function readText(parent: XmlElement, content: Reading): string {
  const inner: Reading = { ...content, text: '', fields: [] };
  readChildren(parent, inner);
  return closeFields(inner.fields, inner.text);
}

function readChildren(parent: XmlElement, content: Reading): void {
  for (const child of childElements(parent)) readElement(child, content);
}

function readElement(element: XmlElement, content: Reading): void {
  switch (element.name) {
    case 't':
      content.text += textOf(element);
      return;
    case 'tab':
    case 'ptab':
      content.text += ' ';
      return;
    case 'br':
    case 'cr':
      content.text += '\n';
      return;
    case 'noBreakHyphen':
      content.text += '-';
      return;
    case 'sym':
      content.text += symbolText(element);
      return;
    case 'fldChar':
      content.text = readFieldCharacter(content.fields, content.text, element);
      return;
    case 'instrText':
      return addInstruction(content.fields, textOf(element));
    case 'fldSimple':
      content.text += fieldText(element.attributes.instr ?? '', readText(element, content));
      return;
    case 'hyperlink':
      return readLink(element, content);
    case 'oMath':
      content.text += equationText(element);
      return;
    case 'footnoteReference':
    case 'endnoteReference':
      content.notes.push(`${element.name.replace('Reference', '')} ${element.attributes.id ?? ''}`);
      return;
    case 'txbxContent':
      content.boxes.push(element);
      return;
    case 'AlternateContent':
      return readAlternate(element, content);
    case 'del':
    case 'moveFrom':
    case 'pPr':
    case 'rPr':
    case 'sdtPr':
    case 'rt':
      return;
    case 'r':
      return readRun(element, content);
    default:
      readChildren(element, content);
  }
}

function readRun(run: XmlElement, content: Reading): void {
  const properties = findElement(run, 'rPr');
  if (['vanish', 'strike', 'dstrike'].some((name) => isOn(findElement(properties, name)))) return;
  if (isSuperscript(properties)) content.text += markRaised(readText(run, content));
  else readChildren(run, content);
}

/**
 * Whether the part contains hidden text. Field codes do not count: Word also hides the entries of an index, which are
 * field codes.
 */
export function hasHiddenText(part: XmlElement): boolean {
  return childElements(part).some((element) => {
    if (element.name !== 'r') return hasHiddenText(element);
    const isHidden = isOn(findElement(element, 'rPr', 'vanish'));
    return isHidden && childElements(element, 't').some((text) => textOf(text).trim() !== '');
  });
}

function readLink(link: XmlElement, content: Reading): void {
  const text = readText(link, { ...content, links: new Map() });
  content.text += linkText(text, linkTarget(link, content.links));
}

/** Returns the address to which a link leads, or '' if it leads to a place in the document. */
function linkTarget({ attributes: { id = '', anchor = '' } }: XmlElement, links: DocxLinks) {
  const target = links.get(id) ?? '';
  return target === '' || anchor === '' || target.includes('#') ? target : `${target}#${anchor}`;
}

/** Reads only the first alternative that has content. The fallback repeats this content for older readers. */
function readAlternate(element: XmlElement, content: Reading): void {
  for (const alternative of childElements(element)) {
    const inner = readInline(alternative, content.links);
    if (inner.text.trim() === '' && inner.boxes.length === 0) continue;
    content.text += inner.text;
    content.boxes.push(...inner.boxes);
    content.notes.push(...inner.notes);
    return;
  }
}

/** Unicode equivalents of common Wingdings and Symbol glyphs. Other glyphs become a space. */
const symbols: Readonly<Record<string, string>> = {
  'wingdings fc': '✓',
  'wingdings fb': '✗',
  'wingdings fe': '☑',
  'wingdings fd': '☒',
  'wingdings a8': '☐',
  'wingdings 6f': '☐',
  'wingdings 71': '☐',
  'wingdings 78': '☒',
  'wingdings 2 4f': '✗',
  'wingdings 2 50': '✓',
  'wingdings 2 52': '☑',
  'wingdings 2 53': '☒',
  'wingdings 2 a3': '☐',
  'wingdings e0': '→',
  'wingdings df': '←',
  'wingdings f0': '→',
  'symbol b3': '≥',
  'symbol a3': '≤',
  'symbol b1': '±',
  'symbol b4': '×',
  'symbol b0': '°',
  'symbol ae': '→',
  'symbol a5': '∞',
  'symbol 6d': 'μ',
  'symbol 57': 'Ω',
  'symbol 44': 'Δ',
  'symbol 61': 'α',
  'symbol 62': 'β',
};

function symbolText(element: XmlElement): string {
  const code = Number.parseInt(element.attributes.char ?? '', 16);
  if (Number.isNaN(code) || code > 0x10ffff) return '';
  const isPrivate = code >= 0xf000 && code <= 0xf0ff;
  if (!isPrivate) return String.fromCodePoint(code);
  const font = element.attributes.font?.toLowerCase() ?? '';
  return symbols[`${font} ${(code - 0xf000).toString(16)}`] ?? ' ';
}
