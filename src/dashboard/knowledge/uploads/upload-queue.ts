import { notifySuccess } from '../../components/error-messages.tsx';
import { createProjectHook, Store } from '../../project/project-store.ts';
import type { Session } from '../../session/session.ts';
import { type UploadOutcome, uploadFile } from './upload-file.ts';
import { type UploadLimit, validateFile } from './validate-file.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'stored' | 'failed';
  /** The share of the bytes that was sent, 0 to 1. */
  readonly sent: number;
  /** Error message. Null if the upload did not fail. */
  readonly failure: string | null;
  /** Whether a retry may succeed. */
  readonly canRetry: boolean;
}

/** Browsers open at most six connections to an HTTP/1.1 server. The page needs some of these for other requests. */
const maxConcurrentUploads = 3;

/** Statuses that reject the file or the permission. A retry would be rejected, too. */
const nonRetryableStatuses = [400, 403, 413, 415];

/** HTTP status of an upload that exceeds the storage limit. */
const storageFullStatus = 402;

interface PendingFile {
  readonly file: File;
  readonly controller: AbortController;
}

/**
 * The uploads of a project. They continue when the operator opens another page of the dashboard. While uploads are
 * running, the browser asks for confirmation before it closes the window.
 */
export class UploadQueue extends Store<readonly Upload[]> {
  readonly #session: Session;
  readonly #projectId: string;
  readonly #pendingFiles = new Map<number, PendingFile>();
  /**
   * Each queue needs its own function. If all queues shared one function, a queue that finishes would also remove the
   * listener of another project's queue.
   */
  readonly #onBeforeUnload = (event: Event) => event.preventDefault();
  #lastId = 0;
  #runningCount = 0;
  /** Size in bytes of the smallest file for which the storage had no room. */
  #smallestRejectedBytes = Number.POSITIVE_INFINITY;

  constructor(session: Session, projectId: string) {
    super([]);
    this.#session = session;
    this.#projectId = projectId;
  }

  /** Queues files and rejects invalid ones. `limit` is null until the organization is loaded. */
  async add(files: readonly File[], limit: UploadLimit | null): Promise<void> {
    const failures = await Promise.all(files.map((file) => validateFile(file, limit)));
    const added = files.map((file, index) => {
      const id = ++this.#lastId;
      const failure = failures[index] ?? null;
      if (failure === null) this.#pendingFiles.set(id, { file, controller: new AbortController() });
      const state = failure === null ? ('waiting' as const) : ('failed' as const);
      return { id, name: file.name, state, sent: 0, failure, canRetry: false };
    });
    this.#smallestRejectedBytes = Number.POSITIVE_INFINITY;
    const isFinished = this.#runningCount === 0;
    this.update((all) => [
      ...all.filter(({ state }) => !(isFinished && state === 'stored')),
      ...added,
    ]);
    this.#sendNext();
  }

  /** Cancels an upload, or removes a failed one from the list. */
  remove(id: number): void {
    this.#pendingFiles.get(id)?.controller.abort();
    this.#pendingFiles.delete(id);
    this.update((all) => all.filter((upload) => upload.id !== id));
  }

  retry(id: number): void {
    const pending = this.#pendingFiles.get(id);
    if (pending === undefined) return;
    this.#pendingFiles.set(id, { ...pending, controller: new AbortController() });
    this.#smallestRejectedBytes = Number.POSITIVE_INFINITY;
    this.#updateUpload(id, { state: 'waiting', sent: 0, failure: null, canRetry: false });
    this.#sendNext();
  }

  clear(): void {
    for (const { id } of this.state) this.remove(id);
  }

  #updateUpload(id: number, part: Partial<Upload>): void {
    this.update((all) => all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  }

  #sendNext(): void {
    while (this.#runningCount < maxConcurrentUploads) {
      const next = this.state.find(({ state }) => state === 'waiting');
      if (next === undefined) break;
      this.#runningCount += 1;
      void this.#send(next.id);
    }
    this.#setUnloadWarning(this.#runningCount > 0);
  }

  async #send(id: number): Promise<void> {
    this.#updateUpload(id, { state: 'sending' });
    const pending = this.#pendingFiles.get(id);
    const outcome = pending && (await this.#upload(id, pending));
    if (outcome?.isStored) {
      this.#pendingFiles.delete(id);
      this.#updateUpload(id, { state: 'stored', sent: 1 });
    } else if (outcome !== undefined) {
      const { message, status } = outcome;
      const canRetry = !nonRetryableStatuses.includes(status);
      this.#updateUpload(id, { state: 'failed', failure: message, canRetry });
    }
    this.#runningCount -= 1;
    this.#sendNext();
    if (this.#runningCount === 0) this.#notifyFinished();
  }

  /**
   * Uploads a file. If a file of the same or a smaller size has already exceeded the storage limit, fails without a
   * request.
   */
  async #upload(id: number, { file, controller }: PendingFile): Promise<UploadOutcome> {
    const full = {
      isStored: false,
      status: storageFullStatus,
      message: 'Storage is full.',
    } as const;
    if (file.size >= this.#smallestRejectedBytes) return full;
    const outcome = await uploadFile(this.#session, {
      projectId: this.#projectId,
      file,
      signal: controller.signal,
      onProgress: (sent) => this.#updateUpload(id, { sent }),
    });
    const isFull = !outcome.isStored && outcome.status === storageFullStatus;
    if (isFull) this.#smallestRejectedBytes = Math.min(this.#smallestRejectedBytes, file.size);
    return outcome;
  }

  /** Shows a notification that all uploads have finished. If the list of uploads is on the screen, shows none. */
  #notifyFinished(): void {
    if (this.hasSubscribers || this.state.length === 0) return;
    const { length } = this.state;
    const stored = this.state.filter(({ state }) => state === 'stored').length;
    notifySuccess(`${stored} of ${length} ${length === 1 ? 'file was' : 'files were'} uploaded`);
  }

  #setUnloadWarning(isNeeded: boolean): void {
    if (isNeeded) window.addEventListener('beforeunload', this.#onBeforeUnload);
    else window.removeEventListener('beforeunload', this.#onBeforeUnload);
  }
}

export const useUploadQueue = createProjectHook(
  (session, projectId) => new UploadQueue(session, projectId),
);
