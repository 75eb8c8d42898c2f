import { type Context, createContext, Script } from 'node:vm';
import type { Expression } from './collect-expressions.ts';
import { type HostileText, hostileTexts } from './hostile-texts.ts';

/**
 * Maximum CPU time for `fullLength` characters, in milliseconds: 50 ms on an idle machine. A quadratic expression needs
 * seconds.
 */
const maxCpuMs = 100;
const fullLength = 100_000;
/**
 * Length of a short text. Long enough to distinguish a quadratic expression from a linear one, and short enough to try
 * hundreds of texts.
 */
const shortLength = 3_000;
/** Stops expressions that need exponential time. In milliseconds. */
const timeout = 1_000;

/**
 * If the expression is slow, returns it with its CPU time and the text for which it is slowest. Otherwise returns null.
 */
export function describeSlowness({ file, source, flags }: Expression): string | null {
  // A sticky expression tries one position per call, so the test uses a global expression instead.
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

/** Searches each text twice and returns the shorter time of each. Ends at the first text whose search was stopped. */
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

/**
 * Returns the two texts that took the longest. One is not enough, because other processes may have interrupted both of
 * its searches.
 */
function slowest(texts: readonly HostileText[], times: readonly number[]): HostileText[] {
  return texts
    .map((text, index) => ({ text, time: times[index] ?? 0 }))
    .sort((a, b) => b.time - a.time)
    .slice(0, 2)
    .map(({ text }) => text);
}

/** Returns the shortest CPU time of three searches in milliseconds, or infinity if one is stopped. */
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

/** Searches all texts and stores the time of each. Returns false if the searches took longer than `timeout`. */
function run(measured: Measured): boolean {
  Object.assign(sandbox, measured);
  try {
    search.runInContext(sandbox, { timeout });
    return true;
  } catch (error) {
    // The error comes from another context, so it is not an instance of this context's `Error`.
    const isStopped = Reflect.get(Object(error), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (isStopped) return false;
    throw error;
  }
}

const sandbox: Context = createContext({});
/** `replace` finds the first match. With a global expression, it finds every match. */
const search = new Script(`
  for (const text of texts) {
    const start = now();
    text.replace(pattern, '');
    times.push(now() - start);
  }`);
