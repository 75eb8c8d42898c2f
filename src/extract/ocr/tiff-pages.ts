export interface TiffPage {
  /** Position of the page's directory in the file. */
  readonly offset: number;
  readonly size: { readonly width: number; readonly height: number };
}

const maxPages = 10_000;
const widthTag = 256;
const heightTag = 257;
const shortType = 3;

/** Returns the pages of a TIFF. Follows the chain of directories, and stops at the first damaged directory. */
export function readTiffPages(bytes: Uint8Array): TiffPage[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 8) return [];
  const isLittleEndian = view.getUint8(0) === 0x49;
  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  let offset = view.getUint32(4, isLittleEndian);
  while (offset !== 0 && offset + 2 <= view.byteLength && !seen.has(offset)) {
    seen.add(offset);
    const end = offset + 2 + view.getUint16(offset, isLittleEndian) * 12;
    if (end + 4 > view.byteLength || pages.length === maxPages) break;
    pages.push({ offset, size: readSize(view, offset + 2, end, isLittleEndian) });
    offset = view.getUint32(end, isLittleEndian);
  }
  return pages;
}

/** Returns the file with the given page as its first page, because decoders read only the first page. */
export function withFirstTiffPage(bytes: Uint8Array, { offset }: TiffPage): Uint8Array {
  const copy = new Uint8Array(bytes);
  new DataView(copy.buffer).setUint32(4, offset, copy[0] === 0x49);
  return copy;
}

/** Returns the largest width and height in a directory. A hostile directory may contain an entry several times. */
function readSize(view: DataView, start: number, end: number, isLittleEndian: boolean) {
  const size = { width: 0, height: 0 };
  for (let at = start; at < end; at += 12) {
    const tag = view.getUint16(at, isLittleEndian);
    if (tag !== widthTag && tag !== heightTag) continue;
    const isShort = view.getUint16(at + 2, isLittleEndian) === shortType;
    const value = isShort
      ? view.getUint16(at + 8, isLittleEndian)
      : view.getUint32(at + 8, isLittleEndian);
    const name = tag === widthTag ? 'width' : 'height';
    size[name] = Math.max(size[name], value);
  }
  return size;
}
