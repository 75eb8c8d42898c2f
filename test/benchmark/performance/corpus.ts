import { seededRandom } from '../../../src/domain/evaluation/seeded-random.ts';
import { pick } from '../../support/seeded-random.ts';

export interface CorpusDocument {
  readonly name: string;
  readonly content: string;
}

const words =
  'account invoice order delivery refund contract support device network backup update password report team project ' +
  'schedule storage payment address window engine sensor battery cable filter pump valve module license region office ' +
  'manual option setting service version release machine market season supply quality safety training';
const commonWords = words.split(' ');
const verbs = 'needs checks replaces opens closes sends keeps moves reads stores'.split(' ');

/** Number of paragraphs of a document. Each paragraph has two rare words of its own. */
const paragraphs = 12;

/**
 * Returns generated documents of about 8 kB. Each document has rare words, so that only one document answers a
 * question.
 */
export function generateCorpus(count: number): CorpusDocument[] {
  const random = seededRandom(7);
  const sentence = (subject: string) => {
    const rest = Array.from({ length: 9 }, () => pick(random, commonWords)).join(' ');
    return `The ${subject} ${pick(random, verbs)} the ${rest}.`;
  };
  return Array.from({ length: count }, (_, document) => ({
    name: documentName(document),
    content: Array.from({ length: paragraphs }, (_, paragraph) =>
      Array.from({ length: 9 }, (_, n) =>
        sentence(n % 3 === 0 ? rareWord(document, paragraph) : pick(random, commonWords)),
      ).join(' '),
    ).join('\n\n'),
  }));
}

export function documentName(document: number): string {
  return `document-${document}.md`;
}

/** Returns a question that the document with this number answers. `n` selects the paragraph. */
export function questionFor(document: number, n = 0): string {
  return `What does the ${rareWord(document, n % paragraphs)} need?`;
}

function rareWord(document: number, paragraph: number): string {
  return `kx${document.toString(36)}q${paragraph}`;
}
