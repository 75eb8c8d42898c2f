import { equationText } from './docx-equations.ts';
import { isOn, isSuperscript } from './office-run-properties.ts';
import { markRaised } from './raised-text.ts';
import { childElements, findElement, textOf, type XmlElement } from './xml-tree.ts';

/** Content of a paragraph or a table cell. */
export interface InlineContent {
  text: string;
  /** Contents of the text boxes that are anchored in the paragraph. */
  readonly boxes: XmlElement[];
  /** Keys of referenced notes, such as `footnote 3` or `endnote 1`. */
  readonly notes: string[];
}

/**
 * Reads the content of a paragraph. Includes tracked insertions. Omits deletions, struck text, comments, hidden
 * text and field codes.
 */
export function readInline(paragraph: XmlElement): InlineContent {
  const content: InlineContent = { text: '', boxes: [], notes: [] };
  readChildren(paragraph, content);
  return content;
}

function readChildren(parent: XmlElement, content: InlineContent): void {
  for (const child of childElements(parent)) readElement(child, content);
}

function readElement(element: XmlElement, content: InlineContent): void {
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
      content.text += formFieldText(element);
      return;
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

function readRun(run: XmlElement, content: InlineContent): void {
  const properties = findElement(run, 'rPr');
  if (['vanish', 'strike', 'dstrike'].some((name) => isOn(findElement(properties, name)))) return;
  const inner = { ...content, text: '' };
  readChildren(run, inner);
  content.text += isSuperscript(properties) ? markRaised(inner.text) : inner.text;
}

/** Returns the box or the chosen entry of a form field (ECMA-376 part 1, 17.16.7 and 17.16.9). Texts are runs. */
function formFieldText(field: XmlElement): string {
  const box = findElement(field, 'ffData', 'checkBox');
  if (box !== undefined) {
    return isOn(findElement(box, 'checked') ?? findElement(box, 'default')) ? '☑' : '☐';
  }
  const list = findElement(field, 'ffData', 'ddList');
  const chosen = findElement(list, 'result') ?? findElement(list, 'default');
  const entry = childElements(list, 'listEntry')[Number(chosen?.attributes.val ?? 0)];
  return entry?.attributes.val ?? '';
}

/** Reads the first alternative that has content. Reads no other, because the fallback repeats it for older readers. */
function readAlternate(element: XmlElement, content: InlineContent): void {
  for (const alternative of childElements(element)) {
    const inner = readInline(alternative);
    if (inner.text.trim() === '' && inner.boxes.length === 0) continue;
    content.text += inner.text;
    content.boxes.push(...inner.boxes);
    content.notes.push(...inner.notes);
    return;
  }
}

/** Unicode equivalents of common Wingdings and Symbol glyphs. Other glyphs are read as a space. */
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
