import { readFile } from 'node:fs/promises';
import { compareSentences } from '../../src/domain/knowledge/compare-sentences.ts';
import type { Hit } from '../../src/domain/knowledge/hybrid-search.ts';
import { startBuiltInEmbedding } from '../../src/domain/models/built-in-embedding-model.ts';

/**
 * What comparing the sentences of six hits costs beside embedding the query, in processor time of all threads: when no
 * sentence is remembered, and when all are. Run it with `npx tsx test/benchmark/remembered-sentences.ts`.
 */
const rounds = 30;
const query = 'How long does a search of a large project take?';
const model = await startBuiltInEmbedding();
const { signal } = new AbortController();
const { vectors } = await model.embed([query], { kind: 'query' });
const [queryVector = new Float32Array()] = vectors;
const text = await readFile(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
const passages = text.split('\n\n').filter((part) => part.length > 300 && !part.includes('|'));

const embedding = await processorMs(() => model.embed([query], { kind: 'query' }));
const first = await processorMs((round) => compare(`${round}`));
const again = await processorMs(() => compare('0'));
console.log({
  hits: hits('').length,
  queryMs: embedding.toFixed(1),
  timesQueryAtFirst: ((embedding + first) / embedding).toFixed(1),
  timesQueryAgain: ((embedding + again) / embedding).toFixed(1),
});
await model.stop();

function compare(name: string) {
  return compareSentences(model, { query, queryVector, familiarity: 1, hits: hits(name) }, signal);
}

function hits(name: string): Hit[] {
  const scores = { score: 0.5, similarity: 0.5, lexical: 0.5 };
  const place = { page: null, startOffset: 0, endOffset: 1, context: '' };
  const document = { documentId: name, documentName: 'scaling.md' };
  return passages
    .slice(0, 6)
    .map((content, n) => ({ chunkId: `${name}-${n}`, ...document, ...place, ...scores, content }));
}

/** Of one round, on average. */
async function processorMs(work: (round: number) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) await work(round);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / rounds;
}
