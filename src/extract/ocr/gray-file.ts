import type { ImageSize } from './image-size.ts';

/**
 * Creates a white image in the PGM format. Returns the bytes of the file, and the part of these bytes that contains the
 * pixels.
 */
export function grayFile({ width, height }: ImageSize): { bytes: Uint8Array; pixels: Uint8Array } {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
  const bytes = new Uint8Array(header.length + width * height).fill(255);
  bytes.set(header);
  return { bytes, pixels: bytes.subarray(header.length) };
}
