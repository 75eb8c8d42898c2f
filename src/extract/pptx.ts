import { addChartRows } from './chart-rows.ts';
import { addDrawnParagraphs } from './drawn-paragraphs.ts';
import type { ExtractLimits } from './extract-limits.ts';
import { ExtractError, type ExtractedText } from './extracted-text.ts';
import {
  findTarget,
  type OfficePackage,
  openOfficePackage,
  relationshipId,
} from './office-package.ts';
import { readShapes, type Shape } from './pptx-shapes.ts';
import { addShapeText, titleText } from './pptx-text.ts';
import { type BlockSink, createTextBuilder } from './text-builder.ts';
import { childElements, findElement } from './xml-tree.ts';

/** Names of XML elements that text extraction does not need. */
const unusedElements = new Set('extLst timing transition spPr style'.split(' '));

/**
 * Extracts the slides of a PowerPoint presentation in their order. The title of a slide is a heading, its number is the
 * page, and its notes follow it. Omits hidden slides and shapes, comments, dates, footers and slide numbers.
 * @throws ExtractError CORRUPT_FILE, ENCRYPTED, TOO_LARGE or EMPTY_TEXT.
 */
export async function readPptx(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const parts = openOfficePackage(bytes, limits.unpackedBytes, unusedElements);
  const mainName = await parts.mainPart('ppt/presentation.xml');
  const presentation = await parts.readPart(mainName);
  if (presentation === null) {
    throw new ExtractError('CORRUPT_FILE', 'The file contains no presentation.');
  }
  const relationships = await parts.relationshipsOf(mainName);
  const builder = createTextBuilder(limits.textCharacters);
  const slides = childElements(findElement(presentation, 'sldIdLst'), 'sldId');
  for (const [index, slide] of slides.entries()) {
    const name = relationships.get(relationshipId(slide))?.target;
    const page = index + 1;
    const sink: BlockSink = {
      add: (kind, raw, position) => builder.add(kind, raw, { ...position, page }),
    };
    if (name !== undefined) await addSlide(sink, parts, name, page);
  }
  return builder.build();
}

async function addSlide(
  sink: BlockSink,
  parts: OfficePackage,
  name: string,
  page: number,
): Promise<void> {
  const slide = await parts.readPart(name);
  if (slide === null || /^(?:0|false)$/.test(slide.attributes.show ?? '1')) return;
  const relationships = await parts.relationshipsOf(name);
  const links = await parts.linksOf(name);
  const shapes = readShapes(findElement(slide, 'cSld', 'spTree'));
  const notesName = findTarget(relationships, 'notesSlide');
  const notes = await readNotes(parts, notesName);
  const diagrams = [...relationships.values()].filter(({ kind }) =>
    ['diagramData', 'chart'].includes(kind),
  );
  const title = shapes.find(({ placeholder }) => /^(?:title|ctrTitle)$/.test(placeholder ?? ''));
  const hasContent = shapes.length > 0 || notes.length > 0 || diagrams.length > 0;
  if (!hasContent) return;
  const heading = title === undefined ? '' : titleText(title);
  sink.add('heading', heading === '' ? `Slide ${page}` : heading, { level: 1 });
  for (const shape of shapes) if (shape !== title) addShapeText(sink, shape, links);
  for (const { target } of diagrams) {
    const part = await parts.readPart(target);
    if (part === null) continue;
    addDrawnParagraphs(sink, part);
    addChartRows(sink, part);
  }
  const notesLinks = notesName === null ? links : await parts.linksOf(notesName);
  for (const shape of notes) addShapeText(sink, { ...shape, placeholder: null }, notesLinks);
}

/** Returns the shapes with the notes of a slide, without its picture, header and footer. */
async function readNotes(parts: OfficePackage, name: string | null): Promise<readonly Shape[]> {
  const part = name === null ? null : await parts.readPart(name);
  const shapes = readShapes(findElement(part ?? undefined, 'cSld', 'spTree'));
  return shapes.filter(({ placeholder }) => placeholder === 'body');
}
