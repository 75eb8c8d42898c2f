import type { SqlClient } from '../../../platform/postgres/run-sql.ts';
import {
  type Corpus,
  type CorpusStatistics,
  readCorpusStatistics,
  sampleSize,
} from './corpus-statistics.ts';

/**
 * Caches the statistics of large projects in this process. Outdated statistics affect only the weights of terms: the
 * chunks that a search finds are always current.
 */
export interface CorpusStatisticsCache {
  /** Returns statistics that contain the counts of at least `terms`. */
  get(client: SqlClient, corpus: Corpus, terms: readonly string[]): Promise<CorpusStatistics>;
  /** Marks the statistics of a project as outdated. If the id is null, marks the statistics of all projects. */
  markStale(projectId: string | null): void;
}

/** Older statistics are not used, even if no change was reported. */
const maxAgeMs = 60_000;
/** Maximum number of terms of all projects together. Each term needs about 100 bytes. */
const maxTerms = 400_000;

interface Entry {
  readonly projectId: string;
  readonly statistics: CorpusStatistics;
  readonly readAt: number;
  isStale: boolean;
}

/**
 * Creates the cache. A search that finds outdated statistics uses them and starts to read new ones in the background.
 * Statistics of small projects, whose sample contains all chunks, are not cached: there, a single document can change
 * all weights, and reading is fast.
 *
 * `minRefreshMs` is the minimum time between two reads for one project. It keeps searches fast while many documents are
 * uploaded.
 */
export function createCorpusStatisticsCache({ minRefreshMs = 5_000 } = {}): CorpusStatisticsCache {
  /** Cached statistics, in the order of their last use, oldest first. */
  const entries = new Map<string, Entry>();
  const reading = new Set<string>();
  let termCount = 0;

  const remove = (key: string) => {
    termCount -= entries.get(key)?.statistics.termCounts.size ?? 0;
    entries.delete(key);
  };
  const add = (key: string, entry: Entry) => {
    remove(key);
    entries.set(key, entry);
    termCount += entry.statistics.termCounts.size;
    for (const oldest of entries.keys()) {
      if (termCount <= maxTerms) break;
      remove(oldest);
    }
  };
  /** Never rejects. If reading fails, the next search tries again. */
  const refresh = async (client: SqlClient, corpus: Corpus, key: string) => {
    if (reading.has(key)) return;
    reading.add(key);
    const readAt = performance.now();
    try {
      const statistics = await readCorpusStatistics(client, corpus);
      if (statistics.sampled < sampleSize) remove(key);
      else add(key, { projectId: corpus.projectId, statistics, readAt, isStale: false });
    } catch {
      remove(key);
    } finally {
      reading.delete(key);
    }
  };
  return {
    async get(client, corpus, terms) {
      const key = `${corpus.projectId} ${corpus.modelId}`;
      const entry = entries.get(key);
      const ageMs = performance.now() - (entry?.readAt ?? 0);
      if (entry === undefined || ageMs > maxAgeMs) {
        const statistics = await readCorpusStatistics(client, corpus, terms);
        const isCurrent = entries.get(key) !== entry;
        if (statistics.sampled >= sampleSize && !isCurrent) void refresh(client, corpus, key);
        return statistics;
      }
      if (entry.isStale && ageMs > minRefreshMs) void refresh(client, corpus, key);
      entries.delete(key);
      entries.set(key, entry);
      return entry.statistics;
    },
    markStale(projectId) {
      for (const entry of entries.values()) {
        if (projectId === null || entry.projectId === projectId) entry.isStale = true;
      }
    },
  };
}
