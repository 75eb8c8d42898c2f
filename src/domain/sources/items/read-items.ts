import { createHash } from 'node:crypto';
import { detectFileType } from '../../../extract/detect/detect-file-type.ts';
import { type FileType, fileFormats, isImageType } from '../../../extract/file-formats.ts';
import { DomainError } from '../../../platform/errors.ts';
import {
  type ItemReader,
  maxRunMs,
  type ReadItem,
  SourceError,
  type SourceItem,
  type SourceReading,
} from '../connector.ts';
import { addRefusal, addWarning, outcomeCounters, storeReport } from '../run-report.ts';
import { cleanName, shortenExternalId, writeSourceDocument } from '../source-document.ts';
import { findPages, type KnownPage, keepPages, removeUnseen, storePage } from '../source-pages.ts';

/** Number of items that are compared with the database at a time. */
const batchItems = 100;

/**
 * Makes the documents of a source equal to the items of a reader. Reads an item only if its version differs from the
 * version from which its document was made. The reader's signal also aborts when the time of the run is over. Returns
 * null, or the reason why the documents may still differ.
 */
export async function readItems(
  reading: SourceReading,
  createReader: (reading: SourceReading) => ItemReader,
  maxItems: number,
): Promise<string | null> {
  const { context, source, run, report } = reading;
  const timeLimit = AbortSignal.timeout(
    Math.max(0, run.startedAt.getTime() + maxRunMs - Date.now()),
  );
  const signal = AbortSignal.any([context.signal, timeLimit]);
  const reader = createReader({ ...reading, context: { ...context, signal } });
  const { projectId, id: sourceId, confirmsRemovals } = source;
  const owner = { projectId, sourceId, runId: run.id, confirmsRemovals };
  const refuse = ({ id, sourceUrl }: SourceItem, reason: string) =>
    addRefusal(report, sourceUrl ?? id, reason);
  const warn = ({ id, sourceUrl }: SourceItem, leftOut: readonly string[]) => {
    for (const reason of leftOut) addWarning(report, sourceUrl ?? id, reason);
  };
  const takenIds = new Set<string>();
  const unread = { count: 0, reason: '' };

  /** Returns the items with a new external id. Refuses items whose external id another item of this run already has. */
  const withoutTwins = async (items: readonly SourceItem[]): Promise<SourceItem[]> => {
    const firsts: SourceItem[] = [];
    for (const item of items) {
      const externalId = externalIdOf(source, item);
      if (takenIds.has(externalId)) {
        const refusal = 'Another file has the same name in Unicode normal form';
        refuse(item, refusal);
        await storePage(context, owner, item.id, { externalId: null, etag: null, refusal });
      } else firsts.push(item);
      takenIds.add(externalId);
    }
    return firsts;
  };

  /** Returns the items that have to be read. Counts the other items. */
  const compare = async (items: readonly SourceItem[]): Promise<SourceItem[]> => {
    const ids = items.map(({ id }) => id);
    const known = await findPages(context, owner, ids);
    const kept: string[] = [];
    const changed = items.filter((item) => {
      const page = known.get(item.id);
      if (page === undefined || !isRead(page, item)) return true;
      if (page.refusal !== null) refuse(item, page.refusal);
      warn(item, page.leftOut);
      // An earlier process has already read and counted the item in this run. Then that process died.
      if (page.runId === run.id) return false;
      kept.push(item.id);
      if (page.refusal === null) report.unchanged += 1;
      return false;
    });
    await keepPages(context, owner, kept);
    return changed;
  };

  const take = async ({ item, content }: ReadItem): Promise<void> => {
    report.fetched += 1;
    const etag = versionOf(item);
    if (content.type === 'refused') {
      refuse(item, content.reason);
      if (!content.isFinal && content.isMissing !== true) {
        unread.count += 1;
        unread.reason ||= content.reason;
        return keepPages(context, owner, [item.id]);
      }
      const refused = { externalId: null, refusal: content.reason };
      const version = content.isMissing === true ? null : etag;
      return storePage(context, owner, item.id, { ...refused, etag: version });
    }
    const name = cleanName(item.name);
    const isFile = content.type === 'file';
    const refusal = isFile ? formatProblem(name, content.body) : null;
    if (refusal !== null) {
      refuse(item, refusal);
      return storePage(context, owner, item.id, { externalId: null, etag, refusal });
    }
    const externalId = externalIdOf(source, item);
    const { sourceUrl, path } = item;
    const document = { projectId, sourceId, externalId, sourceUrl, path, name };
    const text = isFile
      ? { content: content.body }
      : { content: content.markdown, metadata: content.metadata };
    const outcome = await writeSourceDocument(context, { ...document, ...text });
    if (typeof outcome === 'object') {
      refuse(item, outcome.reason);
      const unread = { externalId: null, etag: null, refusal: outcome.reason };
      return storePage(context, owner, item.id, unread);
    }
    report[outcomeCounters[outcome]] += 1;
    const leftOut = content.type === 'text' && content.leftOut ? [content.leftOut] : [];
    warn(item, leftOut);
    await storePage(context, owner, item.id, { externalId, etag, refusal: null, leftOut });
  };

  const readAll = async (): Promise<string | null> => {
    // After a process has died, this process compares the whole list again. So it finds all refusals and warnings
    // again.
    report.refused = 0;
    report.refusals.length = 0;
    report.warnings.length = 0;
    let count = 0;
    for await (const items of inBatches(reader.list())) {
      signal.throwIfAborted();
      const allowed = await withoutTwins(items.slice(0, maxItems - count));
      count += items.length;
      for await (const item of reader.read(await compare(allowed))) {
        await take(item);
        await storeReport(context, run, report);
      }
      await storeReport(context, run, report);
      if (count > maxItems) return `The source has more than ${maxItems} files`;
    }
    const [refusal] = report.refusals;
    if (refusal !== undefined && report.added + report.changed + report.unchanged === 0) {
      return `No file could be read: ${refusal.reason}`;
    }
    return null;
  };

  try {
    const error = await readAll();
    if (error !== null) return error;
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    if (error instanceof DomainError && error.code === 'QUOTA_EXCEEDED') return error.message;
    if (timeLimit.aborted && !context.signal.aborted && error === timeLimit.reason) {
      return 'The run took too long';
    }
    throw error;
  }
  const held = await removeUnseen(context, owner, run, report);
  if (held !== null || unread.count === 0) return held;
  return `Files that could not be read, and keep their documents: ${unread.count}. ${unread.reason}`;
}

function externalIdOf(source: { readonly id: string }, item: SourceItem): string {
  return shortenExternalId(`${source.id}:${item.id}`);
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
  return `The file's format is not supported. Supported formats: ${documentFormats()}`;
}

function documentFormats(): string {
  const types = (Object.keys(fileFormats) as FileType[]).filter((type) => !isImageType(type));
  return types.map((type) => fileFormats[type].label).join(', ');
}

async function* inBatches(items: AsyncIterable<SourceItem>): AsyncGenerator<SourceItem[]> {
  let batch: SourceItem[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < batchItems) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
