import type { PDFPageProxy } from 'pdfjs-dist';
import { grayFile } from '../ocr/gray-file.ts';
import type { PageImage } from '../ocr/page-recognizer.ts';
import { paintImage } from '../ocr/paint-image.ts';
import { type DrawnImage, type Matrix, multiply, readDrawnImages } from './pdf-drawn-images.ts';

const pointsPerInch = 72;
/** Resolution at which Tesseract reads small letters best. Scans with a lower resolution are enlarged. */
const usualDotsPerInch = 300;
/** Maximum number of pixels of a page image. An A3 page at 300 dpi has 17 million pixels. */
const maxPagePixels = 20_000_000;
/** Minimum area of a picture in square points. Smaller pictures are icons and rules. */
const minPictureArea = 40 * 15;

/**
 * Returns the pictures of a page as one gray image. Each picture is painted where the page draws it, because scanners
 * split pages into strips and rotate them. Returns null if no picture of the page is large enough for text.
 */
export async function readPageImage(page: PDFPageProxy): Promise<PageImage | null> {
  const images = await readDrawnImages(page);
  if (!images.some((image) => areaOf(image) >= minPictureArea)) return null;
  const { width: widthPoints, height: heightPoints } = page.getViewport({ scale: 1 });
  const pagePixels = (widthPoints * heightPoints * usualDotsPerInch ** 2) / pointsPerInch ** 2;
  const dotsPerInch = usualDotsPerInch * Math.min(1, Math.sqrt(maxPagePixels / pagePixels));
  const viewport = page.getViewport({ scale: dotsPerInch / pointsPerInch });
  const size = { width: Math.ceil(viewport.width), height: Math.ceil(viewport.height) };
  if (!(size.width > 0 && size.height > 0) || size.width * size.height > maxPagePixels * 1.1) {
    return null;
  }
  const { bytes, pixels } = grayFile(size);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = viewport.transform;
  const toPage: Matrix = [a, b, c, d, e, f];
  for (const { pixels: source, matrix } of images) {
    paintImage({ ...size, data: pixels }, source, multiply(toPage, matrix));
  }
  return { bytes, size, dotsPerInch };
}

function areaOf({ matrix: [a, b, c, d] }: DrawnImage): number {
  return Math.abs(a * d - b * c);
}
