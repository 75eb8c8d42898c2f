import { type Context, createContext, Script } from 'node:vm';
import type { Expression } from './collect-expressions.ts';
import { type HostileText, hostileTexts } from './hostile-texts.ts';

/**
 * CPU time for `fullLength` characters that is fast enough for any expression, in milliseconds. A linear expression needs
 * up to 50 ms on an idle machine, a quadratic one needs seconds.
 */
const fastMs = 100;
/**
 * An expression that is not fast is slow if it takes this many times longer for a text four times as long: a linear
 * expression takes 4 times as long on any machine, a quadratic one 16 times.
 */
const maxGrowth = 8;
const fullLength = 100_000;
/** A quadratic expression needs more than `fastMs` for this length, too, and much less time than for the full one. */
const middleLength = 15_000;
/**
 * Length of a short text. Long enough to distinguish a quadratic expression from a linear one, and short enough to try
 * hundreds of texts.
 */
const shortLength = 700;
/** Stops expressions that need exponential time. In milliseconds. */
const timeout = 1_000;

/**
 * If the expression is slow, returns it with its CPU time and the text for which it is slowest. Otherwise returns null.
 */
export function describeSlowness({ file, source, flags }: Expression): string | null {
  // A sticky expression tries one position per call, so the test uses a global expression instead.
  const pattern = new RegExp(source, flags.replace('y', 'g'));
  for (const text of findSuspects(pattern, hostileTexts(source, flags))) {
    for (const length of [middleLength, fullLength]) {
      const ms = slowMs(pattern, text, length);
      if (ms === null) continue;
      const time = ms === Number.POSITIVE_INFINITY ? `more than ${timeout}` : Math.round(ms);
      return `${file} /${source}/${flags}: ${time} ms for ${JSON.stringify(text(20))}`;
    }
  }
  return null;
}

/**
 * Returns the two short texts that take the longest, or the first one whose search was stopped. One is not enough, and
 * the slowest are searched again, because other processes may interrupt a search.
 */
function findSuspects(pattern: RegExp, texts: readonly HostileText[]): readonly HostileText[] {
  return [30, 2].reduce((suspects, count) => {
    const times: number[] = [];
    const short = suspects.map((text) => text(shortLength));
    const isFinished = run({ pattern, texts: short, times, now: () => performance.now() });
    if (!isFinished) return suspects.slice(times.length, times.length + 1);
    return suspects
      .map((text, index) => ({ text, time: times[index] ?? 0 }))
      .sort((a, b) => b.time - a.time)
      .slice(0, count)
      .map(({ text }) => text);
  }, texts);
}

/**
 * Returns the CPU time of a search in milliseconds if it is too long in each of three rounds, because other processes may
 * slow one down. Returns infinity if the search was stopped.
 */
function slowMs(pattern: RegExp, text: HostileText, length: number): number | null {
  let ms = 0;
  for (let round = 0; round < 3; round += 1) {
    ms = cpuMs(pattern, text(length));
    if (ms === Number.POSITIVE_INFINITY) return ms;
    if (ms <= fastMs || ms <= maxGrowth * cpuMs(pattern, text(length / 4))) return null;
  }
  return ms;
}

/** Returns the CPU time of a search in milliseconds, or infinity if it was stopped. */
function cpuMs(pattern: RegExp, text: string): number {
  const before = process.cpuUsage();
  const isFinished = run({ pattern, texts: [text], times: [], now: () => 0 });
  return isFinished ? process.cpuUsage(before).user / 1_000 : Number.POSITIVE_INFINITY;
}

interface Measured {
  readonly pattern: RegExp;
  readonly texts: readonly string[];
  readonly times: number[];
  readonly now: () => number;
}

/**
 * Searches all texts and stores the time of each. Returns false if the searches took longer than `timeout`. Repeats them
 * if other processes had the processor for most of that time.
 */
function run(measured: Measured): boolean {
  for (;;) {
    const before = process.cpuUsage();
    measured.times.length = 0;
    Object.assign(sandbox, measured);
    try {
      search.runInContext(sandbox, { timeout });
      return true;
    } catch (error) {
      // The error comes from another context, so it is not an instance of this context's `Error`.
      const isStopped = Reflect.get(Object(error), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      if (!isStopped) throw error;
      if (process.cpuUsage(before).user / 1_000 > timeout / 2) return false;
    }
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
