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
      const watch = new OpenWatch({ key, id: place.id ?? null, signal, patienceMs, remove });
      if (signal.aborted) return watch;
      const watches = open.get(key) ?? new Set();
      open.set(key, watches.add(watch));
      count += 1;
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

interface OpenedWatch {
  readonly key: string;
  readonly id: string | null;
  readonly signal: AbortSignal;
  readonly patienceMs: number;
  readonly remove: (key: string, watch: OpenWatch) => void;
}

/** A class, because there are thousands: methods are shared, and closures are not. */
class OpenWatch implements Watch {
  #changed: Set<string> | 'any' | null = null;
  #wake: (() => void) | null = null;
  #isClosed = false;
  #failure: DomainError | null = null;
  readonly #opened: OpenedWatch;

  constructor(opened: OpenedWatch) {
    this.#opened = opened;
    const { signal } = opened;
    signal.addEventListener('abort', this, { once: true });
    if (signal.aborted) this.handleEvent();
  }

  /** The signal has aborted. */
  handleEvent(): void {
    this.end(endedFor(this.#opened.signal));
  }

  async next(): Promise<Changes | null> {
    if (this.#changed === null && !this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, this.#opened.patienceMs);
      await promise;
      clearTimeout(timer);
      this.#wake = null;
    }
    if (this.#failure !== null) throw this.#failure;
    if (this.#isClosed) return null;
    const changed = this.#changed;
    this.#changed = null;
    return changed ?? none;
  }

  /** Null for anything. */
  tell(id: string | null): void {
    if (id !== null && this.#opened.id !== null && id !== this.#opened.id) return;
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
    const { signal, key, remove } = this.#opened;
    signal.removeEventListener('abort', this);
    remove(key, this);
    this.#wake?.();
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
