import {
  type ChunkTerms,
  chunkTerms,
  projectLexeme,
  quoteLexeme,
} from '../../src/domain/knowledge/ingestion/chunk-terms.ts';
import { pick, type Random } from '../support/seeded-random.ts';

export interface Passage extends ChunkTerms {
  readonly content: string;
}

/** English function words. They make up a third of a text, and the tokenizer detects the language by them. */
const functionWords =
  'the of and to in a is that for it as was with be by on not he this are or his from at which but have an'.split(
    ' ',
  );

const vocabularySize = 60_000;
const wordsPerPassage = 110;

/**
 * Generates passages of typical chunk length with Zipf-distributed words, and their terms as the service computes them.
 * Projects share the passages, because generating a million would take longer than the benchmark.
 */
export function generatePassages(random: Random, count: number): Passage[] {
  const words = Array.from({ length: vocabularySize }, () => word(random));
  const next = () =>
    random() < 0.35
      ? pick(random, functionWords)
      : (words[Math.floor(vocabularySize ** random())] ?? 'word');
  return Array.from({ length: count }, () => {
    const content = `${Array.from({ length: wordsPerPassage }, next).join(' ')}.`;
    const { terms, length } = chunkTerms('', 'Handbook.pdf', { context: '', content });
    return { content, length, terms: terms.slice(quoteLexeme(projectLexeme('')).length) };
  });
}

/** Returns the terms of a passage with the project's lexeme. */
export function termsForProject(projectId: string, { terms }: Passage): string {
  return quoteLexeme(projectLexeme(projectId)) + terms;
}

/** Returns a question about a passage: eight random words of it. */
export function questionAbout(random: Random, { content }: Passage): string {
  const words = content.slice(0, -1).split(' ');
  return Array.from({ length: 8 }, () => pick(random, words)).join(' ');
}

const syllables =
  'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru sta tre pli sno qua'.split(
    ' ',
  );

function word(random: Random): string {
  return Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(random, syllables)).join(
    '',
  );
}
