import { createHash } from 'node:crypto';
import { damagedTypeOf, detectFileType } from '../../../extract/detect/detect-file-type.ts';
import {
  damagedFileProblem,
  type FileType,
  fileFormats,
  isImageType,
} from '../../../extract/file-formats.ts';
import type { ItemContent, ReadItem, SourceItem, SourceReading } from '../connector.ts';
import { addRefusal, addWarning, countWritten } from '../run-report.ts';
import { cleanName, shortenExternalId, writeSourceDocument } from '../source-document.ts';
import {
  findPages,
  type KnownPage,
  keepPages,
  type PageOwner,
  storePage,
} from '../source-pages.ts';

type Refused = Extract<ItemContent, { type: 'refused' }>;

/** Compares the items of a source with its documents in one run, and writes the documents of those that have changed. */
export class ItemWriter {
  readonly owner: PageOwner;
  /** Items that could not be read, and keep their documents, with the first reason. */
  readonly unread = { count: 0, reason: '' };
  readonly #reading: SourceReading;
  readonly #takenIds = new Set<string>();

  constructor(reading: SourceReading) {
    const { source, run } = reading;
    this.owner = { projectId: source.projectId, sourceId: source.id, runId: run.id };
    this.#reading = reading;
  }

  /** Returns the items with a new external id. Refuses items whose external id another item of this run already has. */
  async withoutTwins(items: readonly SourceItem[]): Promise<SourceItem[]> {
    const firsts: SourceItem[] = [];
    for (const item of items) {
      const externalId = this.#externalIdOf(item);
      if (!this.#takenIds.has(externalId)) firsts.push(item);
      else await this.#refuse(item, 'Another file has the same name in Unicode normal form', null);
      this.#takenIds.add(externalId);
    }
    return firsts;
  }

  /** Returns the items that have to be read. Counts the other items. */
  async findChanged(items: readonly SourceItem[]): Promise<SourceItem[]> {
    const { context, run, report } = this.#reading;
    const ids = items.map(({ id }) => id);
    const known = await findPages(context, this.owner, ids);
    const kept: string[] = [];
    const changed = items.filter((item) => {
      const page = known.get(item.id);
      if (page === undefined || !isRead(page, item)) return true;
      if (page.refusal !== null) addRefusal(report, addressOf(item), page.refusal);
      this.#warn(item, page.leftOut);
      // An earlier process has already read and counted the item in this run. Then that process died.
      if (page.runId === run.id) return false;
      kept.push(item.id);
      if (page.refusal === null) report.unchanged += 1;
      return false;
    });
    await keepPages(context, this.owner, kept);
    return changed;
  }

  /** Writes the document of an item, or stores why it has none. */
  async write({ item, content }: ReadItem): Promise<void> {
    const { context, report } = this.#reading;
    report.fetched += 1;
    if (content.type === 'refused') return this.#storeRefused(item, content);
    const etag = versionOf(item);
    const name = cleanName(item.name);
    const isFile = content.type === 'file';
    const problem = isFile ? formatProblem(name, content.body) : null;
    if (problem !== null) return this.#refuse(item, problem, etag);
    const { projectId, sourceId } = this.owner;
    const externalId = this.#externalIdOf(item);
    const { sourceUrl, path } = item;
    const document = { projectId, sourceId, externalId, sourceUrl, path, name };
    const text = isFile
      ? { content: content.body }
      : { content: content.markdown, metadata: content.metadata };
    const outcome = await writeSourceDocument(context, { ...document, ...text });
    if (typeof outcome === 'object') return this.#refuse(item, outcome.reason, null);
    countWritten(report, outcome, name);
    const leftOut = content.type === 'text' && content.leftOut ? [content.leftOut] : [];
    this.#warn(item, leftOut);
    await storePage(context, this.owner, item.id, { externalId, etag, refusal: null, leftOut });
  }

  async #storeRefused(item: SourceItem, { reason, isFinal, isMissing }: Refused): Promise<void> {
    if (isMissing === true) return this.#refuse(item, reason, null);
    if (isFinal) return this.#refuse(item, reason, versionOf(item));
    addRefusal(this.#reading.report, addressOf(item), reason);
    this.unread.count += 1;
    this.unread.reason ||= reason;
    await keepPages(this.#reading.context, this.owner, [item.id]);
  }

  /** Stores that the item has no document. Without a version, the next run reads it again. */
  async #refuse(item: SourceItem, refusal: string, version: string | null): Promise<void> {
    const { context, report } = this.#reading;
    addRefusal(report, addressOf(item), refusal);
    await storePage(context, this.owner, item.id, { externalId: null, etag: version, refusal });
  }

  #warn(item: SourceItem, leftOut: readonly string[]): void {
    for (const reason of leftOut) addWarning(this.#reading.report, addressOf(item), reason);
  }

  #externalIdOf(item: SourceItem): string {
    return shortenExternalId(`${this.owner.sourceId}:${item.id}`);
  }
}

function addressOf({ id, sourceUrl }: SourceItem): string {
  return sourceUrl ?? id;
}

/** Returns whether this version of the item was already read and its result still exists. */
function isRead(page: KnownPage, item: SourceItem): boolean {
  if (page.etag !== versionOf(item)) return false;
  return page.externalId === null ? page.refusal !== null : page.hasDocument;
}

/**
 * Returns the version of an item, including its address and path. They are part of the document, so a change of them is
 * also a new version.
 */
function versionOf({ version, sourceUrl, path }: SourceItem): string {
  const details = [sourceUrl, path].filter((detail) => detail != null);
  if (details.length === 0) return version;
  const hash = createHash('sha256').update(details.join('\0')).digest('hex');
  return `${version} ${hash.slice(0, 16)}`;
}

function formatProblem(name: string, body: Buffer): string | null {
  if (body.length === 0) return 'The file is empty';
  const type = detectFileType(body, name);
  if (type !== null && isImageType(type)) return 'Sources do not read images';
  if (type !== null) return null;
  const damaged = damagedTypeOf(body, name);
  if (damaged !== null) return damagedFileProblem(damaged);
  return `The file's format is not supported. Supported formats: ${documentFormats()}`;
}

function documentFormats(): string {
  const types = (Object.keys(fileFormats) as FileType[]).filter((type) => !isImageType(type));
  return types.map((type) => fileFormats[type].label).join(', ');
}
