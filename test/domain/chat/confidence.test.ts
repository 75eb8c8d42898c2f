import { describe, expect, it } from 'vitest';
import {
  defaultThreshold,
  isModelAsked,
  maxFallbackConfidence,
} from '../../../src/domain/chat/evidence/answer-rule.ts';
import { answerSupport } from '../../../src/domain/chat/evidence/answer-support.ts';
import {
  confidenceOf,
  measureConfidence,
  type RetrievalResult,
} from '../../../src/domain/chat/evidence/confidence.ts';
import { confidenceWeights } from '../../../src/domain/chat/evidence/confidence-weights.ts';
import type { Hit } from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';

const extractive = { model: { isExtractive: true }, confidenceThreshold: null };

const certain = {
  similarity: 0.5,
  vocabularyCoverage: 0.8,
  coverage: 0.6,
  proximity: 0.5,
  missingTerms: 0.1,
  missingMeaning: 0,
  rarestTerm: 1,
  missingNumbers: 0,
  missingFact: 0,
  negationMismatch: 0,
  foreignLanguage: 0,
  missingNames: 0,
  answerability: null,
  wordShare: null,
  lead: 0,
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
    sourceUrl: null,
    metadata: {},
    startOffset: 0,
    endOffset: 1,
    score: 0.5,
    similarity: 0.5,
    lexical: 0.5,
    ...scores,
  };
}

function found(hits: readonly Hit[], embeddingModel: string | null = builtIn): RetrievalResult {
  return {
    ...{ hits, embeddingModel, vocabularyCoverage: 1 },
    ...{ termWeights: new Map(), missingMeaning: 0 },
  };
}

const builtIn = 'built-in/all-MiniLM-L6-v2';

const confidenceIn = (question: string, retrieved: RetrievalResult) =>
  measureConfidence(question, retrieved).beforeAnswer;

