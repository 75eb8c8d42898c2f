import type { PDFPageProxy } from 'pdfjs-dist';

/** A PDF transformation matrix: `x' = a x + c y + e`, `y' = b x + d y + f`. */
export type Matrix = readonly [number, number, number, number, number, number];

/** A picture that a page draws. */
export interface DrawnImage {
  /** Null if the picture is damaged or in a format that pdf.js cannot read. */
  readonly pixels: Pixels | null;
  /** Maps the unit square to points on the page. The top of the picture is at y = 1. */
  readonly matrix: Matrix;
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /**
   * The pixels: either rows of bits, where 1 is white and each row is padded to whole bytes, or 1, 3 or 4 bytes per
   * pixel.
   */
  readonly data: Uint8Array;
  readonly bytesPerPixel: 0 | 1 | 3 | 4;
}

const maxImages = 2_000;
const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the pictures of a page in drawing order. Leaves out pictures with too many pixels. */
export async function readDrawnImages(page: PDFPageProxy): Promise<DrawnImage[]> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const { fnArray, argsArray } = await page.getOperatorList();
  const images: DrawnImage[] = [];
  const stack: Matrix[] = [];
  let matrix = identity;
  for (const [index, operator] of fnArray.entries()) {
    const args: unknown[] = argsArray[index] ?? [];
    if (operator === OPS.save) stack.push(matrix);
    else if (operator === OPS.restore) matrix = stack.pop() ?? identity;
    else if (operator === OPS.transform) matrix = multiply(matrix, toMatrix(args));
    else if (operator === OPS.paintFormXObjectBegin) {
      stack.push(matrix);
      matrix = multiply(matrix, toMatrix(args[0]));
    } else if (operator === OPS.paintFormXObjectEnd) matrix = stack.pop() ?? identity;
    else if (operator === OPS.paintImageXObject || operator === OPS.paintInlineImageXObject) {
      images.push({ pixels: toPixels(await findObject(page, args[0])), matrix });
    } else if (operator === OPS.paintImageMaskXObject) {
      const mask = await findObject(page, args[0]);
      images.push({ pixels: toPixels(mask, { isMask: true }), matrix });
    }
    if (images.length === maxImages) break;
  }
  return images;
}

export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [
    a * p + c * q,
    b * p + d * q,
    a * r + c * s,
    b * r + d * s,
    a * t + c * u + e,
    b * t + d * u + f,
  ];
}

/** Converts the arguments of a transform operator to a matrix. A form without a matrix has null as arguments. */
function toMatrix(values: unknown): Matrix {
  if (values === null || typeof values !== 'object') return identity;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Object.values(values).map(Number);
  return [a, b, c, d, e, f];
}

/** Returns the object that is the argument of an operator. The argument is the object itself or its name. */
async function findObject(page: PDFPageProxy, reference: unknown): Promise<unknown> {
  const id = typeof reference === 'string' ? reference : propertyOf(reference, 'data');
  if (typeof id !== 'string') return reference;
  const objects = id.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => objects.get(id, resolve));
}

const grayBits = 1;
const bytesPerPixelOfKind = new Map<unknown, 3 | 4>([
  [2, 3],
  [3, 4],
]);

/** Converts an image of pdf.js. Its `kind` is 1 (bits), 2 (RGB) or 3 (RGBA). A mask paints where a bit is 0. */
function toPixels(image: unknown, { isMask = false } = {}): Pixels | null {
  const width = Number(propertyOf(image, 'width'));
  const height = Number(propertyOf(image, 'height'));
  const source = propertyOf(image, 'data');
  if (!(source instanceof Uint8Array || source instanceof Uint8ClampedArray)) return null;
  if (!(width > 0 && height > 0)) return null;
  const data = new Uint8Array(source.buffer, source.byteOffset, source.length);
  const kind = propertyOf(image, 'kind');
  const isBits = isMask || kind === grayBits;
  const bytesPerPixel = isBits ? 0 : bytesPerPixelOfKind.get(kind);
  if (bytesPerPixel === undefined) return null;
  const size = isBits ? Math.ceil(width / 8) * height : width * height * bytesPerPixel;
  return data.length < size ? null : { width, height, data, bytesPerPixel };
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
