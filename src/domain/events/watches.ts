import { endedFor } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Changes, Watch, WatchedPlace } from './events.ts';

/** The open watches of a node. */
export interface Watches {
  readonly count: number;
  open(place: WatchedPlace, signal: AbortSignal): Watch;
  /** Something at this place may have changed. */
  tell(place: Required<WatchedPlace>): void;
  /** Anything may have changed. */
  tellAll(): void;
  /** Ends those that are open, and refuses new ones. */
  end(): void;
}

/** `patienceMs` is how long a watch waits for a hint before it says that there is none. */
export function createWatches({ patienceMs }: { readonly patienceMs: number }): Watches {
  const open = new Map<string, Set<OpenWatch>>();
  const all = () => [...open.values()].flatMap((watches) => [...watches]);
  let isEnded = false;
  let count = 0;

  const remove = (key: string, watch: OpenWatch) => {
    const watches = open.get(key);
    if (watches?.delete(watch)) count -= 1;
    if (watches?.size === 0) open.delete(key);
  };
  return {
    get count() {
      return count;
    },
    open(place, signal) {
      if (isEnded) throw serviceStops();
      const key = keyOf(place);
      const watch = new OpenWatch(place.id ?? null, patienceMs, () => remove(key, watch));
      const watches = open.get(key) ?? new Set();
      open.set(key, watches.add(watch));
      count += 1;
      watch.follow(signal);
      return watch;
    },
    tell(place) {
      for (const watch of open.get(keyOf(place)) ?? []) watch.tell(place.id);
    },
    tellAll() {
      for (const watch of all()) watch.tell(null);
    },
    end() {
      isEnded = true;
      for (const watch of all()) watch.end(serviceStops());
    },
  };
}

/** More ids are not remembered: it is looked at everything then. */
const maxIds = 100;
const none: Changes = new Set();

/** A class, because there are thousands: methods are shared, and closures are not. */
class OpenWatch implements Watch {
  #changed: Set<string> | 'any' | null = null;
  #wake: (() => void) | null = null;
  #isClosed = false;
  #failure: DomainError | null = null;

  readonly #id: string | null;
  readonly #patienceMs: number;
  readonly #onClose: () => void;
  #unfollow: (() => void) | null = null;

  constructor(id: string | null, patienceMs: number, onClose: () => void) {
    this.#id = id;
    this.#patienceMs = patienceMs;
    this.#onClose = onClose;
  }

  /** Ends with the signal. */
  follow(signal: AbortSignal): void {
    const end = () => this.end(endedFor(signal));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    this.#unfollow = () => signal.removeEventListener('abort', end);
  }

  async next(): Promise<Changes | null> {
    if (this.#changed === null && !this.#isClosed) await this.#hint();
    if (this.#failure !== null) throw this.#failure;
    if (this.#isClosed) return null;
    const changed = this.#changed;
    this.#changed = null;
    return changed ?? none;
  }

  /** Null for anything. */
  tell(id: string | null): void {
    if (id !== null && this.#id !== null && id !== this.#id) return;
    if (id === null) this.#changed = 'any';
    else if (this.#changed !== 'any') {
      this.#changed ??= new Set();
      this.#changed.add(id);
      if (this.#changed.size > maxIds) this.#changed = 'any';
    }
    this.#wake?.();
  }

  end(failure: DomainError | null): void {
    this.#failure ??= failure;
    this.close();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unfollow?.();
    this.#onClose();
    this.#wake?.();
  }

  async #hint(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, this.#patienceMs);
    await promise;
    clearTimeout(timer);
    this.#wake = null;
  }
}

function keyOf({ topic, projectId }: WatchedPlace): string {
  return `${topic} ${projectId}`;
}

function serviceStops(): DomainError {
  return new DomainError('UNAVAILABLE', 'The service is stopping. Subscribe again in a moment', {
    retryable: true,
  });
}
