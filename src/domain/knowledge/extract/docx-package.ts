import { posix } from 'node:path';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { ExtractError } from './extracted-text.ts';
import { childElements, parseXml, type XmlElement } from './xml-tree.ts';

const MOST_ENTRIES = 20_000;
/** Deflate cannot do better than 1,032 to 1; XML of real documents stays far below this. */
const HIGHEST_RATIO = 250;
const RATIO_MATTERS_FROM_BYTES = 20 * 1024 * 1024;

/** What text extraction never needs; the names are those of elements. */
const UNUSED_ELEMENTS = new Set(
  'proofErr bookmarkStart bookmarkEnd instrText delInstrText delText fldData rFonts lang color sz szCs bCs shd'.split(
    ' ',
  ),
);

/** The parts of an Open Packaging file (ISO/IEC 29500-2), parsed when asked for. */
export interface DocxPackage {
  /** Null when there is no such part. */
  readPart(name: string): Promise<XmlElement | null>;
  /** The part names that `partName` ('' for the package) points at, by relationship id. */
  relationshipsOf(partName: string): Promise<ReadonlyMap<string, Relationship>>;
}

export interface Relationship {
  /** The last word of the relationship's type: `footnotes`, `header`, `styles`, … */
  readonly kind: string;
  readonly target: string;
}

/** Checks the zip's directory, then unpacks its XML. Throws `ExtractError`. */
export function openDocxPackage(bytes: Uint8Array, maxUnpackedBytes: number): DocxPackage {
  const parts = unpackXml(bytes, maxUnpackedBytes);
  const readPart = async (name: string): Promise<XmlElement | null> => {
    const part = parts.get(name.toLowerCase());
    return part === undefined ? null : parseXml(part, UNUSED_ELEMENTS);
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
  const wanted = (entry: UnzipFileInfo): boolean => {
    entries += 1;
    unpacked += entry.originalSize;
    const isBomb =
      entry.originalSize > RATIO_MATTERS_FROM_BYTES &&
      entry.originalSize > entry.size * HIGHEST_RATIO;
    if (entries > MOST_ENTRIES || unpacked > maxUnpackedBytes || isBomb) {
      throw new ExtractError('TOO_LARGE', 'The file unpacks to more than the service reads.');
    }
    return /\.(?:xml|rels)$/i.test(entry.name);
  };
  try {
    const parts = Object.entries(unzipSync(bytes, { filter: wanted }));
    return new Map(parts.map(([name, part]) => [name.toLowerCase(), part]));
  } catch (error) {
    if (error instanceof ExtractError) throw error;
    throw new ExtractError('CORRUPT_FILE', 'The file is no complete zip archive.', {
      cause: error,
    });
  }
}
