import { basename } from 'node:path/posix';
import { DomainError, type ErrorCode } from '../../platform/errors.ts';
import {
  FileUnreadable,
  type FolderOptions,
  type HashCache,
  readFolder,
  readFolderFile,
} from './folder-files.ts';
import { externalIdOf, type Naming, planSync, type SyncPlan, sourceUrlOf } from './plan-sync.ts';
import type { SyncTarget } from './sync-target.ts';

export interface SyncOptions extends FolderOptions, Naming {
  /** Whether more than half of the documents may be deleted. */
  readonly isForced: boolean;
  /** Only plans. */
  readonly isDryRun: boolean;
}

const concurrency = 4;
const progressEvery = 50;
const removedPerCall = 1_000;

/**
 * Makes the documents with the prefix of the sync equal to the folder. Returns what was done: `refused` also has the
 * files that the project did not take.
 * @throws DomainError CONFLICT when more than half of the documents would be deleted.
 */
export async function syncFolder(
  target: SyncTarget,
  options: SyncOptions,
  { cache, onProgress }: { readonly cache: HashCache; onProgress(message: string): void },
): Promise<SyncPlan> {
  const folder = await readFolder(options, cache);
  const documents = await target.list(options.prefix);
  const plan = planSync(folder, documents, options);
  if (options.isDryRun) return plan;
  if (plan.removed.length * 2 > documents.length && !options.isForced) {
    throw new DomainError(
      'CONFLICT',
      `${plan.removed.length} of ${documents.length} documents would be deleted, so nothing was changed. Check the folder with --dry-run, then use --force`,
    );
  }
  const done = { added: [] as string[], changed: [] as string[], refused: [...plan.refused] };
  const waiting = [
    ...plan.added.map((path) => ({ path, paths: done.added })),
    ...plan.changed.map((path) => ({ path, paths: done.changed })),
  ];
  const total = waiting.length;
  const sendNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      try {
        await send(target, options, file.path);
        file.paths.push(file.path);
      } catch (error) {
        if (!isRefusal(error)) {
          waiting.length = 0;
          throw error;
        }
        done.refused.push({ path: file.path, reason: error.message });
      }
      const sent = total - waiting.length;
      if (sent % progressEvery === 0) onProgress(`${sent} of ${total} files sent`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendNext));
  if (plan.removed.length > 0) {
    const counts = `${plan.removed.length} of ${documents.length} documents`;
    onProgress(`Deleting ${counts} whose external id starts with ${options.prefix}`);
  }
  const removedIds = plan.removed.map(({ id }) => id);
  for (let at = 0; at < removedIds.length; at += removedPerCall) {
    await target.remove(removedIds.slice(at, at + removedPerCall));
  }
  return { ...plan, ...done, added: done.added.sort(), changed: done.changed.sort() };
}

async function send(target: SyncTarget, options: SyncOptions, path: string): Promise<void> {
  const body = await readFolderFile(options, path);
  await target.put({
    externalId: externalIdOf(options, path),
    name: basename(path),
    body,
    sourceUrl: sourceUrlOf(options, path),
  });
}

/** Whether the error is about one file. Other errors, such as a full disk, end the sync before it deletes anything. */
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
