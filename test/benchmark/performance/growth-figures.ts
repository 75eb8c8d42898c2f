import { readFile, writeFile } from 'node:fs/promises';
import { UsageError } from '../flags.ts';

/** Where the chunks of a search are ranked. `database` is `SEARCH_INDEX_MEMORY_MB=0`. */
export type Place = 'memory' | 'database';

export const places: readonly Place[] = ['memory', 'database'];
export const clientCounts = [1, 16, 64] as const;

/** Searches by a number of clients at a time. */
export interface SearchFigures {
  readonly clients: number;
  /** Milliseconds. Null if all searches failed. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly perSecond: number;
  /** Processor time per search. Null for a Postgres on another machine. */
  readonly serviceCpuMs: number;
  readonly postgresCpuMs: number | null;
  /** Share of the searches that were answered with an error. They count in no other figure. */
  readonly failedShare: number;
}

/** A process that searches one project. */
export interface GrowthRun {
  readonly chunks: number;
  readonly place: Place;
  /** `SEARCH_INDEX_MEMORY_MB`. */
  readonly memoryMb: number;
  /** Time from the first search until the index is in memory. Null for searches in the database. */
  readonly loadSeconds: number | null;
  /** Memory of the index. Null for searches in the database. */
  readonly indexMb: number | null;
  /** Memory of the process after the first searches, when the index is loaded. */
  readonly residentMb: number;
  readonly searches: readonly SearchFigures[];
}

export interface GrowthFigures {
  readonly machine: string;
  readonly dimensions: number;
  /** How long each number of clients searched. */
  readonly seconds: number;
  readonly runs: readonly GrowthRun[];
}

const file = new URL('growth.json', import.meta.url);

export async function readGrowth(): Promise<GrowthFigures> {
  return JSON.parse(await readFile(file, 'utf8'));
}

export async function writeGrowth(figures: GrowthFigures): Promise<void> {
  const shorten = (_key: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(3)) : value;
  await writeFile(file, `${JSON.stringify(figures, shorten, 2)}\n`);
}

/** Default of `SEARCH_INDEX_MEMORY_MB`. */
export const defaultMemoryMb = 256;

/**
 * Returns the `SEARCH_INDEX_MEMORY_MB` to measure this many chunks with: the default, or the next multiple of it that
 * has room for the index. A chunk needs 2 bytes per dimension and up to 1.4 kB for the distinct words of a passage.
 * A fifth of that may be unused room to grow, and an eighth of the setting is for texts.
 */
export function memoryFor(chunks: number, dimensions: number): number {
  const megabytes = ((chunks * (2 * dimensions + 1_400) * 1.25) / 2 ** 20) * (8 / 7);
  return Math.ceil(megabytes / defaultMemoryMb) * defaultMemoryMb;
}

/**
 * Returns the numbers of a list such as "5000,50000", in ascending order.
 * @throws UsageError if an element is not a whole number of at least 1, or occurs twice
 */
export function readSizes(text: string): number[] {
  const sizes = text.split(',').map((part) => (/^\d+$/.test(part) ? Number(part) : 0));
  const isValid = sizes.every((size) => size >= 1 && Number.isSafeInteger(size));
  if (isValid && new Set(sizes).size === sizes.length) return sizes.sort((a, b) => a - b);
  throw new UsageError(
    `--sizes must be different whole numbers of at least 1 with commas between them, not "${text}".`,
  );
}
