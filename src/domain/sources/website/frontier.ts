import { createWorkTurns } from '../../../platform/work-turns.ts';

/** An address that a run has to visit. */
export interface FrontierEntry {
  readonly url: string;
  /** Number of links between a start address and this address. */
  readonly depth: number;
  /** Number of redirects that led to this address. */
  readonly redirects: number;
  /** Number of pages in a row that led to this address and are copies of other pages. */
  readonly copies: number;
}

/** The addresses that a run has to visit. Each is visited once, in the order in which they were found. */
export interface Frontier {
  /** Adds an address. Does nothing if it was added before or is out of scope. */
  add(entry: FrontierEntry): void;
  /**
   * Adds addresses that were not found by redirects. Each is compared with all patterns, so other work gets a turn in
   * between.
   */
  addAll(
    urls: Iterable<string>,
    found: Pick<FrontierEntry, 'depth' | 'copies'>,
    signal: AbortSignal,
  ): Promise<void>;
  next(): FrontierEntry | null;
  /**
   * Returns an address so that it is visited now, before its turn. Returns null if it was already visited or is out of
   * scope.
   */
  take(entry: FrontierEntry): FrontierEntry | null;
  /** Returns whether addresses were omitted because there were too many. */
  isTruncated(): boolean;
}

/** Maximum number of characters of all addresses of a run together. */
const maxLength = 16_000_000;

export function createFrontier(isInScope: (url: string) => boolean, maxUrls: number): Frontier {
  const seen = new Set<string>();
  const taken = new Set<string>();
  let entries: FrontierEntry[] = [];
  let at = 0;
  let isTruncated = false;
  let length = 0;
  const add = (entry: FrontierEntry): void => {
    if (seen.has(entry.url) || !isInScope(entry.url)) return;
    if (seen.size >= maxUrls || length + entry.url.length > maxLength) {
      isTruncated = true;
      return;
    }
    seen.add(entry.url);
    length += entry.url.length;
    entries.push(entry);
  };
  return {
    add,
    async addAll(urls, found, signal) {
      const turns = createWorkTurns(signal);
      for (const url of urls) {
        if (turns.isOver()) await turns.next();
        add({ url, ...found, redirects: 0 });
      }
    },
    next() {
      for (;;) {
        const entry = entries[at];
        if (entry === undefined) return null;
        at += 1;
        if (at > 10_000) {
          entries = entries.slice(at);
          at = 0;
        }
        if (taken.has(entry.url)) continue;
        taken.add(entry.url);
        return entry;
      }
    },
    take(entry) {
      if (taken.has(entry.url) || !isInScope(entry.url)) return null;
      seen.add(entry.url);
      taken.add(entry.url);
      return entry;
    },
    isTruncated: () => isTruncated,
  };
}
