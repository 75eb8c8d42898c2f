/**
 * Returns a map from frequent misspellings to the correct words in `words`. In a misspelling, two neighboring letters
 * are swapped. In words of at least five letters, one letter after the first may also be missing or doubled; in shorter
 * words, this would often give another real word. If two words have the same misspelling, the later word is used.
 *
 * @param otherWords Real words that are one edit away from a word in `words`. They are not misspellings.
 */
export function misspellingsOf(
  words: string,
  otherWords: readonly string[],
): ReadonlyMap<string, string> {
  const misspellings = new Map<string, string>();
  const correct = words.split(/\s+/).filter(Boolean);
  for (const word of correct) {
    for (let index = 0; index < word.length; index += 1) {
      const before = word.slice(0, index);
      const [letter = '', next = ''] = word.slice(index);
      const after = word.slice(index + 2);
      misspellings.set(`${before}${next}${letter}${after}`, word);
      if (index === 0 || word.length < minLength) continue;
      misspellings.set(`${before}${letter}${letter}${next}${after}`, word);
      misspellings.set(`${before}${next}${after}`, word);
    }
  }
  for (const word of [...correct, ...otherWords]) misspellings.delete(word);
  return misspellings;
}

const minLength = 5;
