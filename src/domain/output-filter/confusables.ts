/**
 * Returns the letters of a text, only for comparison: lower case, and without accents, spaces, punctuation, digits or
 * invisible characters. Greek and Cyrillic letters that look like Latin letters become Latin letters.
 */
export function confusableSkeleton(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\P{L}/gu, '')
    .replace(
      confusablePattern,
      (letter) => latinLetters[confusableLetters.indexOf(letter)] ?? letter,
    );
}

const confusableLetters = 'асԁеһіјкԛмнорѕтувԝхүαεικνορτυχгıɡ';
const latinLetters = 'acdehijkqmhopstybwxyaeikvoptuxrig';
const confusablePattern = new RegExp(`[${confusableLetters}]`, 'gu');
