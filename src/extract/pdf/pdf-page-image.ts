import type { PDFPageProxy } from 'pdfjs-dist';
import { ExtractError } from '../extracted-text.ts';
import { grayFile } from '../ocr/gray-file.ts';
import { maxScale, type PageImage, usualPixels } from '../ocr/page-recognizer.ts';
import { paintImage } from '../ocr/paint-image.ts';
import {
  type DrawnImage,
  type Matrix,
  multiply,
  type Pixels,
  readDrawnImages,
} from './pdf-drawn-images.ts';

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
 * @throws ExtractError CORRUPT_FILE when no picture is readable
 */
export async function readPageImage(page: PDFPageProxy): Promise<PageImage | null> {
  const images = (await readDrawnImages(page)).filter((image) => areaOf(image) > 0);
  const [largest] = images.toSorted((a, b) => areaOf(b) - areaOf(a));
  if (largest === undefined || areaOf(largest) < minPictureArea) return null;
  const { width: widthPoints, height: heightPoints } = page.getViewport({ scale: 1 });
  const maxDotsPerInch = pointsPerInch * Math.sqrt(maxPagePixels / (widthPoints * heightPoints));
  const dotsPerInch = Math.min(maxDotsPerInch, goodResolution(largest));
  const viewport = page.getViewport({ scale: dotsPerInch / pointsPerInch });
  const size = { width: Math.ceil(viewport.width), height: Math.ceil(viewport.height) };
  if (!(size.width > 0 && size.height > 0) || size.width * size.height > maxPagePixels * 1.1) {
    return null;
  }
  const { bytes, pixels } = grayFile(size);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = viewport.transform;
  const toPage: Matrix = [a, b, c, d, e, f];
  const readable = images.flatMap(({ pixels: source, matrix }) =>
    source === null ? [] : [{ source, matrix }],
  );
  if (readable.length === 0) {
    throw new ExtractError('CORRUPT_FILE', 'The picture of the page is damaged.');
  }
  for (const { source, matrix } of readable) {
    paintImage({ ...size, data: pixels }, source, multiply(toPage, matrix));
  }
  return { bytes, size, dotsPerInch };
}

/** Minimum share of light pixels in a picture of a page of paper. Most photos have fewer. */
const minPaperShare = 0.5;
/** A pixel is light from this brightness, of 255. */
const minPaperBrightness = 170;
const sampledPixels = 10_000;

/**
 * Returns the resolution at which the letters of a picture are large enough. A page that was scanned and then made
 * smaller has small letters, and more pixels per inch than usual.
 */
function goodResolution(image: DrawnImage): number {
  const pixels = image.pixels === null ? 0 : image.pixels.width * image.pixels.height;
  const native = pointsPerInch * Math.sqrt(pixels / areaOf(image));
  const scale = Math.min(maxScale, Math.sqrt(usualPixels / Math.max(1, pixels)));
  return Math.max(usualDotsPerInch, native * Math.max(1, scale));
}

/**
 * Returns the share of a page that pictures of paper cover, from 0 to 1. Overlapping pictures count twice, because
 * scanners split a page into strips and layers.
 */
export async function readScannedShare(page: PDFPageProxy): Promise<number> {
  const images = await readDrawnImages(page);
  const { width, height } = page.getViewport({ scale: 1 });
  const scanned = images.filter(({ pixels }) => pixels === null || isPaper(pixels));
  const covered = scanned.reduce((sum, image) => sum + areaOf(image), 0);
  return Math.min(1, covered / (width * height));
}

function isPaper({ width, height, data, bytesPerPixel }: Pixels): boolean {
  const count = width * height;
  const step = Math.max(1, Math.floor(count / sampledPixels));
  const rowBytes = Math.ceil(width / 8);
  const isLight = (index: number): boolean => {
    if (bytesPerPixel > 0) return (data[index * bytesPerPixel] ?? 0) >= minPaperBrightness;
    const [x, y] = [index % width, Math.floor(index / width)];
    return ((data[y * rowBytes + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0;
  };
  let [light, seen] = [0, 0];
  for (let index = 0; index < count; index += step, seen += 1) if (isLight(index)) light += 1;
  return light >= seen * minPaperShare;
}

function areaOf({ matrix: [a, b, c, d] }: DrawnImage): number {
  return Math.abs(a * d - b * c);
}
