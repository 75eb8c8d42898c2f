import { runSql } from '../../../platform/postgres/run-sql.ts';
import { detectLanguage, type Language } from '../../../text/detect-language.ts';
import type { Context } from '../../context.ts';

/**
 * Returns the language of a project's documents, from a sample of chunks. Returns null if the documents are in several
 * languages or in a language that is not detected, or if there are no documents. Needs one statement. Cached for five
 * minutes in this process.
 */
export async function documentLanguage(
  { database, pool }: Pick<Context, 'database' | 'pool'>,
  projectId: string,
): Promise<Language | null> {
  const cache = caches.get(database) ?? new Map<string, CachedLanguage>();
  caches.set(database, cache);
  const cached = cache.get(projectId);
  if (cached !== undefined && cached.until > performance.now()) return cached.language;
  const chunks = await runSql<{ start: string }>(pool, sampleChunks, [projectId]);
  const language = dominantLanguage(chunks.map(({ start }) => start));
  cache.delete(projectId);
  // Small projects are not cached, because their first documents are just arriving.
  if (chunks.length >= minCachedChunks) {
    cache.set(projectId, { language, until: performance.now() + cacheMs });
  }
  for (const oldest of cache.keys()) {
    if (cache.size <= maxCachedProjects) break;
    cache.delete(oldest);
  }
  return language;
}

interface CachedLanguage {
  readonly language: Language | null;
  readonly until: number;
}

const cacheMs = 300_000;
const maxCachedProjects = 10_000;
const minCachedChunks = 32;
/** Minimum share of the most frequent language among the chunks whose language is clear. */
const minShare = 0.8;
/** At least this share of all chunks must have a clear language. Tables and lists have no clear language. */
const minDetected = 0.5;

/**
 * One cache per database, because tests use several databases in one process. Trap: do not use `pool` as the key,
 * because every request has its own `pool`.
 */
const caches = new WeakMap<object, Map<string, CachedLanguage>>();

function dominantLanguage(texts: readonly string[]): Language | null {
  const counts = new Map<Language, number>();
  for (const text of texts) {
    const language = detectLanguage(text);
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const detected = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isClear = most !== undefined && most[1] >= minShare * detected;
  return isClear && detected >= minDetected * texts.length ? most[0] : null;
}

/** Reads the chunks with the lowest hashes: an arbitrary sample that can be read from an index. */
const sampleChunks = `
  select left(content, 500) as start from grounded.published_chunks where project_id = $1::uuid
  order by uuid_hash(id) limit 32`;
