import { foldedWords } from '../../../text/terms.ts';

/** Share of the shorter text's shingles (sequences of three words) from which it is a duplicate of the longer text. */
const containmentThreshold = 0.9;
const shingleSize = 3;

/**
 * Returns the first `limit` passages that are not near-duplicates of an earlier one, in order. Without this, a document
 * uploaded twice or a repeated paragraph would fill all results.
 *
 * Near-duplicates are found by shingle containment (Broder 1997, 'On the Resemblance and Containment of Documents').
 * Passages are no duplicates if the shorter one contains a number that the longer one does not, because the number may
 * be a different period or price.
 */
export function removeNearDuplicates<Passage extends { readonly content: string }>(
  passages: readonly Passage[],
  limit: number,
): Passage[] {
  const kept: Passage[] = [];
  const fingerprints: Fingerprint[] = [];
  for (const passage of passages) {
    if (kept.length === limit) break;
    const fingerprint = fingerprintOf(passage.content);
    if (fingerprints.some((other) => isNearDuplicate(fingerprint, other))) continue;
    kept.push(passage);
    fingerprints.push(fingerprint);
  }
  return kept;
}

interface Fingerprint {
  readonly shingles: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
}

function fingerprintOf(text: string): Fingerprint {
  const words = foldedWords(text);
  const last = Math.max(1, words.length - shingleSize + 1);
  const shingles = words.slice(0, last).map((_, at) => words.slice(at, at + shingleSize).join(' '));
  return {
    shingles: new Set(shingles),
    numbers: new Set(words.filter((word) => /\p{N}/u.test(word))),
  };
}

function isNearDuplicate(one: Fingerprint, other: Fingerprint): boolean {
  const [shorter, longer] = one.shingles.size < other.shingles.size ? [one, other] : [other, one];
  const minShared = containmentThreshold * shorter.shingles.size;
  if (![...shorter.numbers].every((number) => longer.numbers.has(number))) return false;
  let shared = 0;
  for (const run of shorter.shingles) if (longer.shingles.has(run)) shared += 1;
  return shorter.shingles.size > 0 && shared >= minShared;
}
