import { askModel, chat, type Target } from './calls.ts';
import { type Figure, figure, median } from './figures.ts';
import {
  type BenchmarkOptions,
  inRounds,
  measureCalls,
  type Pair,
  setAnswer,
  warmUp,
  withPair,
} from './pair.ts';
import type { Systems } from './systems.ts';

const chatsPerRound = 60;

export async function measureChat(
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

export async function measureRelay(
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

export async function measureFirstPart(
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

const simultaneousChats = 500;
const simultaneousAnswer = { tokens: 60, intervalMs: 100, firstTokenMs: 0 };

/** The process may be slow to start 500 answers on a busy machine. They wait instead of being refused with 503. */
const patience = { STARTING_ANSWER_WAIT_SECONDS: '120' };

/** Starts new processes for each round, because the peak of the memory counts from the start of a process. */
export async function measureChatsAtOnce(
  systems: Systems,
  options: BenchmarkOptions,
  rounds: number,
): Promise<Figure[]> {
  const rows: { readonly firstMs: number; readonly megabytes: number }[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measured = await withPair(systems, patience, async (pair) => {
      await warmUp(systems, pair, options);
      await setAnswer(systems, simultaneousAnswer);
      return inRounds(1, pair, async (target) => {
        const chats = Array.from({ length: simultaneousChats }, (_, n) =>
          readWhole(target, n % options.documents, simultaneousAnswer.tokens),
        );
        const firstMs = median(await Promise.all(chats));
        return { firstMs, megabytes: target.process.peakMegabytes() };
      });
    });
    rows.push(...measured);
  }
  const column = (key: 'firstMs' | 'megabytes') =>
    rows.map((row) => row.map((value) => value[key]));
  return [
    figure(
      `${simultaneousChats} chats at once: median time to the first part`,
      'ms',
      column('firstMs'),
    ),
    figure(`${simultaneousChats} chats at once: memory at the peak`, 'MB', column('megabytes')),
  ];
}

/** Reads an answer, and checks that it is complete. Returns the time to its first part in milliseconds. */
async function readWhole(target: Target, document: number, tokens: number): Promise<number> {
  const { text, firstMs } = await chat(target, document);
  if (text.trim().split(' ').length !== tokens)
    throw new Error(`${target.system.name}: the answer is not complete: ${text.slice(0, 100)}`);
  return firstMs;
}
