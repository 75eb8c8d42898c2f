import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Metrics } from '../../../../platform/metrics.ts';
import type { WalPosition } from '../../../../platform/replicas/wal-position.ts';
import { vectorMemory } from '../../../../platform/vectors/vector-memory.ts';
import type { Corpus } from '../corpus-statistics.ts';
import { type ChunkTexts, createChunkTexts } from './chunk-texts.ts';
import {
  type LoadedIndex,
  loadProjectIndex,
  minIndexBytes,
  updateIndex,
} from './load-project-index.ts';
import type { ProjectIndex } from './project-index.ts';

/** Keeps search indexes of projects in the memory of this process. */
export interface ProjectIndexCache {
  readonly texts: ChunkTexts;
  /** Returns the index of a project, or null if it is not loaded. In this case, starts to load it if there is room. */
  find(corpus: Corpus): LoadedIndex | null;
  /**
   * Adds the latest changes to an index. Returns false if that takes too long for a search, or if the index was
   * removed.
   */
  update(loaded: LoadedIndex): Promise<boolean>;
  stop(): Promise<void>;
}

/** If a project is not searched for this time, its index is removed. */
const maxIdleMs = 10 * 60_000;
/** Time before the next attempt to load a project that had no room. Doubles after each attempt, up to `most`. */
const noRoomRetryMs = { first: 60_000, most: 60 * 60_000 };
/** Time before the next attempt after an error, for example because the database was busy. */
const failureRetryMs = { first: 1_000, most: 60_000 };
/** Maximum time that a search waits for an update of the index. After that, the search uses the database. */
const maxUpdateWaitMs = 200;
/** An index is loaded again if at least this many of its rows, and at least this share of them, are hidden. */
const maxHiddenRows = 2_000;
const maxHiddenShare = 0.4;
/** Share of the memory that is reserved for texts. */
const textShare = 1 / 8;

interface Entry {
  lastUsed: number;
  notBefore: number;
  /** Number of failed loads since the last successful load. */
  refusals: number;
  loaded: LoadedIndex | null;
  updating: Promise<boolean> | null;
}

