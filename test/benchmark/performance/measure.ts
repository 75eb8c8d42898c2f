import { setTimeout as sleep } from 'node:timers/promises';
import { addDocument, askModel, chat, search, type Target } from './calls.ts';
import { generateCorpus } from './corpus.ts';
import type { MeasuredProcess } from './processes.ts';
import type { Systems } from './systems.ts';

export interface BenchmarkOptions {
  readonly documents: number;
  readonly rounds: number;
  /** If true, leaves out ingestion, starts, 16 clients and the time to the first part of an answer. */
  readonly isShort: boolean;
}

/** A measured value of both systems: the medians of all rounds. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly floor: number;
  readonly service: number;
  /** Ratio of the service's value to the floor's value in the same round. The median of all rounds. */
  readonly ratio: number;
}

type Running = Target & { readonly process: MeasuredProcess };
type Pair = readonly [floor: Running, service: Running];

/** Measures both systems in turn in each round, so that other work of the machine slows down both. */
export async function measure(systems: Systems, options: BenchmarkOptions): Promise<Figure[]> {
  const floor = await systems.floor.start();
  const service = await systems.service.start();
  const pair: Pair = [
    { system: systems.floor, origin: floor.origin, process: floor },
    { system: systems.service, origin: service.origin, process: service },
  ];
  const figures: Figure[] = [];
  try {
    const ingestion = await measureIngestion(pair, options.documents);
    if (!options.isShort) figures.push(...ingestion);
    await warmUp(systems, pair, options);
    for (const clients of options.isShort ? [1] : [1, 16]) {
      figures.push(...(await measureSearch(pair, options, clients)));
    }
    figures.push(await measureChat(systems, pair, options));
    figures.push(await measureRelay(systems, pair, options));
    if (!options.isShort) figures.push(await measureFirstPart(systems, pair, options));
  } finally {
    await floor.stop();
    await service.stop();
  }
  if (!options.isShort) figures.push(...(await measureStart(systems)));
  return figures;
}

async function measureIngestion(pair: Pair, count: number): Promise<Figure[]> {
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

/**
 * Makes calls before the measurement, so that the search index is loaded, caches are filled and V8 has optimized the
 * code.
 */
async function warmUp(systems: Systems, pair: Pair, options: BenchmarkOptions): Promise<void> {
  await setAnswer(systems, { tokens: 8, intervalMs: 2, firstTokenMs: 5 });
  for (const target of pair) {
    await repeat(options.documents, 4, async (n) => void (await search(target, n)));
    await repeat(100, 4, async (n) => void (await chat(target, n % options.documents)));
  }
  await sleep(1_000);
}

const searchesPerRound = 300;

async function measureSearch(
  pair: Pair,
  { documents, rounds }: BenchmarkOptions,
  clients: number,
): Promise<Figure[]> {
  const cpu: number[][] = [];
  const rates: number[][] = [];
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const measured = [];
    for (const target of pair) {
      measured.push(
        await measureCalls(target, searchesPerRound, clients, async (n) => {
          if (await search(target, (n * 7 + round) % documents)) found += 1;
        }),
      );
    }
    cpu.push(measured.map(({ cpuMs }) => cpuMs));
    rates.push(measured.map(({ perSecond }) => perSecond));
  }
  const share = found / (searchesPerRound * rounds * pair.length);
  if (share < 0.9)
    throw new Error(`Only ${Math.round(share * 100)} % of the searches found their document`);
  const by = clients === 1 ? '1 client' : `${clients} clients`;
  return [
    figure(`Search by ${by}: processor time`, 'ms', cpu),
    figure(`Search by ${by}: searches per second`, '1/s', rates),
  ];
}

const chatsPerRound = 60;

async function measureChat(
  systems: Systems,
  pair: Pair,
  options: BenchmarkOptions,
): Promise<Figure> {
  await setAnswer(systems, { tokens: 8, intervalMs: 2, firstTokenMs: 5 });
  const cpu = await inRounds(options.rounds, pair, async (target, round) => {
    const { cpuMs } = await measureCalls(target, chatsPerRound, 1, async (n) => {
      await readWhole(target, (n * 11 + round) % options.documents, 8);
    });
    return cpuMs;
  });
  return figure('Chat with an answer of 8 parts: processor time', 'ms', cpu);
}

