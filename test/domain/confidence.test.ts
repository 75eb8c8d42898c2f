import { describe, expect, it } from 'vitest';
import {
  answerConfidence,
  confidenceOf,
  type Found,
  isAnswerable,
  maxUnansweredConfidence,
  retrievalConfidence,
} from '../../src/domain/chat/confidence.ts';
import { confidenceWeights } from '../../src/domain/chat/confidence-weights.ts';
import type { Hit } from '../../src/domain/knowledge/hybrid-search.ts';

const certain = {
  lexical: 0.8,
  similarity: 0.8,
  familiarity: 0.5,
  lead: 0.2,
  coverage: 1,
  missingNames: 0,
  answerSupport: 1,
};

function hit(content: string, scores: Partial<Hit> = {}): Hit {
  return {
    chunkId: 'c',
    documentId: 'd',
    documentName: 'terms.md',
    content,
    context: '',
    page: null,
    startOffset: 0,
    endOffset: 1,
    score: 0.5,
    similarity: 0.5,
    lexical: 0.5,
    ...scores,
  };
}

function found(hits: readonly Hit[], embeddingModel: string | null = builtIn): Found {
  return { hits, embeddingModel, familiarity: 1 };
}

const builtIn = 'built-in/all-MiniLM-L6-v2';

describe('confidence', () => {
  it.each([builtIn, 'a model of somebody else'])(
    'rises with everything that speaks for an answer, by %s',
    (model) => {
      const weights = confidenceWeights(model);
      for (const [weaker, stronger] of [
        [{ lexical: 0.2 }, { lexical: 0.6 }],
        [{ similarity: 0.2 }, { similarity: 0.6 }],
        [{ lead: 0 }, { lead: 0.3 }],
        [{ coverage: 0.3 }, { coverage: 0.9 }],
        [{ missingNames: 1 }, { missingNames: 0 }],
        [{ answerSupport: 0.4 }, { answerSupport: 1 }],
      ]) {
        const low = confidenceOf({ ...certain, ...weaker }, weights);
        const high = confidenceOf({ ...certain, ...stronger }, weights);
        expect(low).toBeLessThan(high);
        expect(low).toBeGreaterThan(0);
        expect(high).toBeLessThan(1);
      }
    },
  );

  it('is at most 0.2 for an answer that its sources do not carry, however good these are', () => {
    const unsupported = { ...certain, answerSupport: 0 };
    for (const model of [builtIn, 'another', null]) {
      expect(confidenceOf(unsupported, confidenceWeights(model))).toBeLessThan(
        maxUnansweredConfidence,
      );
    }
  });

  it('is nought without anything found, and then there is no answer', () => {
    expect(retrievalConfidence('How long is the warranty?', found([]))).toBe(0);
    expect(answerConfidence('How long is the warranty?', found([]), [], 'Two years [1].')).toBe(0);
    expect(isAnswerable(0, found([]))).toBe(false);
  });

  it('tells a question the chunks speak of from one they do not', () => {
    const hits = [
      hit('The warranty of the X200 lasts two years.', { lexical: 0.7, similarity: 0.7 }),
      hit('Returns are accepted within 30 days.', { lexical: 0.1, similarity: 0.3 }),
    ];
    const poor = hits.map((one) => ({ ...one, lexical: 0.05, similarity: 0.1, score: 0.07 }));
    const good = retrievalConfidence('How long is the X200 warranty?', found(hits));
    expect(isAnswerable(good, found(hits))).toBe(true);
    const bad = retrievalConfidence('Who won the cup final?', found(poor));
    expect(isAnswerable(bad, found(poor))).toBe(false);
  });

  it('falls where a name or a number of the question stands nowhere', () => {
    const hits = [hit('The warranty of the X200 lasts two years.')];
    const known = retrievalConfidence('How long is the warranty of the X200?', found(hits));
    const other = retrievalConfidence('How long is the warranty of the Z900?', found(hits));
    expect(other).toBeLessThan(known - 0.2);
  });

  it('falls from the one before the answer when the answer says what no source says', () => {
    const hits = [hit('The warranty of the X200 lasts two years.')];
    const question = 'How long is the warranty of the X200?';
    const grounded = answerConfidence(
      question,
      found(hits),
      hits,
      'The X200 has a warranty of two years [1].',
    );
    const invented = answerConfidence(
      question,
      found(hits),
      hits,
      'It is covered for 15 months worldwide [1].',
    );
    const uncited = answerConfidence(question, found(hits), hits, 'I do not know.');
    expect(invented).toBeLessThan(grounded);
    expect(uncited).toBeLessThan(maxUnansweredConfidence);
  });

  it('works with full text alone', () => {
    const hits = [
      hit('The warranty of the X200 lasts two years.', { similarity: 0, lexical: 0.8 }),
    ];
    const confidence = retrievalConfidence('How long is the X200 warranty?', found(hits, null));
    expect(isAnswerable(confidence, found(hits, null))).toBe(true);
  });
});
