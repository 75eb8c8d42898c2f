/**
 * Frequencies of letter pairs in words of the widget's languages: 0 is the rarest, 9 the most frequent. Each row is a
 * first letter, and each digit in the row a second letter, both from a to z.
 *
 * The value is log2 of the pair's share plus 15, in the language in which the pair is most frequent. Counted in the
 * spelling dictionaries for English, German, Spanish, French, Italian, Dutch and Portuguese on npm (`dictionary-en` and
 * others).
 */
const frequencies = [
  '87894687867989775989875457', // a
  '75128253822722700754603034', // b
  '90808009807613903747700050', // c
  '84359244823534930663644042', // d
  '87889677958989774998876646', // e
  '73047642712622720656632043', // f
  '84159276805636730775732052', // g
  '83118342705756710757615063', // h
  '96989783486889978898571407', // i
  '61056530406325530053541004', // j
  '74128234626624730656635042', // k
  '95569546925855842357643074', // l
  '86149233803373870244632042', // m
  '85899696846547844489554246', // n
  '66878775756889874988866544', // o
  '83228647822623760756632042', // p
  '00000000000000000000800000', // q
  '96689665927667954777765075', // r
  '85948557845676874489755054', // s
  '95539457944544940878755076', // t
  '66768765845778562987556514', // u
  '70009000700500700500350020', // v
  '72037105601324610431500010', // w
  '50304001600000440004210230', // x
  '43544131301544450455303100', // y
  '83207121701223601014705027', // z
];

/** Returns the mean frequency of the letter pairs of a word. The word may contain only the letters a to z. */
export function letterPairFrequency(word: string): number {
  let sum = 0;
  for (let index = 1; index < word.length; index += 1) {
    const row = frequencies[letterIndex(word, index - 1)] ?? '';
    sum += Number(row[letterIndex(word, index)] ?? 0);
  }
  return sum / Math.max(1, word.length - 1);
}

function letterIndex(word: string, index: number): number {
  return word.charCodeAt(index) - 'a'.charCodeAt(0);
}
