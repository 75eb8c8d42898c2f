import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import type { ImageType } from '../file-formats.ts';
import { groupLinesIntoBlocks } from '../pdf/pdf-blocks.ts';
import type { PdfLine } from '../pdf/pdf-lines.ts';
import { detectStyle } from '../pdf/pdf-style.ts';
import { createTextBuilder } from '../text-builder.ts';
import { readOrientation } from './image-orientation.ts';
import { readImageSize } from './image-size.ts';
import { type PageImage, type PageRecognizer, tooManyPages } from './page-recognizer.ts';
import { readTiffPages, withFirstTiffPage } from './tiff-pages.ts';

const noText = 'OCR found no text in the image.';

/**
 * Extracts the text of an image by OCR. Reads all pages of a TIFF, and the first frame of an animated PNG.
 * @throws ExtractError UNSUPPORTED_FILE when OCR is turned off or not installed, EMPTY_TEXT, CORRUPT_FILE, and
 * TOO_LARGE when the image has too many pixels or pages.
 */
export async function readImage(
  type: ImageType,
  bytes: Uint8Array,
  limits: ExtractLimits,
  recognizer: PageRecognizer,
): Promise<ExtractedText> {
  if (recognizer.mode === 'OFF') {
    throw new ExtractError(
      'UNSUPPORTED_FILE',
      'OCR is turned off in this project, so that images cannot be read. Turn it on in the settings of the project.',
    );
  }
  const pages: PdfLine[][] = [];
  for (const image of pageImages(type, bytes, recognizer.pagesLeft))
    pages.push((await recognizer.recognize(() => image)) ?? []);
  const style = detectStyle(pages);
  const builder = createTextBuilder(limits.textCharacters, noText);
  pages.forEach((lines, index) => {
    for (const { kind, text, level } of groupLinesIntoBlocks(lines, style)) {
      const page = type === 'tiff' ? { page: index + 1 } : {};
      builder.add(kind, text, level === undefined ? page : { level, ...page });
    }
  });
  return builder.build();
}

function* pageImages(type: ImageType, bytes: Uint8Array, maxPages: number): Generator<PageImage> {
  if (type === 'tiff') {
    const pages = readTiffPages(bytes);
    if (pages.length === 0) throw damaged();
    if (pages.length > maxPages) throw tooManyPages(maxPages);
    for (const page of pages) {
      const { size } = page;
      yield { bytes: withFirstTiffPage(bytes, page), size, dotsPerInch: null };
    }
    return;
  }
  const size = readImageSize(bytes, type);
  if (size === null || size.width * size.height === 0) throw damaged();
  const orientation = type === 'jpeg' ? readOrientation(bytes) : 1;
  yield { bytes, size, orientation, dotsPerInch: null };
}

function damaged(): ExtractError {
  return new ExtractError('CORRUPT_FILE', 'The image is damaged: its size is missing.');
}
