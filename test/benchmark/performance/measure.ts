import type { Figure } from './figures.ts';
import {
  measureChat,
  measureChatsAtOnce,
  measureFirstPart,
  measureRelay,
} from './measure-chats.ts';
import { measureIngestion, measureSearch } from './measure-searches.ts';
import { measureEmbeddedStart, measureStart } from './measure-starts.ts';
import { type BenchmarkOptions, type Pair, warmUp, withPair } from './pair.ts';
import type { Systems } from './systems.ts';

/** Number of rounds of what takes long and differs little: starts, and 500 chats at once. */
const maxLongRounds = 3;

/** Measures both systems in turn in each round, so that other work of the machine slows down both. */
export async function measure(systems: Systems, options: BenchmarkOptions): Promise<Figure[]> {
  const [searches, chats] = await withPair(systems, {}, (pair) =>
    measureWarm(systems, pair, options),
  );
  if (options.isShort) return [...searches, ...chats];
  const rounds = Math.min(options.rounds, maxLongRounds);
  return [
    ...searches,
    ...(await measureSearchInDatabase(systems, options)),
    ...chats,
    ...(await measureChatsAtOnce(systems, options, rounds)),
    ...(await measureStart(systems, rounds)),
    ...(await measureEmbeddedStart(rounds)),
  ];
}

async function measureWarm(
  systems: Systems,
  pair: Pair,
  options: BenchmarkOptions,
): Promise<readonly [searches: Figure[], chats: Figure[]]> {
  const ingestion = await measureIngestion(pair, options.documents);
  await warmUp(systems, pair, options);
  const searches = await measureSearch(pair, options, 1);
  if (!options.isShort) searches.push(...(await measureSearch(pair, options, 16)));
  const chats = [
    await measureChat(systems, pair, options),
    await measureRelay(systems, pair, options),
  ];
  if (options.isShort) return [searches, chats];
  chats.push(await measureFirstPart(systems, pair, options));
  return [[...ingestion, ...searches], chats];
}

/** Turns off the search index in memory, so that each search is ranked by Postgres. */
async function measureSearchInDatabase(
  systems: Systems,
  options: BenchmarkOptions,
): Promise<Figure[]> {
  const place = ', no index in memory';
  return withPair(systems, { SEARCH_INDEX_MEMORY_MB: '0' }, async (pair) => {
    await warmUp(systems, pair, options);
    return [
      ...(await measureSearch(pair, options, 1, place)),
      ...(await measureSearch(pair, options, 16, place)),
    ];
  });
}
