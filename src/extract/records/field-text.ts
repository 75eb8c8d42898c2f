import { cleanLine } from '../clean-text.ts';
import { decodeEntities, isEncoded } from '../html/decode-entities.ts';
import { type HtmlBlock, readHtmlBlocks } from '../html/html-blocks.ts';
import { parseHtml } from '../html/html-tree.ts';
import { isHtml } from '../html/is-html.ts';
import { hasChatMarks, readChatMarks } from './chat-marks.ts';

/** The text of a field in a table or record. */
export interface FieldText {
  readonly text: string;
  /** The blocks of the text, if the field is HTML with several blocks. */
  readonly blocks?: readonly HtmlBlock[];
}

/** Names of fields that contain code, whose tags and entities are the text. */
const codeName =
  /(?:^|[._ ])(?:code|snippet|template|markup|source|regex|pattern|query|sql|css|js|javascript|xml)$/i;

/**
 * Reads the value of a field. HTML becomes text without tags, scripts and styles. Entities are decoded if the value is
 * certainly encoded. Any other value stays unchanged.
 */
export function readFieldText(name: string, value: string): FieldText {
  if (!/[<&]/.test(value) || codeName.test(name)) return { text: value };
  if (hasChatMarks(value)) return { text: readChatMarks(value, new Map()) };
  if (isHtml(value)) return readHtmlField(value);
  if (!isEncoded(value)) return { text: value };
  const decoded = decodeEntities(value);
  return isHtml(decoded) ? readHtmlField(decoded) : { text: decoded };
}

function readHtmlField(html: string): FieldText {
  const blocks = readHtmlBlocks(parseHtml(html));
  const text = blocks.map(lineOf).join('').trim();
  const [only] = blocks;
  const isLine = blocks.length === 1 && only?.kind === 'paragraph' && !only.text.includes('\n');
  return blocks.length === 0 || isLine ? { text } : { text, blocks };
}

/** Returns a block as part of a line. */
function lineOf(block: HtmlBlock): string {
  if (block.kind === 'table-row') return ` ${block.cells.join(' | ')};`;
  const text = cleanLine(block.text);
  return block.kind === 'list-item' && !/[\p{P}]$/u.test(text) ? ` ${text};` : ` ${text}`;
}
