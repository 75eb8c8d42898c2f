import { readFileSync } from 'node:fs';

let vocabulary: ReadonlySet<string> | undefined;

/**
 * Whether a text in lower case is a word in the vocabulary of the embedding model: the 21,000 most frequent English
 * words, and the most frequent words of some other languages. The file is read when it is first needed.
 */
export function isVocabularyWord(text: string): boolean {
  vocabulary ??= readVocabulary();
  return text.length > 1 && vocabulary.has(text);
}

function readVocabulary(): ReadonlySet<string> {
  const file = new URL('../../models/weights/all-MiniLM-L6-v2/tokenizer.json', import.meta.url);
  const { model } = JSON.parse(readFileSync(file, 'utf8'));
  return new Set(Object.keys(model.vocab));
}