describe('confidence', () => {
  it.each([builtIn, 'a model of somebody else'])(
    'increases with every supporting feature, with %s',
    (model) => {
      const weights = confidenceWeights(model);
      for (const [weaker, stronger] of [
        [{ similarity: 0.2 }, { similarity: 0.6 }],
        [{ coverage: 0.3 }, { coverage: 0.9 }],
        [{ proximity: 0.3 }, { proximity: 0.9 }],
        [{ rarestTerm: 0 }, { rarestTerm: 1 }],
        [{ missingTerms: 0.6 }, { missingTerms: 0.2 }],
        [{ missingNumbers: 1 }, { missingNumbers: 0 }],
        [{ missingFact: 1 }, { missingFact: 0 }],
        [{ negationMismatch: 1 }, { negationMismatch: 0 }],
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

  it('counts a number of the question that the form of the document contains as found', () => {
    const text = hit('The pilot reported a problem with fuel during the landing.', {
      documentId: 'report.pdf',
    });
    const form =
      'Report: | 4 | Place: | Norwell\nAircraft: | Gull 172 | Injuries: | none\nFlight: | private | Pilot: | one';
    const confidence = (documentId: string) =>
      measureConfidence(
        'What problem with fuel did the pilot of the Gull 172 report during landing?',
        found([text, hit(form, { documentId })]),
      ).beforeAnswer;
    expect(confidence('report.pdf')).toBeGreaterThan(confidence('other.pdf'));
  });

  it('does not find a question about one row of a table in the row of another', () => {
    const berlin = 'City: Berlin; Address: Quay 5, Berlin; Phone: 030 118; Manager: Ida Holm';
    const malmo = 'City: Malmo; Address: Dock 2, Malmo; Phone: 040 774; Manager: Jon Berg';
    const question = 'Which phone has the manager Ida Holm at the address Quay 5 in Malmo?';
    const row = (content: string, name: string) =>
      hit(content, { documentId: name, documentName: name });
    const confidence = (name: string) =>
      measureConfidence(question, found([row(berlin, 'a.csv'), row(malmo, name)])).beforeAnswer;
    expect(confidence('a.csv')).toBe(confidence('b.csv'));
  });

  it('finds the number of a question without spaces by itself', () => {
    const measure = (question: string) =>
      measureConfidence(question, found([hit('第3条规定了游泳池的开放时间。')])).beforeAnswer;
    expect(measure('第3条对停车场有什么说法？')).toBe(measure('第3条 对停车场有什么说法？'));
  });

  it('reads a question of one long word in linear time', () => {
    const cpuMs = (length: number) => {
      const retrieved = found([hit('The sauna opens at noon.')]);
      const before = process.cpuUsage();
      measureConfidence('é'.repeat(length), retrieved);
      return process.cpuUsage(before).user / 1_000;
    };
    cpuMs(1_000);
    expect(cpuMs(100_000)).toBeLessThan(2_500);
  });

  it('does not look for numbers that the question writes as words', () => {
    const measure = (question: string) =>
      measureConfidence(question, found([hit('Both plans pay for glasses.')])).beforeAnswer;
    expect(measure('Do the two plans pay for glasses?')).toBeGreaterThan(
      measure('Do the 2 plans pay for glasses?'),
    );
  });

  it('increases with what a model says that has read the chunks, as far as it knows the words', () => {
    const weights = confidenceWeights(builtIn);
    const read = (answerability: number | null, vocabularyCoverage = 1) =>
      confidenceOf({ ...certain, similarity: 0.5, answerability, vocabularyCoverage }, weights);
    expect(read(-3)).toBeLessThan(read(null));
    expect(read(-3)).toBeLessThan(read(3));
    expect(read(6)).toBeLessThan(1);
    expect(read(-3, 0)).toBe(read(null, 0));
    const rising = [-8, -4, -2, 0, 2, 4, 6].map((answerability) => read(answerability));
    expect(rising).toEqual([...rising].sort((left, right) => left - right));
    // Some values are below the threshold, and some are above it.
    expect(rising.map((value) => value < weights.answerThreshold)).toContain(true);
    expect(rising.map((value) => value < weights.answerThreshold)).toContain(false);
    const others = confidenceWeights('a model of somebody else');
    expect(confidenceOf({ ...certain, answerability: -3 }, others)).toBe(
      confidenceOf(certain, others),
    );
  });

  it('counts the words of the chosen text and a clear first hit, if no model has read it', () => {
    const weights = confidenceWeights(builtIn);
    const chosen = { ...certain, vocabularyCoverage: 0.3, wordShare: 0.5, lead: 0.05 };
    const confidence = (others: Partial<typeof chosen>) =>
      confidenceOf({ ...chosen, ...others }, weights);
    expect(confidence({ wordShare: 1 })).toBeGreaterThan(confidence({}));
    expect(confidence({ lead: 0.2 })).toBeGreaterThan(confidence({}));
    expect(confidence({ missingMeaning: 0.3 })).toBeLessThan(confidence({}));
    const read = { ...chosen, answerability: 2 };
    expect(confidenceOf({ ...read, wordShare: 1 }, weights)).toBe(confidenceOf(read, weights));
    const others = confidenceWeights('a model of somebody else');
    expect(confidenceOf({ ...chosen, wordShare: 1 }, others)).toBe(confidenceOf(chosen, others));
  });

  it('counts words that no chunk contains less if the chunks were read and no name is missing', () => {
    const weights = confidenceWeights(builtIn);
    const read = { ...certain, answerability: 3, missingMeaning: 0.5 };
    const confidence = (missingNames: number | null) =>
      confidenceOf({ ...read, missingNames }, weights);
    expect(confidence(0)).toBeGreaterThan(confidence(null));
    expect(confidence(null)).toBeGreaterThan(confidence(1));
    const unread = { ...read, answerability: null };
    expect(confidenceOf({ ...unread, missingNames: 1 }, weights)).toBe(
      confidenceOf({ ...unread, missingNames: 0 }, weights),
    );
  });

  it('is at most 0.2 for an answer that its sources do not support, however relevant they are', () => {
    const unsupported = { ...certain, answerSupport: 0 };
    for (const model of [builtIn, 'another', null]) {
      expect(confidenceOf(unsupported, confidenceWeights(model))).toBeLessThan(
        maxFallbackConfidence,
      );
    }
  });

  it('is zero without search results, and then the question is not answered', () => {
    expect(confidenceIn('How long is the warranty?', found([]))).toBe(0);
    expect(measureConfidence('How long is the warranty?', found([])).withSupport(1)).toBe(0);
    expect(isModelAsked(extractive, found([]), () => 0)).toBe(false);
  });

  it('distinguishes questions that the chunks answer from others', () => {
    const hits = [
      hit('The warranty of the X200 lasts two years.', { lexical: 0.7, similarity: 0.7 }),
      hit('Returns are accepted within 30 days.', { lexical: 0.1, similarity: 0.3 }),
    ];
    const poor = hits.map((one) => ({ ...one, lexical: 0.05, similarity: 0.1, score: 0.07 }));
    const good = confidenceIn('How long is the X200 warranty?', found(hits));
    expect(isModelAsked(extractive, found(hits), () => good)).toBe(true);
    const bad = confidenceIn('Who won the cup final?', found(poor));
    expect(isModelAsked(extractive, found(poor), () => bad)).toBe(false);
  });

  it('decreases if no chunk contains a name or number of the question', () => {
    const hits = [hit('The warranty of the X200 lasts two years.')];
    const known = confidenceIn('How long is the warranty of the X200?', found(hits));
    const other = confidenceIn('How long is the warranty of the Z900?', found(hits));
    expect(other).toBeLessThan(known - 0.2);
  });

  it('decreases from before to after the answer if the answer states what no source states', () => {
    const hits = [hit('The warranty of the X200 lasts two years.')];
    const question = 'How long is the warranty of the X200?';
    const measured = measureConfidence(question, found(hits));
    const grounded = measured.withSupport(
      answerSupport('The X200 has a warranty of two years [1].', hits),
    );
    const invented = measured.withSupport(
      answerSupport('It is covered for 15 months worldwide [1].', hits),
    );
    const uncited = measured.withSupport(answerSupport('I do not know.', hits));
    expect(invented).toBeLessThan(grounded);
    expect(uncited).toBeLessThan(maxFallbackConfidence);
  });

  it('works with full-text search only', () => {
    const hits = [
      hit('The warranty of the X200 lasts two years.', { similarity: 0, lexical: 0.8 }),
    ];
    const confidence = confidenceIn('How long is the X200 warranty?', found(hits, null));
    expect(isModelAsked(extractive, found(hits, null), () => confidence)).toBe(true);
  });
});

describe('the words of a question', () => {
  const retrieved = found([hit('The sauna opens at noon.'), hit('Towels are free.')]);
  const question = 'When does the sauna of Gerda Lindqvist open?';

  it('count the same in any spelling of capitals', () => {
    const asked = confidenceIn(question, retrieved);
    const title = question.replace(/\b\p{L}/gu, (letter) => letter.toUpperCase());
    for (const variant of [question.toLowerCase(), question.toUpperCase(), title]) {
      expect(confidenceIn(variant, retrieved)).toBe(asked);
    }
  });

  it('count more the rarer they are in the project', () => {
    const asked = 'Is the sauna open to guests?';
    const weights = (guests: number, open: number) =>
      new Map([
        ['sauna', 1],
        ['guest', guests],
        ['open', open],
      ]);
    const rareFound = { ...retrieved, termWeights: weights(0.5, 5) };
    const rareMissing = { ...retrieved, termWeights: weights(5, 0.5) };
    expect(confidenceIn(asked, rareMissing)).toBeLessThan(confidenceIn(asked, rareFound) - 0.1);
  });

  it('lower the confidence if they change the meaning of the question and no chunk contains them', () => {
    const missing = confidenceIn(question, { ...retrieved, missingMeaning: 0.3 });
    expect(missing).toBeLessThan(confidenceIn(question, retrieved) - 0.1);
  });

  it('include codes', () => {
    const withCode = confidenceIn('what is the price of the towel x-900?', retrieved);
    const without = confidenceIn('what is the price of the towel thing?', retrieved);
    expect(withCode).toBeLessThan(without);
  });

  it.each([
    ['a date', 'When does the sauna open?', 'The sauna opens at 12:00.', 'The sauna opens late.'],
    [
      'a negation',
      'Which towels are not free?',
      'Bath towels are not free.',
      'Bath towels are free.',
    ],
  ])('expect %s in the closest passage', (_, asked, fits, other) => {
    const of = (text: string) => confidenceIn(asked, found([hit(text, { similarity: 0.1 })]));
    expect(of(other)).toBeLessThan(of(fits) - 0.05);
  });
});

describe('whether the chat model is asked', () => {
  const hits = [hit('The warranty of the X200 lasts two years.')];
  const never = () => {
    throw new Error('the confidence does not matter');
  };

  it('is never without passages', () => {
    expect(isModelAsked({ model: {}, confidenceThreshold: 0 }, found([]), never)).toBe(false);
  });

  it('is always for a language model without a threshold, before the confidence is measured', () => {
    expect(isModelAsked({ model: {}, confidenceThreshold: null }, found(hits), never)).toBe(true);
  });

  it('depends on the threshold of the project for every model', () => {
    for (const model of [{}, { isExtractive: true }]) {
      const rule = { model, confidenceThreshold: 0.9 };
      expect(isModelAsked(rule, found(hits), () => 0.9)).toBe(true);
      expect(isModelAsked(rule, found(hits), () => 0.89)).toBe(false);
    }
  });

  it('depends on the default threshold for an extractive model', () => {
    const threshold = defaultThreshold(extractive.model, found(hits).embeddingModel);
    expect(isModelAsked(extractive, found(hits), () => threshold)).toBe(true);
    expect(isModelAsked(extractive, found(hits), () => threshold - 0.01)).toBe(false);
  });
});
