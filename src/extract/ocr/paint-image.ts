import type { Matrix, Pixels } from '../pdf/pdf-drawn-images.ts';

interface GrayPixels {
  readonly width: number;
  readonly height: number;
  /** One byte per pixel, 255 for white. */
  readonly data: Uint8Array;
}

/** Maximum number of samples per direction. The value of a pixel is the mean of the samples in both directions. */
const maxSamples = 3;

/**
 * Paints an image on a gray page.
 * @param matrix maps the unit square to pixels of the page. The top of the image is at y = 1.
 */
export function paintImage(page: GrayPixels, image: Pixels, matrix: Matrix): void {
  const [a, b, c, d, e, f] = matrix;
  const determinant = a * d - b * c;
  if (!Number.isFinite(determinant) || Math.abs(determinant) < 1e-6) return;
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  const left = Math.max(0, Math.floor(Math.min(...xs)));
  const right = Math.min(page.width, Math.ceil(Math.max(...xs)));
  const top = Math.max(0, Math.floor(Math.min(...ys)));
  const bottom = Math.min(page.height, Math.ceil(Math.max(...ys)));
  const samples = samplesPerPixel(image, Math.abs(determinant));
  const isEnlarged = image.width * image.height < Math.abs(determinant) * 0.9;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      let sum = 0;
      let count = 0;
      for (let part = 0; part < samples * samples; part += 1) {
        const dx = x + ((part % samples) + 0.5) / samples - e;
        const dy = y + (Math.floor(part / samples) + 0.5) / samples - f;
        const u = (d * dx - c * dy) / determinant;
        const v = 1 - (a * dy - b * dx) / determinant;
        if (u < 0 || u >= 1 || v < 0 || v >= 1) continue;
        const [column, row] = [u * image.width, v * image.height];
        sum += isEnlarged ? interpolate(image, column, row) : grayAt(image, column, row);
        count += 1;
      }
      if (count > 0) page.data[y * page.width + x] = sum / count;
    }
  }
}

/**
 * Returns the number of samples per direction that are needed to cover the image's pixels inside one pixel of the page.
 */
function samplesPerPixel({ width, height }: Pixels, pagePixels: number): number {
  const ratio = Math.sqrt((width * height) / pagePixels);
  return Math.min(maxSamples, Math.max(1, Math.round(ratio)));
}

/** Returns the brightness at a point, interpolated between the centers of the four nearest pixels. */
function interpolate(image: Pixels, x: number, y: number): number {
  const left = Math.max(0, Math.floor(x - 0.5));
  const top = Math.max(0, Math.floor(y - 0.5));
  const right = Math.min(image.width - 1, left + 1);
  const bottom = Math.min(image.height - 1, top + 1);
  const dx = Math.max(0, x - 0.5 - left);
  const dy = Math.max(0, y - 0.5 - top);
  const upper = grayAt(image, left, top) * (1 - dx) + grayAt(image, right, top) * dx;
  const lower = grayAt(image, left, bottom) * (1 - dx) + grayAt(image, right, bottom) * dx;
  return upper * (1 - dy) + lower * dy;
}

/** Returns the brightness of a pixel on a white background. Source of the weights: ITU-R BT.601. */
function grayAt({ width, data, bytesPerPixel }: Pixels, column: number, row: number): number {
  const [x, y] = [Math.floor(column), Math.floor(row)];
  if (bytesPerPixel === 0) {
    const byte = data[y * Math.ceil(width / 8) + (x >> 3)] ?? 255;
    return (byte >> (7 - (x & 7))) & 1 ? 255 : 0;
  }
  const at = (y * width + x) * bytesPerPixel;
  const red = data[at] ?? 255;
  if (bytesPerPixel === 1) return red;
  const gray = red * 0.299 + (data[at + 1] ?? 255) * 0.587 + (data[at + 2] ?? 255) * 0.114;
  if (bytesPerPixel === 3) return gray;
  const alpha = (data[at + 3] ?? 255) / 255;
  return gray * alpha + 255 * (1 - alpha);
}
