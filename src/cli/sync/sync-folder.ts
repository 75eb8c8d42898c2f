import { basename } from 'node:path/posix';
import { maxMetadataLength } from '../../domain/knowledge/document-details.ts';
import { DomainError, type ErrorCode } from '../../platform/errors.ts';
import {
  FileUnreadable,
  type FolderOptions,
  type HashCache,
  readFolder,
  readFolderFile,
} from './folder-files.ts';
import { externalIdOf, type Naming, planSync, type SyncPlan, sourceUrlOf } from './plan-sync.ts';
import {
  originMetadata,
  renewedMetadata,
  requireSameOrigin,
  type SyncOrigin,
} from './sync-origin.ts';
import type { SyncTarget, TargetDocument } from './sync-target.ts';

export interface SyncOptions extends FolderOptions, Naming, SyncOrigin {
  /** If true, the sync may delete more than half of the documents. */
  readonly isForced: boolean;
  /** If true, the sync returns its plan and changes nothing. */
  readonly isDryRun: boolean;
}

const concurrency = 4;
const progressEvery = 50;
const removedPerCall = 1_000;

/**
 * Makes the documents with the prefix of the sync equal to the folder. Returns the plan that was carried out. Its
 * `refused` also contains the files that the project refused.
 * @throws DomainError CONFLICT when documents were sent from another folder, or the sync would delete more than half of
 * the documents
 */
export async function syncFolder(
  target: SyncTarget,
  options: SyncOptions,
  { cache, onProgress }: { readonly cache: HashCache; onProgress(message: string): void },
): Promise<SyncPlan> {
  const folder = await readFolder(options, cache);
  const documents = await target.list(options.prefix);
  requireSameOrigin(documents, options.prefix, options);
  const plan = planSync(folder, documents, options);
  if (options.isDryRun) return plan;
  if (plan.removed.length * 2 > documents.length && !options.isForced) {
    throw new DomainError(
      'CONFLICT',
      `${plan.removed.length} of ${documents.length} documents would be deleted, so nothing was changed. Check the folder with --dry-run, then use --force`,
    );
  }
  const removedIds = plan.removed.map(({ id }) => id);
  const removed = new Set(removedIds);
  const kept = documents.filter(({ id }) => !removed.has(id));
  await forEachInParallel(kept, (document) => markOrigin(target, document, options));
  const done = { added: [] as string[], changed: [] as string[], refused: [...plan.refused] };
  const waiting = [
    ...plan.added.map((path) => ({ path, paths: done.added, isNew: true })),
    ...plan.changed.map((path) => ({ path, paths: done.changed, isNew: false })),
  ];
  const total = waiting.length;
  await forEachInParallel(waiting, async ({ path, paths, isNew }) => {
    try {
      await send(target, options, path, isNew);
      paths.push(path);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      done.refused.push({ path, reason: error.message });
    }
    const sent = total - waiting.length;
    if (sent % progressEvery === 0) onProgress(`${sent} of ${total} files sent`);
  });
  if (plan.removed.length > 0) {
    const counts = `${plan.removed.length} of ${documents.length} documents`;
    onProgress(`Deleting ${counts} whose external id starts with ${options.prefix}`);
  }
  for (let at = 0; at < removedIds.length; at += removedPerCall) {
    await target.remove(removedIds.slice(at, at + removedPerCall));
  }
  return { ...plan, ...done, added: done.added.sort(), changed: done.changed.sort() };
}

/**
 * Calls `work` for every item, several at a time, and empties the list. After the first error, no further call starts.
 */
async function forEachInParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const workNext = async (): Promise<void> => {
    for (let item = items.shift(); item !== undefined; item = items.shift()) {
      try {
        await work(item);
      } catch (error) {
        items.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, workNext));
}

/**
 * Stores in the document's metadata that it was sent from this folder. Does nothing if the metadata has no room for
 * this. Reads the metadata again, because others may have changed it since the sync listed the documents.
 */
async function markOrigin(
  target: SyncTarget,
  document: TargetDocument,
  { origin }: SyncOptions,
): Promise<void> {
  const { id } = document;
  if (renewedMetadata(document.metadata, origin) === null) return;
  try {
    const metadata = renewedMetadata(await target.readMetadata(id), origin);
    if (metadata !== null) await target.setMetadata(id, metadata);
  } catch (error) {
    const isTolerated = error instanceof DomainError && toleratedCodes.has(error.code);
    if (!isTolerated) throw error;
  }
}

/**
 * Codes of errors that `markOrigin` ignores: the document was deleted in the meantime, or its metadata would be too
 * long.
 */
const toleratedCodes: ReadonlySet<string> = new Set<ErrorCode>(['NOT_FOUND', 'VALIDATION_FAILED']);

async function send(
  target: SyncTarget,
  options: SyncOptions,
  path: string,
  isNew: boolean,
): Promise<void> {
  const body = await readFolderFile(options, path);
  await target.put({
    externalId: externalIdOf(options, path),
    name: basename(path),
    body,
    sourceUrl: sourceUrlOf(options, path),
    metadata: isNew ? { ...originMetadata(options.origin), path: shortenPath(path) } : null,
  });
}

/** Returns the path, or only its end if the path is longer than a value of metadata may be. */
function shortenPath(path: string): string {
  return path.normalize('NFC').slice(-maxMetadataLength).toWellFormed();
}

/**
 * Whether the error concerns one file only. Any other error, such as a full disk, stops the sync before it deletes a
 * document.
 */
function isRefusal(error: unknown): error is Error {
  if (error instanceof DomainError) return refusalCodes.has(error.code);
  return error instanceof FileUnreadable;
}

const refusalCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'VALIDATION_FAILED',
  'CONFLICT',
]);
