/**
 * Returns the words at Damerau-Levenshtein distance 1 from a folded word that contains only the letters a to z. In each
 * result, one letter is deleted, replaced, inserted, or swapped with the next letter (Norvig, 'How to Write a Spelling
 * Corrector'). A letter is only replaced by one that people confuse it with: another vowel, a letter with the same
 * sound, or a neighbor on the keyboard. Otherwise, correct words would become other words, as "vouch" and "touch".
 */
export function spellingEdits(word: string): Set<string> {
  const edits = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    edits.add(head + tail.slice(1));
    if (tail.length > 1) edits.add(`${head}${tail[1]}${tail[0]}${tail.slice(2)}`);
    for (const letter of confusedWith(tail.charAt(0))) edits.add(head + letter + tail.slice(1));
    for (const letter of alphabet) {
      edits.add(head + letter + tail);
    }
  }
  edits.delete(word);
  return edits;
}

/** Returns all words in which two letters of the word are doubled: "adres" becomes "address" and others. */
export function doubledSpellings(word: string): string[] {
  const places = Array.from(word, (_, index) => index);
  return places.flatMap((first) =>
    places.slice(first + 1).map((second) => {
      const middle = word.slice(first, second);
      return `${word.slice(0, first)}${word[first]}${middle}${word[second]}${word.slice(second)}`;
    }),
  );
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz';
const keyRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** Groups of letters with similar sounds, and the keys that other keyboards exchange. */
const similarLetters = ['aeiou', 'iy', 'bp', 'cksqz', 'dt', 'fv', 'gj', 'mn', 'vw', 'yz'];

/** Returns the letters that people write by mistake for a letter. */
function confusedWith(letter: string): string {
  const row = keyRows.findIndex((keys) => keys.includes(letter));
  if (row === -1) return '';
  const at = keyRows[row]?.indexOf(letter) ?? 0;
  // Each row of keys is half a key to the right of the row above.
  const keys = [
    ...(keyRows[row]?.slice(Math.max(0, at - 1), at + 2) ?? ''),
    ...(keyRows[row - 1]?.slice(at, at + 2) ?? ''),
    ...(keyRows[row + 1]?.slice(Math.max(0, at - 1), at + 1) ?? ''),
  ];
  const sounds = similarLetters.filter((letters) => letters.includes(letter));
  return [...new Set([...keys, ...sounds.join('')])].filter((other) => other !== letter).join('');
}

/**
 * Returns the Damerau-Levenshtein distance of two words (optimal string alignment). Returns `limit + 1` if the distance
 * is larger than `limit`.
 */
export function spellingDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let twoAbove: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (twoAbove[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    twoAbove = above;
    above = current;
  }
  return Math.min(above[right.length] ?? 0, limit + 1);
}
