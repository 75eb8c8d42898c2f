import { type Context, createContext, Script } from 'node:vm';
import type { Expression } from './collect-expressions.ts';
import { type HostileText, hostileTexts } from './hostile-texts.ts';

/** CPU time for `fullLength` characters. 50 ms on an idle machine; a quadratic expression needs seconds. */
const maxCpuMs = 100;
const fullLength = 100_000;
/** Long enough to distinguish a quadratic expression from a linear one, and short enough to try hundreds of texts. */
const shortLength = 3_000;
/** Stops an expression that takes exponential time. */
const defaultTimeout = 1_000;

/**
 * Returns the expression with its CPU time and its worst text, if it is slow. Otherwise null. An expression is stopped
 * after `timeout` ms.
 */
export function describeSlowness(
  { file, source, flags }: Expression,
  timeout = defaultTimeout,
): string | null {
  // Sticky expressions are tried at each position, one call at a time.
  const pattern = new RegExp(source, flags.replace('y', 'g'));
  const texts = hostileTexts(source, flags);
  const short = texts.map((text) => text(shortLength));
  const measured = {
    pattern,
    texts: short,
    times: [] as number[],
    timeout,
    now: () => performance.now(),
  };
  const isStopped = !run(measured);
  const suspects = isStopped ? [texts[measured.times.length]] : slowest(texts, measured.times);
  for (const text of suspects) {
    if (text === undefined) continue;
    const ms = isStopped ? Number.POSITIVE_INFINITY : cpuMs(pattern, text(fullLength), timeout);
    if (ms <= maxCpuMs) continue;
    const time = ms === Number.POSITIVE_INFINITY ? `more than ${timeout}` : Math.round(ms);
    return `${file} /${source}/${flags}: ${time} ms for ${JSON.stringify(text(20))}`;
  }
  return null;
}

/** Returns the texts that took the longest. Two, because one of them may have been interrupted by another process. */
function slowest(texts: readonly HostileText[], times: readonly number[]): HostileText[] {
  return texts
    .map((text, index) => ({ text, time: times[index] ?? 0 }))
    .sort((a, b) => b.time - a.time)
    .slice(0, 2)
    .map(({ text }) => text);
}

/** Returns the shortest CPU time of three searches, or infinity if one is stopped. */
function cpuMs(pattern: RegExp, text: string, timeout: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && shortest > maxCpuMs; round += 1) {
    const before = process.cpuUsage();
    if (!run({ pattern, texts: [text], times: [], timeout, now: () => 0 })) break;
    shortest = Math.min(shortest, process.cpuUsage(before).user / 1_000);
  }
  return shortest;
}

interface Measured {
  readonly pattern: RegExp;
  readonly texts: readonly string[];
  readonly times: number[];
  readonly timeout: number;
  readonly now: () => number;
}

/** Searches all texts and stores the time of each. Returns false if they took longer than `timeout`. */
function run(measured: Measured): boolean {
  Object.assign(sandbox, measured);
  try {
    search.runInContext(sandbox, { timeout: measured.timeout });
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
