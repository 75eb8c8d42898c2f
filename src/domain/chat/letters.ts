/**
 * A text as its bare letters: case, accents, width, spaces, punctuation, digits and invisible characters make no
 * difference, nor do Greek and Cyrillic letters that look like Latin ones. For comparing, never to be shown.
 */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\P{L}/gu, '')
    .replace(lookalike, (letter) => latin[lookalikes.indexOf(letter)] ?? letter);
}

const lookalikes = 'асԁеһіјкԛмнорѕтувԝхүαεικνορτυχгıɡ';
const latin = 'acdehijkqmhopstybwxyaeikvoptuxrig';
const lookalike = new RegExp(`[${lookalikes}]`, 'gu');
