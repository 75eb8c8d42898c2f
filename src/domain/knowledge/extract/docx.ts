import { cleanLine } from './clean-text.ts';
import { addDocxBlocks } from './docx-blocks.ts';
import type { DocxDocument } from './docx-document.ts';
import { readDocxNumbering } from './docx-numbering.ts';
import { type DocxPackage, openDocxPackage, type Relationship } from './docx-package.ts';
import { readDocxStyles } from './docx-styles.ts';
import { ExtractError, type ExtractedText } from './extracted-text.ts';
import type { ExtractLimits } from './limits.ts';
import { createTextBuilder, type TextBuilder } from './text-builder.ts';
import { childElements, textOf, type XmlElement } from './xml-tree.ts';

/**
 * Reads a Word document, Transitional or Strict: body, notes and text boxes where they belong, then the
 * words in diagrams and charts, then the page headers and footers once each. Tracked changes count as accepted; comments are left out.
 * Throws `ExtractError`.
 */
export async function readDocx(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const parts = openDocxPackage(bytes, limits.unpackedBytes);
  const mainName = await findMainPart(parts);
  const main = await parts.readPart(mainName);
  if (main === null) throw new ExtractError('CORRUPT_FILE', 'The file holds no Word document.');
  const relationships = await parts.relationshipsOf(mainName);
  const document: DocxDocument = {
    styles: readDocxStyles(await readRelated(parts, relationships, 'styles')),
    numbering: readDocxNumbering(await readRelated(parts, relationships, 'numbering')),
    notes: new Map([
      ...notesIn(await readRelated(parts, relationships, 'footnotes'), 'footnote'),
      ...notesIn(await readRelated(parts, relationships, 'endnotes'), 'endnote'),
    ]),
  };
  const builder = createTextBuilder(limits.textCharacters);
  addDocxBlocks(builder, document, main);
  await addDrawings(builder, parts, relationships);
  await addHeadersAndFooters(builder, document, parts, relationships);
  return builder.build();
}

async function findMainPart(parts: DocxPackage): Promise<string> {
  for (const { kind, target } of (await parts.relationshipsOf('')).values()) {
    if (kind === 'officeDocument') return target;
  }
  return 'word/document.xml';
}

async function readRelated(
  parts: DocxPackage,
  relationships: ReadonlyMap<string, Relationship>,
  kind: string,
): Promise<XmlElement | null> {
  for (const relationship of relationships.values()) {
    if (relationship.kind === kind) return parts.readPart(relationship.target);
  }
  return null;
}

/** The separators between text and notes are notes of a type of their own. */
function notesIn(part: XmlElement | null, kind: 'footnote' | 'endnote'): [string, XmlElement][] {
  return childElements(part ?? undefined, kind)
    .filter(({ attributes }) => attributes.type === undefined || attributes.type === 'normal')
    .map((note) => [`${kind} ${note.attributes.id ?? ''}`, note]);
}

async function addDrawings(
  builder: TextBuilder,
  parts: DocxPackage,
  relationships: ReadonlyMap<string, Relationship>,
): Promise<void> {
  for (const { kind, target } of relationships.values()) {
    if (kind !== 'diagramData' && kind !== 'chart') continue;
    const part = await parts.readPart(target);
    if (part !== null) addDrawnParagraphs(builder, part);
  }
}

/** Paragraphs of DrawingML; its other text is coordinates and numbers of the plotted data. */
function addDrawnParagraphs(builder: TextBuilder, element: XmlElement): void {
  if (element.name === 'p') builder.add('paragraph', cleanLine(textOf(element)));
  else for (const child of childElements(element)) addDrawnParagraphs(builder, child);
}

async function addHeadersAndFooters(
  builder: TextBuilder,
  document: DocxDocument,
  parts: DocxPackage,
  relationships: ReadonlyMap<string, Relationship>,
): Promise<void> {
  const seen = new Set<string>();
  for (const kind of ['header', 'footer']) {
    for (const relationship of relationships.values()) {
      if (relationship.kind !== kind) continue;
      const part = await parts.readPart(relationship.target);
      const text = part === null ? '' : textOf(part);
      if (part === null || !/\p{L}{2}/u.test(text) || seen.has(text)) continue;
      seen.add(text);
      addDocxBlocks(builder, document, part);
    }
  }
}
