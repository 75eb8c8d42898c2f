import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { createPageTextFilter } from '../page-texts.ts';
import { createTextBuilder, type TextBuilder } from '../text-builder.ts';
import { unpackArchive } from '../unpack-archive.ts';
import { commentsLeftOut, embeddedLeftOut } from '../warning-texts.ts';
import {
  childElements,
  findElement,
  parseXml,
  type TakeElement,
  textOf,
  type XmlElement,
} from '../xml-tree.ts';
import { addOdtBlocks, type NumberedStyles } from './odt-blocks.ts';
import { formulaOf, readFormulas } from './odt-formulas.ts';
import { createOdtNumbers } from './odt-numbers.ts';
import { readOdtStyles } from './odt-styles.ts';

/** Names of XML elements to skip: text extraction does not need them, they are hidden, or they contain deleted text. */
const unusedElements = new Set(
  'tracked-changes forms sequence-decls variable-decls hidden-text settings scripts'.split(' '),
);
const readEntries = /^(?:content\.xml|styles\.xml|META-INF\/manifest\.xml|[^/]+\/content\.xml)$/i;

/**
 * Extracts the text of an OpenDocument text: headings, paragraphs, lists with their numbers, and tables. Notes and text
 * boxes are added after the block to which they belong. Each distinct page header and footer is added once, at the end.
 * Tracked changes are treated as accepted. Omits comments and embedded objects except formulas, and adds warnings for
 * them.
 * @throws ExtractError CORRUPT_FILE, ENCRYPTED, TOO_LARGE or EMPTY_TEXT.
 */
export async function readOdt(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const entries = unpackArchive(bytes, limits.unpackedBytes, readEntries);
  if (isEncrypted(entries.get('meta-inf/manifest.xml'))) {
    throw new ExtractError('ENCRYPTED', 'The file needs a password. Upload it without one.');
  }
  const formulas = await readFormulas(entries);
  let comments = 0;
  let embedded = 0;
  const content = await parse(entries.get('content.xml'), (element) => {
    // An annotation that has an encoding is part of a formula and not a comment.
    if (element.name === 'annotation' && element.attributes.encoding === undefined) {
      comments += 1;
      return true;
    }
    if (element.name === 'object' || element.name === 'object-ole') {
      const formula = formulaOf(element, formulas);
      if (formula === null) embedded += 1;
      element.children.splice(0, Infinity, formula ?? '');
    }
    return false;
  });
  const body = findElement(content ?? undefined, 'body', 'text');
  if (content === null || body === undefined) {
    throw new ExtractError('CORRUPT_FILE', 'The file contains no OpenDocument text.');
  }
  const pageStyles = await parse(entries.get('styles.xml'));
  const read = readOdtStyles([pageStyles, content]);
  const styles = { ...read, numbers: createOdtNumbers(read) };
  const builder = createTextBuilder(limits.textCharacters);
  addOdtBlocks(builder, styles, body);
  addHeadersAndFooters(builder, styles, pageStyles);
  builder.warn('COMMENTS', commentsLeftOut(comments));
  builder.warn('ATTACHED_FILES', embeddedLeftOut(embedded));
  return builder.build();
}

function addHeadersAndFooters(
  builder: TextBuilder,
  styles: NumberedStyles,
  pageStyles: XmlElement | null,
): void {
  const isRead = createPageTextFilter();
  for (const page of childElements(findElement(pageStyles ?? undefined, 'master-styles'))) {
    for (const element of childElements(page)) {
      const isPageText = /^(?:header|footer)(?:-left|-first)?$/.test(element.name);
      if (isPageText && isRead(textOf(element))) addOdtBlocks(builder, styles, element);
    }
  }
}

/**
 * Whether the document is encrypted. The manifest then contains the encryption data of each entry (OpenDocument 1.3,
 * part 2, 4.4).
 */
function isEncrypted(manifest: Uint8Array | undefined): boolean {
  return manifest !== undefined && Buffer.from(manifest).includes('encryption-data');
}

function parse(entry: Uint8Array | undefined, take?: TakeElement): Promise<XmlElement> | null {
  return entry === undefined ? null : parseXml(entry, unusedElements, take);
}
