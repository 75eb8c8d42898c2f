import { separateSectionNumber } from '../../text/section-numbers.ts';
import { decodeHtml } from '../encoding/decode-html.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import type { ExtractedText } from '../extracted-text.ts';
import { createTextBuilder } from '../text-builder.ts';
import { type HtmlBlock, readHtmlBlocks } from './html-blocks.ts';
import { findMarkedContent } from './html-main-content.ts';
import { withoutNamedFrame } from './html-page-frame.ts';
import { openPanels } from './html-panels.ts';
import { addHtmlBlock } from './html-text.ts';
import { findHtmlElements, type HtmlElement, parseHtml } from './html-tree.ts';
import { visibleText } from './html-visible-text.ts';

/**
 * Extracts the visible text of an HTML page, without navigation, controls and the frame of its site. If the page has no
 * main heading, its title becomes the heading.
 * @throws ExtractError CORRUPT_FILE when the file is binary, TOO_LARGE when it exceeds a limit, EMPTY_TEXT when it has
 * no text.
 */
export async function readHtml(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const builder = createTextBuilder(limits.textCharacters);
  const root = parseHtml(await decodeHtml(bytes));
  openPanels(root);
  const page = withoutNamedFrame(root);
  const blocks = readHtmlBlocks(findMarkedContent(page) ?? page);
  const [title] = findHtmlElements(root, ({ name }) => name === 'title', 1);
  const hasMainHeading = blocks.some((block) => block.kind === 'heading' && block.level === 1);
  if (title !== undefined && !hasMainHeading && blocks.length > 0) {
    builder.add('heading', visibleText(title), { level: 1 });
  }
  const isOfWriter = isWrittenByLibreOffice(root);
  for (const block of blocks) addHtmlBlock(builder, withSeparateNumber(block, isOfWriter));
  return builder.build();
}

function isWrittenByLibreOffice(root: HtmlElement): boolean {
  const isGenerator = ({ name, attributes }: HtmlElement) =>
    name === 'meta' && attributes.name?.toLowerCase() === 'generator';
  const [generator] = findHtmlElements(root, isGenerator, 1);
  return /^(?:LibreOffice|OpenOffice)/i.test(generator?.attributes.content ?? '');
}

function withSeparateNumber(block: HtmlBlock, isOfWriter: boolean): HtmlBlock {
  if (block.kind !== 'heading') return block;
  return { ...block, text: separateSectionNumber(block.text, isOfWriter) };
}
