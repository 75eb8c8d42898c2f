import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { createTextBuilder } from '../text-builder.ts';
import { commentsLeftOut, embeddedLeftOut } from '../warning-texts.ts';
import { createRtfBlocks } from './rtf-blocks.ts';
import { RtfReader } from './rtf-reader.ts';
import { rtfTokens } from './rtf-tokens.ts';

/**
 * Extracts the text of an RTF file: headings (by outline level or style), paragraphs, list items, table rows and
 * footnotes, then each distinct page header and footer. Omits hidden and deleted text and pictures. Also omits comments
 * and embedded objects, and adds warnings for them.
 * @throws ExtractError CORRUPT_FILE when the file is damaged or incomplete, TOO_LARGE when it exceeds a limit,
 * EMPTY_TEXT when it has no text.
 */
export function readRtf(bytes: Uint8Array, limits: ExtractLimits): ExtractedText {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!/^\s{0,100}\{\\rtf/.test(file)) {
    throw new ExtractError('CORRUPT_FILE', 'The file contains no RTF.');
  }
  const builder = createTextBuilder(limits.textCharacters);
  const blocks = createRtfBlocks(builder);
  const reader = new RtfReader(blocks);
  for (const token of rtfTokens(file.trimStart())) {
    reader.read(token);
    if (reader.isComplete) break;
  }
  if (!reader.isComplete) throw new ExtractError('CORRUPT_FILE', 'The file is incomplete.');
  blocks.endDocument();
  const { comments, embedded } = reader.leftOut;
  builder.warn('COMMENTS', commentsLeftOut(comments));
  builder.warn('ATTACHED_FILES', embeddedLeftOut(embedded));
  return builder.build();
}