/** The service allows at most 32,000 characters per answer, which limits this number. */
const relayedTokens = 2_000;
const relayedAnswers = 24;

async function measureRelay(
  systems: Systems,
  pair: Pair,
  options: BenchmarkOptions,
): Promise<Figure> {
  await setAnswer(systems, { tokens: relayedTokens, intervalMs: 0, firstTokenMs: 0 });
  const cpu = await inRounds(options.rounds, pair, async (target, round) => {
    const { cpuMs } = await measureCalls(target, relayedAnswers, 8, async (n) => {
      await readWhole(target, (n * 13 + round) % options.documents, relayedTokens);
    });
    return (cpuMs * 1000) / relayedTokens;
  });
  return figure('Fast answers, 8 at a time: processor time per token', 'µs', cpu);
}

async function readWhole(target: Target, document: number, tokens: number): Promise<void> {
  const { text } = await chat(target, document);
  if (text.trim().split(' ').length !== tokens)
    throw new Error(`${target.system.name}: the answer is not complete: ${text.slice(0, 100)}`);
}

async function measureFirstPart(
  systems: Systems,
  pair: Pair,
  options: BenchmarkOptions,
): Promise<Figure> {
  await setAnswer(systems, { tokens: 8, intervalMs: 5, firstTokenMs: 20 });
  const overhead = await inRounds(options.rounds * 8, pair, async (target, round) => {
    const direct = await askModel(systems.model.origin);
    const { firstMs } = await chat(target, (round * 17) % options.documents);
    return firstMs - direct.firstMs;
  });
  return figure('First part of an answer: time over that of the model', 'ms', overhead);
}

async function measureStart(systems: Systems): Promise<Figure[]> {
  const startMs: number[][] = [];
  const megabytes: number[][] = [];
  for (let round = 0; round < 3; round += 1) {
    const times: number[] = [];
    const sizes: number[] = [];
    for (const system of [systems.floor, systems.service]) {
      const process = await system.start();
      await sleep(3_000);
      times.push(process.startMs);
      sizes.push(process.residentMegabytes());
      await process.stop();
    }
    startMs.push(times);
    megabytes.push(sizes);
  }
  return [
    figure('Start until ready', 'ms', startMs),
    figure('Memory, 3 s after the start', 'MB', megabytes),
  ];
}

async function inRounds(
  rounds: number,
  pair: Pair,
  run: (target: Running, round: number) => Promise<number>,
): Promise<number[][]> {
  const rows: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const row: number[] = [];
    for (const target of pair) row.push(await run(target, round));
    rows.push(row);
  }
  return rows;
}

/** Makes `count` calls with `clients` calls at a time. Returns the processor time per call. */
async function measureCalls(
  { process }: Running,
  count: number,
  clients: number,
  call: (n: number) => Promise<void>,
): Promise<{ readonly cpuMs: number; readonly perSecond: number }> {
  const cpu = process.cpuMs();
  const startedAt = performance.now();
  await repeat(count, clients, call);
  const seconds = (performance.now() - startedAt) / 1000;
  return { cpuMs: (process.cpuMs() - cpu) / count, perSecond: count / seconds };
}

async function repeat(count: number, clients: number, call: (n: number) => Promise<void>) {
  let next = 0;
  const client = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: clients }, client));
}

interface Answer {
  readonly tokens: number;
  readonly intervalMs: number;
  readonly firstTokenMs: number;
}

async function setAnswer({ model }: Systems, answer: Answer): Promise<void> {
  await fetch(`${model.origin}/settings`, { method: 'POST', body: JSON.stringify(answer) });
}

/** Each row contains the values of one round: floor, then service. */
function figure(name: string, unit: string, rows: readonly (readonly number[])[]): Figure {
  return {
    ...{ name, unit },
    floor: median(rows.map(([floor = 0]) => floor)),
    service: median(rows.map(([, service = 0]) => service)),
    ratio: median(rows.map(([floor = 1, service = 0]) => service / floor)),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
