import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { createPageTextFilter } from '../page-texts.ts';
import { createTextBuilder, type TextBuilder } from '../text-builder.ts';
import { commentsLeftOut, embeddedLeftOut, partsMissing } from '../warning-texts.ts';
import { childElements, textOf, type XmlElement } from '../xml-tree.ts';
import { addDocxBlocks } from './docx-blocks.ts';
import type { DocxDocument, DocxNote } from './docx-document.ts';
import { docxEntries, readIncludedParts } from './docx-included-parts.ts';
import { hasHiddenText } from './docx-inline.ts';
import { readDocxNumbering } from './docx-numbering.ts';
import { withoutPrompts } from './docx-prompts.ts';
import { readDocxStyles } from './docx-styles.ts';
import { addDrawnParagraphs } from './drawn-paragraphs.ts';
import {
  findTarget,
  isEmbedded,
  type OfficePackage,
  openOfficePackage,
  type Relationships,
} from './office-package.ts';

/** Names of XML elements that text extraction does not need. */
const unusedElements = new Set(
  'proofErr bookmarkStart bookmarkEnd delInstrText delText fldData rFonts lang color sz szCs bCs shd'.split(
    ' ',
  ),
);

/**
 * Extracts the text of a Word document (Transitional or Strict). Order: the body with notes and text boxes at their
 * places, then texts of diagrams and charts, then each distinct page header and footer once. Parts in other formats
 * (`w:altChunk`) are read at their places. Tracked changes are treated as accepted. Omits prompts of empty content controls. Also omits comments, hidden text and
 * embedded objects, and adds warnings for them.
 * @throws ExtractError CORRUPT_FILE when the file is damaged, TOO_LARGE when it exceeds a limit, EMPTY_TEXT when it has
 * no text.
 */
export function readDocx(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  return readNested(bytes, limits, 0);
}

/** Maximum nesting depth of Word documents that are included in each other. */
const maxNesting = 3;

async function readNested(
  bytes: Uint8Array,
  limits: ExtractLimits,
  nesting: number,
): Promise<ExtractedText> {
  if (nesting > maxNesting) {
    throw new ExtractError('TOO_LARGE', 'The document includes too many other documents.');
  }
  const opened = openOfficePackage(bytes, limits.unpackedBytes, unusedElements, docxEntries);
  const mainName = await opened.mainPart('word/document.xml');
  const relationships = await opened.relationshipsOf(mainName);
  const styles = await readRelated(opened, relationships, 'styles');
  const parts = withoutPrompts(opened, styles);
  const main = await parts.readPart(mainName);
  if (main === null) throw new ExtractError('CORRUPT_FILE', 'The file contains no Word document.');
  const included = await readIncludedParts(parts, relationships, limits, (inner) =>
    readNested(inner, limits, nesting + 1),
  );
  const document: DocxDocument = {
    included,
    styles: readDocxStyles(styles),
    numbering: readDocxNumbering(await readRelated(parts, relationships, 'numbering')),
    notes: new Map([
      ...(await readNotes(parts, relationships, 'footnote')),
      ...(await readNotes(parts, relationships, 'endnote')),
    ]),
    links: await parts.linksOf(mainName),
  };
  const builder = createTextBuilder(limits.textCharacters);
  addDocxBlocks(builder, document, main);
  await addDrawings(builder, parts, relationships);
  await addHeadersAndFooters(builder, document, parts, relationships);
  await addWarnings(builder, main, parts, relationships);
  return builder.build();
}

async function addWarnings(
  builder: TextBuilder,
  main: XmlElement,
  parts: OfficePackage,
  relationships: Relationships,
): Promise<void> {
  if (hasHiddenText(main)) {
    builder.warn('HIDDEN_PARTS', 'Hidden text was left out. Unhide it in Word to include it.');
  }
  const target = findTarget(relationships, 'comments');
  const comments = target === null ? undefined : await parts.readOptionalPart(target);
  builder.warn('COMMENTS', commentsLeftOut(childElements(comments, 'comment').length));
  const targets = [...relationships.values()];
  builder.warn('ATTACHED_FILES', embeddedLeftOut(targets.filter(isEmbedded).length));
  const missing = targets.filter(
    ({ kind, target }) => kind === 'aFChunk' && parts.readBytes(target) === null,
  );
  builder.warn(
    'UNREAD_PARTS',
    partsMissing(
      'part',
      missing.map(({ target }) => target),
    ),
  );
}

async function readRelated(
  parts: OfficePackage,
  relationships: Relationships,
  kind: string,
): Promise<XmlElement | null> {
  const target = findTarget(relationships, kind);
  return target === null ? null : parts.readPart(target);
}

/** Returns the notes of the document by key. Skips separator lines, which Word stores as notes of another type. */
async function readNotes(
  parts: OfficePackage,
  relationships: Relationships,
  kind: 'footnote' | 'endnote',
): Promise<[string, DocxNote][]> {
  const target = findTarget(relationships, `${kind}s`);
  if (target === null) return [];
  const links = await parts.linksOf(target);
  return childElements((await parts.readPart(target)) ?? undefined, kind)
    .filter(({ attributes }) => attributes.type === undefined || attributes.type === 'normal')
    .map((content) => [`${kind} ${content.attributes.id ?? ''}`, { content, links }]);
}

async function addDrawings(
  builder: TextBuilder,
  parts: OfficePackage,
  relationships: Relationships,
): Promise<void> {
  for (const { kind, target } of relationships.values()) {
    if (kind !== 'diagramData' && kind !== 'chart') continue;
    const part = await parts.readPart(target);
    if (part !== null) addDrawnParagraphs(builder, part);
  }
}

async function addHeadersAndFooters(
  builder: TextBuilder,
  document: DocxDocument,
  parts: OfficePackage,
  relationships: Relationships,
): Promise<void> {
  const isRead = createPageTextFilter();
  for (const kind of ['header', 'footer']) {
    for (const relationship of relationships.values()) {
      if (relationship.kind !== kind) continue;
      const part = await parts.readPart(relationship.target);
      const text = part === null ? '' : textOf(part);
      if (part === null || !isRead(text)) continue;
      const links = await parts.linksOf(relationship.target);
      addDocxBlocks(builder, { ...document, links }, part);
    }
  }
}
