/**
 * Returns a map from frequent misspellings to the words of small talk that are most often misspelled: one letter is
 * missing or doubled, or two neighboring letters are swapped. Only for long words, because a misspelling of a short
 * word is often another word.
 */
function misspellingsOf(words: string): ReadonlyMap<string, string> {
  const misspellings = new Map<string, string>();
  for (const word of words.split(/\s+/).filter(Boolean)) {
    for (let index = 1; index < word.length; index += 1) {
      const before = word.slice(0, index);
      const [letter = '', next = ''] = word.slice(index);
      const after = word.slice(index + 2);
      misspellings.set(`${before}${letter}${letter}${next}${after}`, word);
      if (next === '') continue;
      misspellings.set(`${before}${next}${after}`, word);
      misspellings.set(`${before}${next}${letter}${after}`, word);
    }
  }
  for (const word of otherWords) misspellings.delete(word);
  return misspellings;
}

/** Words of their own, although they are one edit away from a word of small talk. */
const otherWords = ['tanks', 'graze', 'operato', 'representatie'];

const misspellings = misspellingsOf(`
  thanks goodbye morning evening afternoon someone somebody representative operator useless terrible horrible
  question questions connect
  tschuss mitarbeiter menschen sprechen vielen nutzlos verbinden
  gracias buenos buenas hablar persona agente pregunta
  bonjour bonsoir beaucoup conseiller parler personne
  grazie buongiorno buonasera operatore parlare arrivederci domanda
  bedankt goedemorgen goedemiddag goedenavond medewerker spreken
  obrigado obrigada atendente`);

const shortMisspellings: ReadonlyMap<string, string> = new Map([
  ['helo', 'hello'],
  ['hllo', 'hello'],
  ['hlelo', 'hello'],
  ['ehllo', 'hello'],
  ['helllo', 'hello'],
  ['hlalo', 'hallo'],
  ['ahllo', 'hallo'],
  ['dnake', 'danke'],
  ['danek', 'danke'],
  ['dake', 'danke'],
  ['dankee', 'danke'],
  ['mersi', 'merci'],
  ['mreci', 'merci'],
  ['byee', 'bye'],
  ['thnks', 'thanks'],
  ['thansk', 'thanks'],
  ['thak', 'thank'],
  ['thnak', 'thank'],
  ['tahnk', 'thank'],
  ['thankyu', 'thankyou'],
  ['yuo', 'you'],
  ['hmuan', 'human'],
  ['humna', 'human'],
  ['huamn', 'human'],
  ['humen', 'human'],
  ['perosn', 'person'],
  ['preson', 'person'],
  ['agnet', 'agent'],
  ['agetn', 'agent'],
  ['plase', 'please'],
  ['pleas', 'please'],
  ['plese', 'please'],
  ['hlep', 'help'],
  ['ehlp', 'help'],
  ['hepl', 'help'],
  ['teh', 'the'],
  ['waht', 'what'],
  ['cna', 'can'],
]);

/** Returns the word of small talk that `word` most likely stands for, or `word` itself. */
export function correctTypo(word: string, known: ReadonlySet<string>): string {
  if (known.has(word)) return word;
  const corrected = shortMisspellings.get(word) ?? misspellings.get(word) ?? word;
  return known.has(corrected) ? corrected : word;
}
