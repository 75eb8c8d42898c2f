import { type Context, createContext, Script } from 'node:vm';
import type { Expression } from './collect-expressions.ts';
import { type HostileText, hostileTexts } from './hostile-texts.ts';

/** CPU time for `fullLength` characters. 50 ms on an idle machine; a quadratic expression needs seconds. */
const maxCpuMs = 100;
const fullLength = 100_000;
/** Long enough to distinguish a quadratic expression from a linear one, and short enough to try hundreds of texts. */
const shortLength = 3_000;
/** Stops an expression that takes exponential time. */
const timeout = 1_000;

/** Returns the expression with its CPU time and its worst text, if it is slow. Otherwise null. */
export function describeSlowness({ file, source, flags }: Expression): string | null {
  // Sticky expressions are tried at each position, one call at a time.
  const pattern = new RegExp(source, flags.replace('y', 'g'));
  const texts = hostileTexts(source, flags);
  const times = shortestTimes(
    pattern,
    texts.map((text) => text(shortLength)),
  );
  const isStopped = times.length < texts.length;
  const suspects = isStopped ? [texts[times.length]] : slowest(texts, times);
  for (const text of suspects) {
    if (text === undefined) continue;
    const ms = isStopped ? Number.POSITIVE_INFINITY : cpuMs(pattern, text(fullLength));
    if (ms <= maxCpuMs) continue;
    const time = ms === Number.POSITIVE_INFINITY ? `more than ${timeout}` : Math.round(ms);
    return `${file} /${source}/${flags}: ${time} ms for ${JSON.stringify(text(20))}`;
  }
  return null;
}

/** Returns the shorter time of two searches of each text, up to the one that was stopped. */
function shortestTimes(pattern: RegExp, texts: readonly string[]): number[] {
  const rounds = [0, 1].map(() => {
    const times: number[] = [];
    run({ pattern, texts, times, now: () => performance.now() });
    return times;
  });
  const [first = [], second = []] = rounds;
  const length = Math.min(first.length, second.length);
  return first.slice(0, length).map((time, index) => Math.min(time, second[index] ?? time));
}

/** Returns the texts that took the longest. Two, because one may have been interrupted by another process both times. */
function slowest(texts: readonly HostileText[], times: readonly number[]): HostileText[] {
  return texts
    .map((text, index) => ({ text, time: times[index] ?? 0 }))
    .sort((a, b) => b.time - a.time)
    .slice(0, 2)
    .map(({ text }) => text);
}

/** Returns the shortest CPU time of three searches, or infinity if one is stopped. */
function cpuMs(pattern: RegExp, text: string): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && shortest > maxCpuMs; round += 1) {
    const before = process.cpuUsage();
    if (!run({ pattern, texts: [text], times: [], now: () => 0 })) break;
    shortest = Math.min(shortest, process.cpuUsage(before).user / 1_000);
  }
  return shortest;
}

interface Measured {
  readonly pattern: RegExp;
  readonly texts: readonly string[];
  readonly times: number[];
  readonly now: () => number;
}

/** Searches all texts and stores the time of each. Returns false if they took longer than `timeout`. */
function run(measured: Measured): boolean {
  Object.assign(sandbox, measured);
  try {
    search.runInContext(sandbox, { timeout });
    return true;
  } catch (error) {
    // The error belongs to the other context, and is no instance of our `Error`.
    const isStopped = Reflect.get(Object(error), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (isStopped) return false;
    throw error;
  }
}

const sandbox: Context = createContext({});
/** `replace` finds the first match, and every match of a global expression. */
const search = new Script(`
  for (const text of texts) {
    const start = now();
    text.replace(pattern, '');
    times.push(now() - start);
  }`);
