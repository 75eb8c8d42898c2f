import { posix } from 'node:path';
import { unpackArchive } from '../unpack-archive.ts';
import { childElements, parseXml, type TakeElement, type XmlElement } from '../xml-tree.ts';

/** Parts of an Open Packaging file (ISO/IEC 29500-2): DOCX, XLSX or PPTX. A part is parsed only when it is read. */
export interface OfficePackage {
  /**
   * Parses a part. Returns null if it does not exist.
   * @param take see `parseXml`.
   */
  readPart(name: string, take?: TakeElement): Promise<XmlElement | null>;
  /** Parses a part that is only counted and not read. Returns undefined if the part does not exist or is damaged. */
  readOptionalPart(name: string): Promise<XmlElement | undefined>;
  /** Returns the content of a part, or null if it does not exist. */
  readBytes(name: string): Uint8Array | null;
  /** Returns the relationships of a part by relationship id. For '', returns those of the whole package. */
  relationshipsOf(partName: string): Promise<Relationships>;
  /** Returns the external addresses to which the links of a part lead, by relationship id. */
  linksOf(partName: string): Promise<ReadonlyMap<string, string>>;
  /** Returns the name of the main part. Returns `fallback` if the package does not name it. */
  mainPart(fallback: string): Promise<string>;
}

export type Relationships = ReadonlyMap<string, Relationship>;

interface Relationship {
  /** Last segment of the relationship type URI: `footnotes`, `header`, `styles`, … */
  readonly kind: string;
  readonly target: string;
}

/**
 * Unpacks the XML parts of an Office file and checks its limits.
 * @param unused names of XML elements that are omitted with their content.
 * @param entries pattern for the names of the entries to unpack.
 * @throws ExtractError TOO_LARGE, ENCRYPTED or CORRUPT_FILE.
 */
export function openOfficePackage(
  bytes: Uint8Array,
  maxUnpackedBytes: number,
  unused: ReadonlySet<string>,
  entries = /\.(?:xml|rels)$/i,
): OfficePackage {
  const parts = unpackArchive(bytes, maxUnpackedBytes, entries);
  const readPart = async (name: string, take?: TakeElement): Promise<XmlElement | null> => {
    const part = parts.get(name.toLowerCase());
    return part === undefined ? null : parseXml(part, unused, take);
  };
  /**
   * Relationship elements by the name of the part. Stored, because internal and external relationships are read from
   * the same file.
   */
  const elementsOf = new Map<string, Promise<XmlElement[]>>();
  const relationshipElements = (partName: string): Promise<XmlElement[]> => {
    const known = elementsOf.get(partName) ?? readRelationships(partName);
    elementsOf.set(partName, known);
    return known;
  };
  const readRelationships = async (partName: string): Promise<XmlElement[]> => {
    const file = posix.join(posix.dirname(partName), '_rels', `${posix.basename(partName)}.rels`);
    return childElements((await readPart(file)) ?? undefined, 'Relationship');
  };
  const relationshipsOf = async (partName: string): Promise<Relationships> => {
    const directory = posix.dirname(partName);
    const found = new Map<string, Relationship>();
    for (const element of await relationshipElements(partName)) {
      const { Id = '', Type = '', Target = '' } = element.attributes;
      if (isExternal(element)) continue;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(directory, Target);
      found.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), target });
    }
    return found;
  };
  const linksOf = async (partName: string): Promise<Map<string, string>> => {
    const elements = (await relationshipElements(partName)).filter(isExternal);
    return new Map(elements.map(({ attributes: { Id = '', Target = '' } }) => [Id, Target]));
  };
  return {
    readPart,
    readOptionalPart: async (name) => (await readPart(name).catch(() => null)) ?? undefined,
    readBytes: (name) => parts.get(name.toLowerCase()) ?? null,
    relationshipsOf,
    linksOf,
    async mainPart(fallback) {
      return findTarget(await relationshipsOf(''), 'officeDocument') ?? fallback;
    },
  };
}

/** Returns the name of the part to which the first relationship of a kind refers, or null. */
export function findTarget(relationships: Relationships, kind: string): string | null {
  for (const relationship of relationships.values()) {
    if (relationship.kind === kind) return relationship.target;
  }
  return null;
}

/** Whether a relationship refers to an embedded object or file. */
export function isEmbedded({ kind }: Relationship): boolean {
  return kind === 'oleObject' || kind === 'package';
}

/** Returns the attribute `r:id` of an element. The attribute `id` without a prefix has another meaning. */
export function relationshipId({ attributes }: XmlElement): string {
  const prefixed = Object.entries(attributes).find(([name]) => name.endsWith(':id'));
  return prefixed?.[1] ?? attributes.id ?? '';
}

function isExternal({ attributes }: XmlElement): boolean {
  return attributes.TargetMode === 'External';
}
