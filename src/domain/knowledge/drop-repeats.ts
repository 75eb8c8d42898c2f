import { plainWords } from '../models/terms.ts';

/** Of the shorter text's runs of three words, as many stand in the longer. */
const sharedShare = 0.9;
const runLength = 3;

/**
 * The first `limit` of some passages that say something which those before do not, in their order: a document that was
 * uploaded twice, or a paragraph that stands in many, would fill all places. A passage with a number of its own is no
 * repeat, however alike: it is another period, another price (Broder 1997, 'On the Resemblance and Containment of
 * Documents').
 */
export function withoutRepeats<Passage extends { readonly content: string }>(
  passages: readonly Passage[],
  limit: number,
): Passage[] {
  const kept: Passage[] = [];
  const prints: Print[] = [];
  for (const passage of passages) {
    if (kept.length === limit) break;
    const print = printOf(passage.content);
    if (prints.some((other) => isRepeat(print, other))) continue;
    kept.push(passage);
    prints.push(print);
  }
  return kept;
}

interface Print {
  readonly runs: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
}

function printOf(text: string): Print {
  const words = plainWords(text);
  const last = Math.max(1, words.length - runLength + 1);
  const runs = words.slice(0, last).map((_, at) => words.slice(at, at + runLength).join(' '));
  return { runs: new Set(runs), numbers: new Set(words.filter((word) => /\p{N}/u.test(word))) };
}

function isRepeat(one: Print, other: Print): boolean {
  const [shorter, longer] = one.runs.size < other.runs.size ? [one, other] : [other, one];
  const wanted = sharedShare * shorter.runs.size;
  if (![...shorter.numbers].every((number) => longer.numbers.has(number))) return false;
  let shared = 0;
  for (const run of shorter.runs) if (longer.runs.has(run)) shared += 1;
  return shorter.runs.size > 0 && shared >= wanted;
}
