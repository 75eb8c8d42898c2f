import { cleanLine } from '../clean-text.ts';
import { decodeHtml } from '../encoding/decode-html.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { readHtmlBlocks } from '../html/html-blocks.ts';
import { addHtmlBlock } from '../html/html-text.ts';
import { parseHtml } from '../html/html-tree.ts';
import { createTextBuilder, type TextBuilder } from '../text-builder.ts';
import { partsMissing } from '../warning-texts.ts';
import { openEpub } from './epub-package.ts';

/**
 * Extracts an EPUB book: title and authors, then the chapters in reading order. If a chapter has no heading, its title
 * in the table of contents becomes its heading.
 * @throws ExtractError CORRUPT_FILE, ENCRYPTED, TOO_LARGE or EMPTY_TEXT.
 */
export async function readEpub(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const book = await openEpub(bytes, limits.unpackedBytes);
  const builder = createTextBuilder(limits.textCharacters);
  builder.add('heading', cleanLine(book.title), { level: 1 });
  builder.add('paragraph', book.authors.map(cleanLine).join(', '));
  for (const { name, content, title } of book.chapters) {
    if (book.encryptedNames.has(name)) {
      throw new ExtractError('ENCRYPTED', 'The book is copy-protected. Upload it without DRM.');
    }
    addChapter(builder, await decodeHtml(content), title);
  }
  builder.warn('UNREAD_PARTS', partsMissing('chapter', book.missing));
  return builder.build();
}

function addChapter(builder: TextBuilder, html: string, title: string): void {
  const blocks = readHtmlBlocks(parseHtml(html.replace(emptyElement, '<$1$2></$1>')));
  const hasHeading = blocks.some(({ kind }) => kind === 'heading');
  if (!hasHeading && blocks.length > 0) builder.add('heading', cleanLine(title), { level: 1 });
  for (const block of blocks) addHtmlBlock(builder, block);
}

/**
 * Matches empty elements of XHTML, such as `<title/>`. An HTML parser reads them as start tags, which would hide the
 * text after them.
 */
const emptyElement =
  /<(title|script|style|textarea|iframe|a|p|div|span|i|b|em|td|li)(\s[^<>]*)?\/>/gi;
