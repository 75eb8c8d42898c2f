import { posix } from 'node:path';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { ExtractError } from './extracted-text.ts';
import { childElements, parseXml, type XmlElement } from './xml-tree.ts';

const maxEntries = 20_000;
/**
 * Maximum ratio of unpacked to packed size. A zip bomb can reach 1,032 with Deflate; the XML of real documents stays
 * far below 250.
 */
const maxCompressionRatio = 250;
const minRatioCheckBytes = 20 * 1024 * 1024;

/** Names of XML elements that text extraction does not need. */
const unusedElements = new Set(
  'proofErr bookmarkStart bookmarkEnd instrText delInstrText delText fldData rFonts lang color sz szCs bCs shd'.split(
    ' ',
  ),
);

/** Parts of an Open Packaging file (ISO/IEC 29500-2). Parts are parsed on demand. */
export interface DocxPackage {
  /** Parses a part. Returns null if it does not exist. */
  readPart(name: string): Promise<XmlElement | null>;
  /** Returns the relationships of a part, or those of the whole package for '', by relationship id. */
  relationshipsOf(partName: string): Promise<ReadonlyMap<string, Relationship>>;
}

export interface Relationship {
  /** Last segment of the relationship type URI: `footnotes`, `header`, `styles`, … */
  readonly kind: string;
  readonly target: string;
}

/**
 * Unpacks the XML parts of a DOCX file and checks its limits.
 * @throws ExtractError TOO_LARGE when the zip exceeds a limit, CORRUPT_FILE when the zip is damaged.
 */
export function openDocxPackage(bytes: Uint8Array, maxUnpackedBytes: number): DocxPackage {
  const parts = unpackXml(bytes, maxUnpackedBytes);
  const readPart = async (name: string): Promise<XmlElement | null> => {
    const part = parts.get(name.toLowerCase());
    return part === undefined ? null : parseXml(part, unusedElements);
  };
  return {
    readPart,
    async relationshipsOf(partName) {
      const directory = posix.dirname(partName);
      const file = posix.join(directory, '_rels', `${posix.basename(partName)}.rels`);
      const found = new Map<string, Relationship>();
      for (const element of childElements((await readPart(file)) ?? undefined, 'Relationship')) {
        const { Id = '', Type = '', Target = '', TargetMode } = element.attributes;
        if (TargetMode === 'External') continue;
        const target = Target.startsWith('/') ? Target.slice(1) : posix.join(directory, Target);
        found.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), target });
      }
      return found;
    },
  };
}

function unpackXml(bytes: Uint8Array, maxUnpackedBytes: number): Map<string, Uint8Array> {
  let entries = 0;
  let unpacked = 0;
  const shouldUnpack = (entry: UnzipFileInfo): boolean => {
    entries += 1;
    unpacked += entry.originalSize;
    const isBomb =
      entry.originalSize > minRatioCheckBytes &&
      entry.originalSize > entry.size * maxCompressionRatio;
    if (entries > maxEntries || unpacked > maxUnpackedBytes || isBomb) {
      throw new ExtractError('TOO_LARGE', 'The unpacked file exceeds the size limit.');
    }
    return /\.(?:xml|rels)$/i.test(entry.name);
  };
  try {
    const parts = Object.entries(unzipSync(bytes, { filter: shouldUnpack }));
    return new Map(parts.map(([name, part]) => [name.toLowerCase(), part]));
  } catch (error) {
    if (error instanceof ExtractError) throw error;
    throw new ExtractError('CORRUPT_FILE', 'The file is not a complete zip archive.', {
      cause: error,
    });
  }
}
