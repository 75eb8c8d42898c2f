import { inflateSync } from 'node:zlib';
import type { Pixels } from '../pdf/pdf-drawn-images.ts';

/** Reads a PNG image with 1 or 8 bits of gray, the formats that Tesseract writes. Returns null for any other image. */
export function readGrayPng(file: Uint8Array): Pixels | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const bits = bytes[24];
  if (bytes.length < 33 || (bits !== 1 && bits !== 8) || bytes[25] !== 0 || bytes[28] !== 0) {
    return null;
  }
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const stride = Math.ceil((width * bits) / 8);
  const size = (stride + 1) * height;
  const rows = inflateSync(compressedRows(bytes), { maxOutputLength: Math.max(1, size) });
  if (rows.length < size) return null;
  const data = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x > 0 ? (data[at - 1] ?? 0) : 0;
      const up = y > 0 ? (data[at - stride] ?? 0) : 0;
      const corner = x > 0 && y > 0 ? (data[at - stride - 1] ?? 0) : 0;
      data[at] = (rows[y * (stride + 1) + x + 1] ?? 0) + predict(filter, left, up, corner);
    }
  }
  return { width, height, data, bytesPerPixel: bits === 1 ? 0 : 1 };
}

function compressedRows(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return Buffer.concat(parts);
}

/**
 * Returns the predicted value of a pixel. The file stores only the difference from it. Source: PNG specification,
 * section 9.
 */
function predict(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
