import type { ImageType } from '../file-formats.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the size of an image in pixels without decoding it. If the headers declare several sizes, returns the largest
 * one. Returns null if they declare none.
 */
export function readImageSize(
  bytes: Uint8Array,
  type: Exclude<ImageType, 'tiff'>,
): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case 'png':
      return pngSize(view);
    case 'jpeg':
      return jpegSize(view);
    case 'webp':
      return webpSize(view);
    default: {
      const unknownType: never = type;
      throw new Error(`No size of ${String(unknownType)}`);
    }
  }
}

const endOfImage = 0xd9;

function pngSize(view: DataView): ImageSize | null {
  if (view.byteLength < 24 || view.getUint32(12) !== 0x49484452) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/**
 * Returns the size of the largest frame of the first image, because a hostile file may contain several frames. Other
 * data, such as a video, may follow the image. Source: ITU T.81, annex B.
 */
function jpegSize(view: DataView): ImageSize | null {
  const frames: ImageSize[] = [];
  for (let at = 2; at + 9 <= view.byteLength; ) {
    const marker = view.getUint8(at) === 0xff ? view.getUint8(at + 1) : null;
    if (marker === endOfImage) break;
    if (marker !== null && isFrame(marker)) {
      frames.push({ height: view.getUint16(at + 5), width: view.getUint16(at + 7) });
    }
    at += marker !== null && hasLength(marker) ? 2 + view.getUint16(at + 2) : 1;
  }
  return largest(frames);
}

/** Whether the marker starts a frame. DHT, JPG and DAC are in the same range, but do not start frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Whether the marker is followed by the length of its segment. Other values occur inside compressed data. */
function hasLength(marker: number): boolean {
  return marker >= 0xc0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd9);
}

/** Returns the size of a WebP image. Source: RFC 9649, sections 2.5 to 2.7. */
function webpSize(view: DataView): ImageSize | null {
  if (view.byteLength < 30) return null;
  const kind = view.getUint32(12);
  if (kind === 0x56503858) {
    return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  }
  if (kind === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (kind !== 0x56503820) return null;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
}

function largest(sizes: readonly ImageSize[]): ImageSize | null {
  if (sizes.length === 0) return null;
  return sizes.reduce((best, size) =>
    size.width * size.height > best.width * best.height ? size : best,
  );
}
