const orientationTag = 0x0112;
const exifWindowBytes = 70_000;

/**
 * Returns the orientation in which the camera took the image: the Exif value from 1 (upright) to 8. Returns 1 if the
 * image has no Exif data.
 */
export function readOrientation(bytes: Uint8Array): number {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, exifWindowBytes));
  const start = head.indexOf('Exif\0\0', 0, 'latin1') + 6;
  if (start < 6 || start + 8 > head.length) return 1;
  const isLittleEndian = head[start] === 0x49;
  const view = new DataView(head.buffer, head.byteOffset + start, head.length - start);
  const directory = view.getUint32(4, isLittleEndian);
  if (directory + 2 > view.byteLength) return 1;
  const entries = view.getUint16(directory, isLittleEndian);
  for (let index = 0; index < entries; index += 1) {
    const at = directory + 2 + index * 12;
    if (at + 12 > view.byteLength) return 1;
    if (view.getUint16(at, isLittleEndian) !== orientationTag) continue;
    const value = view.getUint16(at + 8, isLittleEndian);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
