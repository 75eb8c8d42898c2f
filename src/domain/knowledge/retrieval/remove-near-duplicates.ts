import { withoutEarlierMessageTitle } from '../../../text/earlier-message.ts';
import { memoize } from '../../../text/memoize.ts';
import { bigramScripts, unspacedScripts } from '../../../text/scripts.ts';
import { splitFoldedWords } from '../../../text/terms.ts';
import { fold, isAscii } from '../../../text/tokenize.ts';

/**
 * A text covers another text if it contains at least this share of the other text's shingles (sequences of three
 * words).
 */
const containmentThreshold = 0.9;
const shingleSize = 3;
/**
 * A longer text has additional content if at least this many of its shingles are not in the shorter text. A short
 * sentence or three replaced words are enough.
 */
const minOwnShingles = 8;

export interface NearDuplicateOptions<Passage> {
  /** Returns whether the longer of two near-duplicates may replace the better one. Default: always true. */
  readonly canReplace?: (longer: Passage, best: Passage) => boolean;
  /** Returns the longer passage with the rank of the better one. Default: the longer passage unchanged. */
  readonly promote?: (longer: Passage, best: Passage) => Passage;
}

/**
 * Returns the first `limit` passages without near-duplicates. Without this, a document that was uploaded twice, or a
 * repeated paragraph, would fill all results.
 *
 * Of several near-duplicates, the best passage stays. If a longer near-duplicate has additional content, it takes the
 * rank of the best passage instead, because the additional content may be the answer. If `canReplace` forbids this,
 * both passages stay.
 *
 * Near-duplicates are found by shingle containment (Broder 1997, 'On the Resemblance and Containment of Documents'). A
 * passage with a number that a similar passage lacks is always kept, because it may be about a different period, price
 * or version.
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
  /** Rank of the best near-duplicate that this passage replaces. */
  rank: number;
}

function longestFirst<Passage extends { readonly content: string }>(
  passages: readonly Passage[],
): Candidate<Passage>[] {
  return passages
    .map((passage, rank) => ({ passage, rank, fingerprint: fingerprintOf(passage.content) }))
    .sort((left, right) => right.fingerprint.shingles.length - left.fingerprint.shingles.length);
}

/**
 * Gives the longer passage the rank of the better passage. If the longer passage has no additional content, the better
 * passage replaces it.
 */
function takeRank<Passage>(longer: Candidate<Passage>, better: Candidate<Passage>): void {
  const { passage, fingerprint } = saysMore(longer.fingerprint, better.fingerprint)
    ? longer
    : better;
  Object.assign(longer, { passage, fingerprint, rank: better.rank });
}

interface Fingerprint {
  /** Hashes of the shingles, in ascending order. */
  readonly shingles: Float64Array;
  /** Hashes in ascending order: of the numbers with their sign and unit, and of the shingles that contain a number. */
  readonly numbers: Float64Array;
}

function computeFingerprint(text: string): Fingerprint {
  const folded = fold(withoutEarlierMessageTitle(text));
  const words = splitFoldedWords(folded);
  const hashes = hashWords(words);
  const shingles: number[] = [];
  const numbers: number[] = [];
  const isNumeric = hasNumber(folded);
  for (const number of isNumeric ? (folded.match(numberPattern) ?? []) : []) {
    if (hasNumber(number)) numbers.push(hashSequence(hashWords([number]), 0, 1));
  }
  /** Position of the last number read, counted in words. */
  let numberAt = Number.NEGATIVE_INFINITY;
  for (const [end, word] of words.entries()) {
    if (isNumeric && hasNumber(word)) numberAt = end;
    const start = end - shingleSize + 1;
    if (start < 0 && end < words.length - 1) continue;
    const shingle = hashSequence(hashes, Math.max(0, start), end + 1);
    shingles.push(shingle);
    if (numberAt >= start) numbers.push(shingle);
  }
  return { shingles: sortDistinct(shingles), numbers: sortDistinct(numbers) };
}

/** An entry needs about 2 kB for a chunk of 110 words. */
const fingerprintOf = memoize(computeFingerprint, (text) => text, 4_096);

/** Random seeds of this process. Without them, an attacker could write different texts with equal hashes. */
const [seed = 0, otherSeed = 0] = crypto.getRandomValues(new Uint32Array(2));

/** Returns two hashes for each word. */
function hashWords(words: readonly string[]): Int32Array {
  const hashes = new Int32Array(2 * words.length);
  for (const [n, word] of words.entries()) {
    let hash = seed;
    let other = otherSeed;
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at);
      hash = Math.imul(hash ^ code, fnvPrime);
      other = Math.imul(other ^ code, fnvPrime) + (hash >>> 15);
    }
    hashes[2 * n] = hash;
    hashes[2 * n + 1] = other;
  }
  return hashes;
}

/** Returns a 53-bit hash of the words from `from` to `to`, made of two hashes (FNV-1a). */
function hashSequence(words: Int32Array, from: number, to: number): number {
  let hash = seed;
  let other = otherSeed;
  for (let n = from; n < to; n += 1) {
    hash = Math.imul(hash ^ (words[2 * n] ?? 0), fnvPrime);
    hash ^= hash >>> 15;
    other = Math.imul(other ^ (words[2 * n + 1] ?? 0), fnvPrime) + (hash >>> 15);
  }
  return (hash >>> 0) * 2 ** 21 + (other >>> 11);
}

const fnvPrime = 0x01000193;

function sortDistinct(hashes: readonly number[]): Float64Array {
  const sorted = new Float64Array(hashes).sort();
  let count = 0;
  for (const hash of sorted) {
    if (count === 0 || hash !== sorted[count - 1]) sorted[count++] = hash;
  }
  return sorted.slice(0, count);
}

function hasNumber(text: string): boolean {
  return isAscii(text) ? /[0-9]/.test(text) : /\p{N}/u.test(text);
}

const spacedLetter = `(?![${bigramScripts}${unspacedScripts}])[\\p{L}\\p{M}\\p{N}]`;

/** Matches words, codes, versions and dates as a whole, and amounts with their sign, currency and percent sign. */
const numberPattern = new RegExp(
  `(?:(?<!${spacedLetter})[-−+\\p{Sc}]{1,2})?(?:${spacedLetter})+(?:[-.,:/_](?:${spacedLetter})+)*(?: ?[%‰°\\p{Sc}])?`,
  'gu',
);

/**
 * Returns whether the longer text contains nearly all words of the shorter text, and all its numbers in the same
 * context.
 */
function covers(longer: Fingerprint, shorter: Fingerprint): boolean {
  if (countOwn(shorter.numbers, longer.numbers, 0) > 0) return false;
  const size = shorter.shingles.length;
  const maxOwn = size - containmentThreshold * size;
  return size > 0 && countOwn(shorter.shingles, longer.shingles, maxOwn) <= maxOwn;
}

/** Returns whether the longer text contains at least about one sentence that the shorter text does not contain. */
function saysMore(longer: Fingerprint, shorter: Fingerprint): boolean {
  const own = countOwn(longer.shingles, shorter.shingles, minOwnShingles);
  return own >= minOwnShingles || !covers(shorter, longer);
}

/** Counts the hashes of a text that the other text does not contain. Stops counting above `max`. */
function countOwn(text: Float64Array, other: Float64Array, max: number): number {
  let own = 0;
  let at = 0;
  for (let n = 0; n < text.length && own <= max; n += 1) {
    const hash = text[n] ?? 0;
    while (at < other.length && (other[at] ?? 0) < hash) at += 1;
    if (other[at] !== hash) own += 1;
  }
  return own;
}
