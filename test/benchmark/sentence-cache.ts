/**
 * Measures the CPU time of all threads for comparing the sentences of six hits with a query. Compares an empty sentence
 * cache with a cache of all sentences. Also measures the embedding of the query.
 *
 *   npm run benchmark sentence-cache -- [--rounds 30]
 */
import { readFile } from 'node:fs/promises';
import type { Hit } from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { rerankBySentences } from '../../src/domain/knowledge/retrieval/rerank-by-sentences.ts';
import { startBuiltInEmbedding } from '../../src/models/embedding/built-in-embedding-model.ts';
import { readFlags } from './flags.ts';

const { rounds } = readFlags({ rounds: 30 });
const query = 'How long does a search of a large project take?';
const model = await startBuiltInEmbedding();
const { signal } = new AbortController();
const { vectors } = await model.embed([query], { kind: 'query' });
const [queryVector = new Float32Array()] = vectors;
const text = await readFile(new URL('../../docs/guides/scaling.md', import.meta.url), 'utf8');
const passages = text.split('\n\n').filter((part) => part.length > 300 && !part.includes('|'));

const embeddingMs = await cpuMs(() => model.embed([query], { kind: 'query' }));
const uncachedMs = await cpuMs((round) => compare(`${round}`));
const cachedMs = await cpuMs(() => compare('0'));
console.log({
  hits: hits('').length,
  queryMs: embeddingMs.toFixed(1),
  timesQueryAtFirst: ((embeddingMs + uncachedMs) / embeddingMs).toFixed(1),
  timesQueryAgain: ((embeddingMs + cachedMs) / embeddingMs).toFixed(1),
});
await model.stop();

function compare(name: string) {
  return rerankBySentences(
    model,
    { query, queryVector, vocabularyCoverage: 1, hits: hits(name) },
    signal,
  );
}

function hits(name: string): Hit[] {
  const scores = { score: 0.5, similarity: 0.5, lexical: 0.5 };
  const place = {
    page: null,
    sourceUrl: null,
    metadata: {},
    startOffset: 0,
    endOffset: 1,
    context: '',
  };
  const document = { documentId: name, documentName: 'scaling.md' };
  return passages
    .slice(0, 6)
    .map((content, n) => ({ chunkId: `${name}-${n}`, ...document, ...place, ...scores, content }));
}

/** Returns the mean CPU time per round in milliseconds. */
async function cpuMs(work: (round: number) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) await work(round);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / rounds;
}