export interface ProjectIndexCacheOptions {
  /** Connection pool whose database role can read the rows of all tenants. */
  readonly pool: Pool;
  /** Returns the pool from which an index is loaded now, such as one of a replica. Null or unset: `pool`. */
  readonly bulkPool?: (() => Pool) | null;
  /** Returns the current position of the primary. Null or unset if searches read only from the primary. */
  readonly position?: (() => Promise<WalPosition>) | null;
  /** Maximum memory of all indexes and texts, in bytes. 0 disables the cache. */
  readonly maxBytes: number;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Creates the cache. Allocates no memory before the first index is loaded. Loads only one project at a time. */
export function createProjectIndexCache(options: ProjectIndexCacheOptions): ProjectIndexCache {
  const { pool, maxBytes, metrics, log, position: readPosition = null } = options;
  const entries = new Map<string, Entry>();
  const texts = createChunkTexts(textShare * maxBytes);
  let loading: Promise<void> | null = null;
  let loadingKey: string | null = null;
  let loadingIndex: ProjectIndex | null = null;
  let isStopping = false;

  const usedBytes = () => {
    let sum = loadingIndex?.bytes ?? 0;
    for (const { loaded } of entries.values()) sum += loaded?.index.bytes ?? 0;
    return sum;
  };
  const remove = (key: string) => {
    entries.get(key)?.loaded?.index.release();
    entries.delete(key);
    metrics.recordIndexBytes(usedBytes());
  };
  /**
   * Removes idle indexes only. If indexes in use were removed, two projects that do not both fit would be loaded again
   * and again.
   */
  const removeIdle = () => {
    const oldest = performance.now() - maxIdleMs;
    for (const [key, { lastUsed, updating }] of entries) {
      if (lastUsed < oldest && updating === null && key !== loadingKey) remove(key);
    }
  };
  const timer = setInterval(removeIdle, maxIdleMs / 2).unref();

  const maxIndexBytes = (1 - textShare) * maxBytes;
  const hasRoom = () => usedBytes() <= maxIndexBytes && !isStopping;

  const load = async (corpus: Corpus, entry: Entry) => {
    const mayContinue = (index: ProjectIndex) => {
      loadingIndex = index;
      return hasRoom();
    };
    let retryMs = noRoomRetryMs;
    try {
      const memory = vectorMemory();
      const mayFit = (await minIndexBytes(pool, corpus)) <= maxIndexBytes - usedBytes();
      if (memory !== null && mayFit) {
        entry.loaded = await loadProjectIndex({
          pool,
          bulkPool: options.bulkPool?.() ?? pool,
          readPosition,
          memory,
          ...corpus,
          mayContinue,
        });
      }
    } catch (error) {
      retryMs = failureRetryMs;
      if (!isStopping) log.warn({ err: error }, 'failed to load a search index into memory');
    }
    loadingIndex = null;
    if (entry.loaded === null) {
      const waitMs = Math.min(retryMs.first * 2 ** entry.refusals, retryMs.most);
      entry.notBefore = performance.now() + waitMs;
      entry.refusals += 1;
    }
    metrics.recordIndexLoad(entry.loaded === null ? 'REFUSED' : 'LOADED', usedBytes());
  };
  const startLoad = (corpus: Corpus, entry: Entry) => {
    if (loading !== null || isStopping || entry.notBefore > performance.now()) return;
    loadingKey = keyOf(corpus);
    loading = load(corpus, entry).finally(() => {
      loading = null;
      loadingKey = null;
    });
  };

  const runUpdate = async (loaded: LoadedIndex, key: string) => {
    const isKept = await updateIndex(loaded, { pool, readPosition, mayContinue: hasRoom }).catch(
      () => false,
    );
    const { rows, chunks } = loaded.index;
    const hidden = rows - chunks;
    const hasManyHidden = hidden > maxHiddenRows && hidden > maxHiddenShare * rows;
    if ((!isKept || hasManyHidden) && entries.get(key)?.loaded === loaded) remove(key);
    metrics.recordIndexBytes(usedBytes());
    return isKept;
  };

  /**
   * Removes the project's indexes of earlier models. Otherwise, if the project returned to an earlier model, its index
   * would be outdated.
   */
  const removeOtherModels = ({ projectId, modelId }: Corpus) => {
    for (const [key, { loaded, updating }] of entries) {
      const isOther = loaded?.projectId === projectId && loaded.modelId !== modelId;
      if (isOther && loaded.modelId !== null && updating === null) remove(key);
    }
  };

  return {
    texts,
    find(corpus) {
      if (maxBytes === 0) return null;
      const key = keyOf(corpus);
      if (corpus.modelId !== null && !entries.has(key)) removeOtherModels(corpus);
      const entry = entries.get(key) ?? newEntry();
      entries.set(key, entry);
      entry.lastUsed = performance.now();
      if (entry.loaded === null) startLoad(corpus, entry);
      metrics.recordSearch(entry.loaded === null ? 'DATABASE' : 'MEMORY');
      return entry.loaded;
    },
    async update(loaded) {
      const key = keyOf(loaded);
      const entry = entries.get(key);
      if (entry?.loaded !== loaded) return false;
      entry.updating ??= runUpdate(loaded, key).finally(() => {
        entry.updating = null;
      });
      const isUpdated = await withTimeout(entry.updating, maxUpdateWaitMs);
      return isUpdated && entries.get(key)?.loaded === loaded;
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await loading;
      await Promise.all([...entries.values()].map(({ updating }) => updating));
      for (const key of [...entries.keys()]) remove(key);
    },
  };
}

function keyOf({ projectId, modelId }: Corpus): string {
  return `${projectId} ${modelId}`;
}

function newEntry(): Entry {
  return { lastUsed: 0, notBefore: 0, refusals: 0, loaded: null, updating: null };
}

async function withTimeout(work: Promise<boolean>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
