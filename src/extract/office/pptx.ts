import { countedWas } from '../../text/counted.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { createPageTextFilter } from '../page-texts.ts';
import { type BlockSink, createTextBuilder, type TextBuilder } from '../text-builder.ts';
import { commentsLeftOut, embeddedLeftOut, listNumbers, partsMissing } from '../warning-texts.ts';
import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';
import { addChartRows } from './chart-rows.ts';
import { addDrawnParagraphs } from './drawn-paragraphs.ts';
import {
  findTarget,
  isEmbedded,
  type OfficePackage,
  openOfficePackage,
  relationshipId,
} from './office-package.ts';
import { readShapes, type Shape } from './pptx-shapes.ts';
import { addShapeText, titleText } from './pptx-text.ts';

/** Names of XML elements that text extraction does not need. */
const unusedElements = new Set('extLst timing transition spPr style'.split(' '));

/**
 * Extracts the slides of a PowerPoint presentation in order. The title of a slide becomes a heading, and its number
 * becomes the page. The notes of a slide follow its content. Each distinct footer is read once. Omits dates, slide
 * numbers and hidden shapes. Also omits hidden slides, comments and embedded objects, and adds warnings for them.
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
  const isFooterRead = createPageTextFilter();
  const leftOut: LeftOut = { hidden: [], missing: [], comments: 0, embedded: 0 };
  for (const [index, slide] of slides.entries()) {
    const name = relationships.get(relationshipId(slide))?.target;
    const page = index + 1;
    const sink: BlockSink = {
      add: (kind, raw, position) => builder.add(kind, raw, { ...position, page }),
    };
    const part = name === undefined ? null : await parts.readPart(name);
    if (name === undefined || part === null) leftOut.missing.push(name ?? `slide ${page}`);
    else if (isHidden(part)) leftOut.hidden.push(page);
    else {
      await addSlide(sink, parts, { name, part, page, isFooterRead });
      await countLeftOut(parts, name, leftOut);
    }
  }
  addWarnings(builder, leftOut);
  return builder.build();
}

/** Parts of a presentation that are missing in its extracted text. */
interface LeftOut {
  /** Numbers of hidden slides. */
  readonly hidden: number[];
  readonly missing: string[];
  comments: number;
  embedded: number;
}

function addWarnings(builder: TextBuilder, { hidden, missing, comments, embedded }: LeftOut): void {
  if (hidden.length > 0) {
    const slides = `${countedWas(hidden.length, 'hidden slide')} left out: ${listNumbers(hidden)}.`;
    builder.warn('HIDDEN_PARTS', `${slides} Unhide slides to include them.`);
  }
  builder.warn('COMMENTS', commentsLeftOut(comments));
  builder.warn('ATTACHED_FILES', embeddedLeftOut(embedded));
  builder.warn('UNREAD_PARTS', partsMissing('slide', missing));
}

function isHidden({ attributes: { show = '1' } }: XmlElement): boolean {
  return /^(?:0|false)$/.test(show);
}

async function countLeftOut(parts: OfficePackage, name: string, leftOut: LeftOut): Promise<void> {
  for (const relationship of (await parts.relationshipsOf(name)).values()) {
    if (isEmbedded(relationship)) leftOut.embedded += 1;
    const { kind, target } = relationship;
    if (kind !== 'comments') continue;
    leftOut.comments += childElements(await parts.readOptionalPart(target), 'cm').length;
  }
}

interface SlidePart {
  readonly name: string;
  readonly part: XmlElement;
  readonly page: number;
  /** Whether to read a footer, because no slide before has the same. */
  readonly isFooterRead: (text: string) => boolean;
}

async function addSlide(
  sink: BlockSink,
  parts: OfficePackage,
  { name, part: slide, page, isFooterRead }: SlidePart,
): Promise<void> {
  const relationships = await parts.relationshipsOf(name);
  const links = await parts.linksOf(name);
  const shapes = readShapes(findElement(slide, 'cSld', 'spTree')).filter(
    ({ placeholder, content }) => placeholder !== 'ftr' || isFooterRead(textOf(content).trim()),
  );
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

/** Returns the shapes that contain the notes of a slide, without its picture, header and footer. */
async function readNotes(parts: OfficePackage, name: string | null): Promise<readonly Shape[]> {
  const part = name === null ? null : await parts.readPart(name);
  const shapes = readShapes(findElement(part ?? undefined, 'cSld', 'spTree'));
  return shapes.filter(({ placeholder }) => placeholder === 'body');
}
