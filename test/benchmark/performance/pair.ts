import { setTimeout as sleep } from 'node:timers/promises';
import { chat, search, type Target } from './calls.ts';
import type { MeasuredProcess } from './processes.ts';
import type { System, Systems } from './systems.ts';

export interface BenchmarkOptions {
  readonly documents: number;
  readonly rounds: number;
  /** If true, measures only the processor time of a search, a chat and a token. */
  readonly isShort: boolean;
}

export type Running = Target & { readonly process: MeasuredProcess };
export type Pair = readonly [floor: Running, service: Running];

/** Starts both systems, runs `work`, and stops both. `settings` are additional settings of the service. */
export async function withPair<T>(
  systems: Systems,
  settings: Readonly<Record<string, string>>,
  work: (pair: Pair) => Promise<T>,
): Promise<T> {
  return withRunning(systems.floor, {}, (floor) =>
    withRunning(systems.service, settings, (service) => work([floor, service])),
  );
}

async function withRunning<T>(
  system: System,
  settings: Readonly<Record<string, string>>,
  work: (running: Running) => Promise<T>,
): Promise<T> {
  const process = await system.start(settings);
  try {
    return await work({ system, origin: process.origin, process });
  } finally {
    await process.stop();
  }
}

/**
 * Makes calls before the measurement, so that the search index is loaded, caches are filled and V8 has optimized the
 * code.
 */
export async function warmUp(
  systems: Systems,
  pair: Pair,
  { documents }: BenchmarkOptions,
): Promise<void> {
  await setAnswer(systems, { tokens: 8, intervalMs: 2, firstTokenMs: 5 });
  for (const target of pair) {
    await repeat(documents, 4, async (n) => void (await search(target, n)));
    await repeat(100, 4, async (n) => void (await chat(target, n % documents)));
  }
  await sleep(1_000);
}

/** Returns one row for each round: the values of floor and service, measured in turn. */
export async function inRounds<T>(
  rounds: number,
  pair: Pair,
  run: (target: Running, round: number) => Promise<T>,
): Promise<T[][]> {
  const rows: T[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const row: T[] = [];
    for (const target of pair) row.push(await run(target, round));
    rows.push(row);
  }
  return rows;
}

/** Makes `count` calls with `clients` calls at a time. Returns the processor time per call. */
export async function measureCalls(
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

export async function repeat(count: number, clients: number, call: (n: number) => Promise<void>) {
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

/** Sets the answers of the model server. */
export async function setAnswer({ model }: Systems, answer: Answer): Promise<void> {
  await fetch(`${model.origin}/settings`, { method: 'POST', body: JSON.stringify(answer) });
}
