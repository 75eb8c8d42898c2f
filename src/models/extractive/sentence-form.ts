import { foldedWords } from '../../text/terms.ts';

/** Maximum number of words of a sentence. Longer sentences have words in common by chance. */
const maxWords = 40;
const minWords = 4;
/** Minimum share of the shorter sentence's words that both sentences contain in the same order. */
const minShared = 0.5;
/** The same for sentences of at most `shortWords` words. */
const minSharedOfShort = 0.25;
const shortWords = 5;

/**
 * Whether two sentences make the same statement about different things: "In May parcels leave on Thursdays" and "In
 * June parcels leave on Fridays".
 */
export function haveSameForm(left: string, right: string): boolean {
  const [one, other] = [foldedWords(left), foldedWords(right)];
  const shorter = Math.min(one.length, other.length);
  if (shorter < minWords || Math.max(one.length, other.length) > maxWords) return false;
  const share = Math.max(one.length, other.length) <= shortWords ? minSharedOfShort : minShared;
  return sharedInOrder(one, other) >= share * shorter;
}

/** Returns the length of the longest common subsequence. */
function sharedInOrder(left: readonly string[], right: readonly string[]): number {
  let above = new Array<number>(right.length + 1).fill(0);
  for (const word of left) {
    const row = [0];
    right.forEach((other, index) => {
      const skipped = Math.max(above[index + 1] ?? 0, row[index] ?? 0);
      row.push(word === other ? (above[index] ?? 0) + 1 : skipped);
    });
    above = row;
  }
  return above.at(-1) ?? 0;
}
