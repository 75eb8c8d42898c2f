/** An address that a run has to visit. */
export interface FrontierEntry {
  readonly url: string;
  /** Number of links from a start address. */
  readonly depth: number;
  /** Number of redirects on the way. */
  readonly redirects: number;
}

/** The addresses that a run has to visit, each once, in the order of their discovery. */
export interface Frontier {
  isInScope(url: string): boolean;
  /** Adds an address, unless it was added before or is out of scope. */
  add(entry: FrontierEntry): void;
  next(): FrontierEntry | null;
  /** Returns an address to visit out of turn, or null if it was visited or is out of scope. */
  take(entry: FrontierEntry): FrontierEntry | null;
  /** Whether addresses were left out because there were too many. */
  isTruncated(): boolean;
}

/** Characters of all addresses of a run. */
const maxLength = 16_000_000;

export function createFrontier(isInScope: (url: string) => boolean, maxUrls: number): Frontier {
  const seen = new Set<string>();
  const taken = new Set<string>();
  let entries: FrontierEntry[] = [];
  let at = 0;
  let isTruncated = false;
  let length = 0;
  return {
    isInScope,
    add(entry) {
      if (seen.has(entry.url) || !isInScope(entry.url)) return;
      if (seen.size >= maxUrls || length + entry.url.length > maxLength) {
        isTruncated = true;
        return;
      }
      seen.add(entry.url);
      length += entry.url.length;
      entries.push(entry);
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
