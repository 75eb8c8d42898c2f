import type { Session } from '../session/session.ts';
import { notifySuccess } from '../shell/failure.tsx';
import { perProject, Store } from '../shell/store.ts';
import { type FileLimit, whyRefused } from './check-file.ts';
import { type UploadOutcome, uploadFile } from './upload.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'stored' | 'failed';
  /** The share that has gone out, 0 to 1. */
  readonly sent: number;
  /** Why it failed; null where it has not. */
  readonly failure: string | null;
  /** Whether another try may go better. */
  readonly canRetry: boolean;
}

/** Browsers open six connections to a server of HTTP/1.1, and the page needs some. */
const uploadsAtOnce = 3;

/** What is wrong with the file itself is wrong the next time as well. */
const finalStatuses = [400, 403, 413, 415];

/** The HTTP status of a storage that is used up. */
const storageFull = 402;

interface Source {
  readonly file: File;
  readonly leaving: AbortController;
}

/** The files of a project that are on their way. They go on while other pages are open; closing the window asks first. */
export class UploadQueue extends Store<readonly Upload[]> {
  readonly #session: Session;
  readonly #projectId: string;
  readonly #sources = new Map<number, Source>();
  /** One for each queue: another project's may end before. */
  readonly #askToStay = (event: Event) => event.preventDefault();
  #lastId = 0;
  #running = 0;
  /** The least file, in bytes, for which the storage was too full. */
  #fullFor = Number.POSITIVE_INFINITY;

  constructor(session: Session, projectId: string) {
    super([]);
    this.#session = session;
    this.#projectId = projectId;
  }

  /** Takes files, and refuses those the service would not take. `limit` is null while it is not known. */
  async add(files: readonly File[], limit: FileLimit | null): Promise<void> {
    const refusals = await Promise.all(files.map((file) => whyRefused(file, limit)));
    const added = files.map((file, index) => {
      const id = ++this.#lastId;
      const failure = refusals[index] ?? null;
      if (failure === null) this.#sources.set(id, { file, leaving: new AbortController() });
      const state = failure === null ? ('waiting' as const) : ('failed' as const);
      return { id, name: file.name, state, sent: 0, failure, canRetry: false };
    });
    this.#fullFor = Number.POSITIVE_INFINITY;
    const done = this.#running === 0 ? 'stored' : null;
    this.change((all) => [...all.filter(({ state }) => state !== done), ...added]);
    this.#sendNext();
  }

  /** Ends an upload, or takes one that has failed off the list. */
  remove(id: number): void {
    this.#sources.get(id)?.leaving.abort();
    this.#sources.delete(id);
    this.change((all) => all.filter((upload) => upload.id !== id));
  }

  retry(id: number): void {
    const source = this.#sources.get(id);
    if (source === undefined) return;
    this.#sources.set(id, { ...source, leaving: new AbortController() });
    this.#fullFor = Number.POSITIVE_INFINITY;
    this.#set(id, { state: 'waiting', sent: 0, failure: null, canRetry: false });
    this.#sendNext();
  }

  clear(): void {
    for (const { id } of this.state) this.remove(id);
  }

  #set(id: number, part: Partial<Upload>): void {
    this.change((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)));
  }

  #sendNext(): void {
    while (this.#running < uploadsAtOnce) {
      const next = this.state.find(({ state }) => state === 'waiting');
      if (next === undefined) break;
      this.#running += 1;
      void this.#send(next.id);
    }
    this.#warnOfLeaving(this.#running > 0);
  }

  async #send(id: number): Promise<void> {
    this.#set(id, { state: 'sending' });
    const source = this.#sources.get(id);
    const outcome = source && (await this.#deliver(id, source));
    if (outcome?.isStored) {
      this.#sources.delete(id);
      this.#set(id, { state: 'stored', sent: 1 });
    } else if (outcome !== undefined) {
      const { message, status } = outcome;
      const canRetry = !finalStatuses.includes(status);
      this.#set(id, { state: 'failed', failure: message, canRetry });
    }
    this.#running -= 1;
    this.#sendNext();
    if (this.#running === 0) this.#tellOfEnd();
  }

  /** What cannot be stored any more is not sent. */
  async #deliver(id: number, { file, leaving }: Source): Promise<UploadOutcome> {
    const full = { isStored: false, status: storageFull, message: 'The storage is full.' } as const;
    if (file.size >= this.#fullFor) return full;
    const outcome = await uploadFile(this.#session, {
      projectId: this.#projectId,
      file,
      signal: leaving.signal,
      onProgress: (sent) => this.#set(id, { sent }),
    });
    const isFull = !outcome.isStored && outcome.status === storageFull;
    if (isFull) this.#fullFor = Math.min(this.#fullFor, file.size);
    return outcome;
  }

  /** Where nobody sees the list. */
  #tellOfEnd(): void {
    if (this.isShown || this.state.length === 0) return;
    const { length } = this.state;
    const stored = this.state.filter(({ state }) => state === 'stored').length;
    notifySuccess(`${stored} of ${length} ${length === 1 ? 'file was' : 'files were'} uploaded`);
  }

  #warnOfLeaving(isNeeded: boolean): void {
    if (isNeeded) window.addEventListener('beforeunload', this.#askToStay);
    else window.removeEventListener('beforeunload', this.#askToStay);
  }
}

export const useUploadQueue = perProject(
  (session, projectId) => new UploadQueue(session, projectId),
);
