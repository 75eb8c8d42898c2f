import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Language } from '../../../text/detect-language.ts';
import { dominantLanguage } from '../../../text/dominant-language.ts';
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

/**
 * One cache per database, because tests use several databases in one process. Trap: do not use `pool` as the key,
 * because every request has its own `pool`.
 */
const caches = new WeakMap<object, Map<string, CachedLanguage>>();

/** Reads the chunks with the lowest hashes: an arbitrary sample that can be read from an index. */
const sampleChunks = `
  select left(content, 500) as start from grounded.published_chunks where project_id = $1::uuid
  order by uuid_hash(id) limit 32`;
