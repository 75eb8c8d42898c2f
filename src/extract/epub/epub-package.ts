import { posix } from 'node:path';
import { decodeHtml } from '../encoding/decode-html.ts';
import { ExtractError } from '../extracted-text.ts';
import { findHtmlElements, htmlTextOf, parseHtml } from '../html/html-tree.ts';
import { unpackArchive } from '../unpack-archive.ts';
import { childElements, findElement, parseXml, textOf, type XmlElement } from '../xml-tree.ts';

/** An EPUB book (EPUB 2.0.1 and 3.3). */
export interface EpubBook {
  readonly title: string;
  readonly authors: readonly string[];
  /** Chapters in reading order. */
  readonly chapters: readonly EpubChapter[];
  /** Chapters that are not in the book, or whose format is not supported. */
  readonly missing: readonly string[];
  /** Names of encrypted entries. Some of them may be fonts. */
  readonly encryptedNames: ReadonlySet<string>;
}

interface EpubChapter {
  /** Name of the entry in lower case. */
  readonly name: string;
  readonly content: Uint8Array;
  /** Title in the table of contents, or ''. */
  readonly title: string;
}

/** Names of the entries that are unpacked. The name of a chapter may have no extension. */
const readEntries = /(?:\.(?:xhtml|xht|html?|xml|opf|ncx|svg)|\/[^./]+)$/i;

type Entries = ReadonlyMap<string, Uint8Array>;

/** @throws ExtractError CORRUPT_FILE, ENCRYPTED or TOO_LARGE. */
export async function openEpub(bytes: Uint8Array, maxUnpackedBytes: number): Promise<EpubBook> {
  const entries = unpackArchive(bytes, maxUnpackedBytes, readEntries);
  const container = await readXml(entries, 'META-INF/container.xml');
  const rootFile = findElement(container, 'rootfiles', 'rootfile')?.attributes['full-path'] ?? '';
  const book = await readXml(entries, rootFile);
  if (book === undefined) throw new ExtractError('CORRUPT_FILE', 'The file contains no book.');
  const items = childElements(findElement(book, 'manifest'), 'item');
  const nameOf = (item: XmlElement | undefined) => resolve(rootFile, item?.attributes.href ?? '');
  const isContents = ({ attributes }: XmlElement) =>
    /\bnav\b/.test(attributes.properties ?? '') ||
    attributes['media-type'] === 'application/x-dtbncx+xml';
  const titles = new Map<string, string>();
  for (const item of items.filter(isContents)) {
    await readTitles(entries, nameOf(item), titles);
  }
  const itemsById = new Map(items.map((item) => [item.attributes.id, item]));
  const missing: string[] = [];
  const chapters = childElements(findElement(book, 'spine'), 'itemref').flatMap((reference) => {
    const item = itemsById.get(reference.attributes.idref);
    const name = nameOf(item);
    const content = entries.get(name);
    if (item !== undefined && isContents(item)) return [];
    if (item === undefined || content === undefined) {
      missing.push(item?.attributes.href ?? reference.attributes.idref ?? '');
      return [];
    }
    return [{ name, content, title: titles.get(name) ?? '' }];
  });
  const metadata = findElement(book, 'metadata');
  return {
    title: textOf(findElement(metadata, 'title') ?? emptyElement),
    authors: childElements(metadata, 'creator').map(textOf),
    chapters,
    missing,
    encryptedNames: await readEncryptedNames(entries),
  };
}

const emptyElement: XmlElement = { name: '', attributes: {}, children: [] };

/** Returns the name of the entry, in lower case, to which a reference in the file `base` leads. */
function resolve(base: string, reference: string): string {
  const path = reference.replace(/[#?].*$/s, '');
  return posix.join(posix.dirname(base), decodePath(path)).toLowerCase();
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Parses an XML entry. A document type without definitions is ignored, because EPUB 2 files have one. */
async function readXml(entries: Entries, name: string): Promise<XmlElement | undefined> {
  const entry = entries.get(name.toLowerCase());
  if (entry === undefined) return undefined;
  const text = Buffer.from(entry).toString('latin1');
  return parseXml(Buffer.from(text.replace(/<!DOCTYPE[^>[]{0,1000}>/i, ''), 'latin1'));
}

/**
 * Reads the first title of each chapter from the table of contents: a navigation document (EPUB 3) or an NCX (EPUB 2).
 */
async function readTitles(
  entries: Entries,
  name: string,
  titles: Map<string, string>,
): Promise<void> {
  const entry = entries.get(name);
  if (entry === undefined) return;
  const add = (reference: string, title: string) => {
    const chapter = resolve(name, reference);
    if (!titles.has(chapter)) titles.set(chapter, title);
  };
  if (!name.endsWith('.ncx')) {
    const root = parseHtml(await decodeHtml(entry));
    const links = findHtmlElements(root, (element) => element.name === 'a');
    for (const link of links) add(link.attributes.href ?? '', htmlTextOf(link));
    return;
  }
  const visit = (point: XmlElement) => {
    const title = findElement(point, 'navLabel', 'text');
    const reference = findElement(point, 'content')?.attributes.src;
    if (title !== undefined && reference !== undefined) add(reference, textOf(title));
    childElements(point, 'navPoint').forEach(visit);
  };
  childElements(findElement(await readXml(entries, name), 'navMap'), 'navPoint').forEach(visit);
}

async function readEncryptedNames(entries: Entries): Promise<ReadonlySet<string>> {
  const encryption = await readXml(entries, 'META-INF/encryption.xml');
  const references = childElements(encryption, 'EncryptedData').map((data) =>
    findElement(data, 'CipherData', 'CipherReference'),
  );
  return new Set(references.map((reference) => resolve('', reference?.attributes.URI ?? '')));
}
