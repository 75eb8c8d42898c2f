import { addDocument, search } from './calls.ts';
import { generateCorpus } from './corpus.ts';
import { type Figure, figure } from './figures.ts';
import { type BenchmarkOptions, inRounds, measureCalls, type Pair, repeat } from './pair.ts';

export async function measureIngestion(pair: Pair, count: number): Promise<Figure[]> {
  const documents = generateCorpus(count);
  const rows = [];
  for (const target of pair) {
    const cpu = target.process.cpuMs();
    const startedAt = performance.now();
    await repeat(count, 4, (n) => addDocument(target, documents[n] ?? { name: '', content: '' }));
    await target.system.waitForDocuments(target.origin, count);
    const seconds = (performance.now() - startedAt) / 1000;
    rows.push({ cpu: (target.process.cpuMs() - cpu) / count, rate: count / seconds });
  }
  return [
    figure('Ingestion: processor time per document of 8 kB', 'ms', [rows.map(({ cpu }) => cpu)]),
    figure('Ingestion: documents per second, 4 at a time', '1/s', [rows.map(({ rate }) => rate)]),
  ];
}

const searchesPerRound = 300;

/** Measures searches by `clients` clients at a time. `place` is added to the names of the figures. */
export async function measureSearch(
  pair: Pair,
  { documents, rounds }: BenchmarkOptions,
  clients: number,
  place = '',
): Promise<Figure[]> {
  let found = 0;
  const rows = await inRounds(rounds, pair, (target, round) =>
    measureCalls(target, searchesPerRound, clients, async (n) => {
      if (await search(target, (n * 7 + round) % documents)) found += 1;
    }),
  );
  const share = found / (searchesPerRound * rounds * pair.length);
  if (share < 0.9)
    throw new Error(`Only ${Math.round(share * 100)} % of the searches found their document`);
  const by = clients === 1 ? '1 client' : `${clients} clients`;
  const column = (key: 'cpuMs' | 'perSecond') => rows.map((row) => row.map((value) => value[key]));
  return [
    figure(`Search by ${by}${place}: processor time`, 'ms', column('cpuMs')),
    figure(`Search by ${by}${place}: searches per second`, '1/s', column('perSecond')),
  ];
}
