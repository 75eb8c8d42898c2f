import { memoize } from '../../../text/memoize.ts';
import { bigramScripts, unspacedScripts } from '../../../text/scripts.ts';
import { splitFoldedWords } from '../../../text/terms.ts';
import { fold, isAscii } from '../../../text/tokenize.ts';

/** Share of a text's shingles (sequences of three words) that the longer text contains if it covers the text. */
const containmentThreshold = 0.9;
const shingleSize = 3;
/** Number of its own shingles from which a longer text says more: a short sentence, or three replaced words. */
const minOwnShingles = 8;

export interface NearDuplicateOptions<Passage> {
  /** Whether the longer of two near-duplicates may replace the better one. Default: always. */
  readonly canReplace?: (longer: Passage, best: Passage) => boolean;
  /** Returns the longer passage with the rank of the better one. Default: the longer passage unchanged. */
  readonly promote?: (longer: Passage, best: Passage) => Passage;
}

/**
 * Returns the first `limit` passages without near-duplicates. Without this, a document uploaded twice or a repeated
 * paragraph would fill all results.
 *
 * Of near-duplicates, the best stays. If another one says more, it takes the rank of the best, because the answer may
 * be in what it adds. If it may not, both stay.
 *
 * Near-duplicates are found by shingle containment (Broder 1997, 'On the Resemblance and Containment of Documents').
 * A passage with a number of its own is always kept, because it may be a different period, price or version.
 */
export function removeNearDuplicates<Passage extends { readonly content: string }>(
  passages: readonly Passage[],
  limit: number,
  { canReplace = () => true, promote = (longer) => longer }: NearDuplicateOptions<Passage> = {},
): Passage[] {
  const kept: Candidate<Passage>[] = [];
  for (const candidate of longestFirst(passages)) {
    const longer = kept.find((other) => isNearDuplicate(other, candidate));
    if (longer === undefined) kept.push(candidate);
    else if (candidate.rank < longer.rank) takeRank(longer, candidate);
  }
  return kept
    .sort((left, right) => left.rank - right.rank)
    .slice(0, limit)
    .map(({ passage, rank }) => {
      const best = passages[rank];
      return best === undefined || best === passage ? passage : promote(passage, best);
    });

  function isNearDuplicate(longer: Candidate<Passage>, shorter: Candidate<Passage>): boolean {
    if (!covers(longer.fingerprint, shorter.fingerprint)) return false;
    const isBetter = longer.rank < shorter.rank;
    return (
      isBetter ||
      !saysMore(longer.fingerprint, shorter.fingerprint) ||
      canReplace(longer.passage, shorter.passage)
    );
  }
}

interface Candidate<Passage> {
  passage: Passage;
  fingerprint: Fingerprint;
  /** Position of the best of the near-duplicates that the passage stands for. */
  rank: number;
}

function longestFirst<Passage extends { readonly content: string }>(
  passages: readonly Passage[],
): Candidate<Passage>[] {
  return passages
    .map((passage, rank) => ({ passage, rank, fingerprint: fingerprintOf(passage.content) }))
    .sort((left, right) => right.fingerprint.shingles.size - left.fingerprint.shingles.size);
}

/** Gives the longer passage the rank of the better one. If it does not say more, the better one replaces it. */
function takeRank<Passage>(longer: Candidate<Passage>, better: Candidate<Passage>): void {
  const { passage, fingerprint } = saysMore(longer.fingerprint, better.fingerprint)
    ? longer
    : better;
  Object.assign(longer, { passage, fingerprint, rank: better.rank });
}

interface Fingerprint {
  readonly shingles: ReadonlySet<string>;
  /** Numbers with their sign and unit, and the shingles that contain a number. */
  readonly numbers: ReadonlySet<string>;
}

function computeFingerprint(text: string): Fingerprint {
  const folded = fold(text);
  const words = splitFoldedWords(folded);
  const shingles = new Set<string>();
  const numbers = new Set(hasNumber(folded) ? folded.match(numberPattern)?.filter(hasNumber) : []);
  /** Position of the last number among the words of the shingle. */
  let numberAt = Number.NEGATIVE_INFINITY;
  for (const [end, word] of words.entries()) {
    if (hasNumber(word)) numberAt = end;
    const start = end - shingleSize + 1;
    if (start < 0 && end < words.length - 1) continue;
    const shingle = words.slice(Math.max(0, start), end + 1).join(' ');
    shingles.add(shingle);
    if (numberAt >= start) numbers.add(shingle);
  }
  return { shingles, numbers };
}

const fingerprintOf = memoize(computeFingerprint, (text) => text);

function hasNumber(text: string): boolean {
  return isAscii(text) ? /[0-9]/.test(text) : /\p{N}/u.test(text);
}

const spacedLetter = `(?![${bigramScripts}${unspacedScripts}])[\\p{L}\\p{M}\\p{N}]`;

/** Matches words, codes, versions and dates as a whole, and amounts with their sign, currency and percent sign. */
const numberPattern = new RegExp(
  `(?:(?<!${spacedLetter})[-−+\\p{Sc}]{1,2})?(?:${spacedLetter})+(?:[-.,:/_](?:${spacedLetter})+)*(?: ?[%‰°\\p{Sc}])?`,
  'gu',
);

/** Whether the longer text contains nearly all words of the shorter one, and all its numbers in the same place. */
function covers(longer: Fingerprint, shorter: Fingerprint): boolean {
  for (const number of shorter.numbers) if (!longer.numbers.has(number)) return false;
  const { size } = shorter.shingles;
  const maxOwn = size - containmentThreshold * size;
  return size > 0 && countOwn(shorter, longer, maxOwn) <= maxOwn;
}

/** Whether the longer text contains at least a sentence that is not in the shorter one. */
function saysMore(longer: Fingerprint, shorter: Fingerprint): boolean {
  const own = countOwn(longer, shorter, minOwnShingles);
  return own >= minOwnShingles || !covers(shorter, longer);
}

/** Counts the shingles of a text that the other text does not contain. Stops counting above `max`. */
function countOwn(text: Fingerprint, other: Fingerprint, max: number): number {
  let own = 0;
  for (const shingle of text.shingles) {
    if (other.shingles.has(shingle)) continue;
    own += 1;
    if (own > max) break;
  }
  return own;
}
