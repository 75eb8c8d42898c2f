import { memoize } from './memoize.ts';

/**
 * Returns how likely two folded words have the same root, 0 to 1. For languages that inflect and join words: "hund" and
 * "assistenzhunde", "gebuhr" and "gebuehren", "abonnement" and "abonner". English words have stems instead.
 */
export function wordAffinity(left: string, right: string): number {
  if (left === right) return 1;
  const [one, other] = [rootOf(left), rootOf(right)];
  if (one === other) return 1;
  const shorter = Math.min(one.length, other.length);
  if (shorter < minLength) return 0;
  const start = commonStart(one, other);
  const isStart = start >= minStart && start >= 0.75 * shorter;
  if (isStart && start >= 0.6 * Math.max(one.length, other.length)) return inflected;
  const end = commonEnd(one, other);
  if (start === shorter || end === shorter) return joined;
  return Math.max(start, end) >= minPart ? sharedPart : 0;
}

/** Affinity of two forms of a word, of a word and a compound with it, and of two compounds with a common part. */
const [inflected, joined, sharedPart] = [0.9, 0.7, 0.5];
const minLength = 4;
const minStart = 5;
const minPart = 6;

/** Removes the ending of a longer word, and writes "ae", "oe" and "ue" as the folded umlaut. */
const rootOf = memoize(
  (word: string): string => {
    const spelled = word.replace(/([aou])e(?=[^aeiou]|$)/g, '$1');
    return word.length > minLength ? spelled.replace(/(?:e[nrsm]?|n|s)$/, '') : spelled;
  },
  (word) => word,
  8_192,
);

function commonStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

function commonEnd(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left.at(-1 - length) === right.at(-1 - length)) length += 1;
  return length;
}
