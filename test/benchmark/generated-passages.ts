import {
  type ChunkTerms,
  chunkTerms,
  projectLexeme,
  quoteLexeme,
} from '../../src/domain/knowledge/chunk-rows.ts';
import { pick, type Random } from './seeded-random.ts';

export interface Passage extends ChunkTerms {
  readonly content: string;
}

/** English function words, which make a third of a text and tell the tokenizer its language. */
const functionWords =
  'the of and to in a is that for it as was with be by on not he this are or his from at which but have an'.split(
    ' ',
  );

const vocabulary = 60_000;
const wordsInPassage = 110;

/**
 * Passages of a chunk's usual length, with words as common as Zipf's law has them, and their terms as the service makes
 * them. Projects share the passages: to make a million anew would take longer than to search them.
 */
export function generatePassages(random: Random, count: number): Passage[] {
  const words = Array.from({ length: vocabulary }, () => word(random));
  const next = () =>
    random() < 0.35
      ? pick(random, functionWords)
      : (words[Math.floor(vocabulary ** random())] ?? 'word');
  return Array.from({ length: count }, () => {
    const content = `${Array.from({ length: wordsInPassage }, next).join(' ')}.`;
    const { terms, length } = chunkTerms('', 'Handbook.pdf', { context: '', content });
    return { content, length, terms: terms.slice(quoteLexeme(projectLexeme('')).length) };
  });
}

/** The terms of a passage that belongs to the project. */
export function termsIn(projectId: string, { terms }: Passage): string {
  return quoteLexeme(projectLexeme(projectId)) + terms;
}

/** A question about a passage: some of its words, common and rare as they come. */
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
