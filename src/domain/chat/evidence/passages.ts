import { formTerms } from '../../../models/extractive/answer-candidates.ts';
import { sentencesOf } from '../../../text/sentences.ts';
import { contentTerms } from '../../../text/terms.ts';
import type { Hit } from '../../knowledge/retrieval/hybrid-search.ts';
import { type QuestionTerms, weightedShare } from './question-terms.ts';

/** A sentence, list item or table row of a chunk, with the terms near it and above it. */
export interface Passage {
  readonly text: string;
  readonly own: ReadonlySet<string>;
  /** Terms of the sentences directly before and after the passage. */
  readonly near: ReadonlySet<string>;
  /** Terms of the document's name, the headings above the passage, and the document's form. */
  readonly above: ReadonlySet<string>;
}

const weightAbove = 0.7;
const weightNear = 0.5;

/**
 * Returns the passage that contains the largest weighted share of the question, or null if the hits contain no text.
 */
export function closestPassage(terms: QuestionTerms, hits: readonly Hit[]): Passage | null {
  let closest: Passage | null = null;
  let best = -1;
  const forms = formTerms(hits);
  for (const passage of hits.flatMap((hit) => passagesOf(hit, forms.get(hit.documentId)))) {
    const { own, near, above } = passage;
    const share = weightedShare(terms, (term) =>
      own.has(term) ? 1 : above.has(term) ? weightAbove : near.has(term) ? weightNear : 0,
    );
    if (share > best) [closest, best] = [passage, share];
  }
  return closest;
}

export function passageContains({ own, near, above }: Passage, term: string): boolean {
  return own.has(term) || near.has(term) || above.has(term);
}

function passagesOf(
  { documentName, context, content }: Hit,
  formTerms: ReadonlySet<string> = new Set(),
): Passage[] {
  const above = new Set([...contentTerms(`${documentName} ${context}`), ...formTerms]);
  const sentences = sentencesOf(content)
    .slice(0, maxSentences)
    .map(({ text }) => ({ text, own: new Set(contentTerms(text)) }));
  return sentences.map(({ text, own }, index) => {
    const before = sentences[index - 1]?.own ?? [];
    const after = sentences[index + 1]?.own ?? [];
    return { text, own, near: new Set([...before, ...after]), above };
  });
}

/** Further sentences of a chunk are not compared. A chunk has about 160 tokens. */
const maxSentences = 60;
