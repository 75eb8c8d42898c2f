import { expect, it } from 'vitest';
import { startBuiltInEmbedding } from '../../../src/models/embedding/built-in-embedding-model.ts';
import {
  measureSimilarityScale,
  scaledSimilarity,
  unchangedScale,
} from '../../../src/models/embedding/similarity-scale.ts';
import { hashEmbedding } from '../../support/hash-embedding.ts';
import { narrowBandEmbedding } from '../../support/narrow-band-embedding.ts';

const embedWith = (embed: (text: string) => Float32Array) => async (texts: readonly string[]) => ({
  vectors: texts.map(embed),
  tokens: 0,
});

it('hardly changes the cosines of the built-in model, whose constants it has', async () => {
  const model = await startBuiltInEmbedding();
  const { factor, offset } = await measureSimilarityScale(model.embed);
  await model.stop();
  expect(factor).toBeCloseTo(1, 2);
  expect(offset).toBeCloseTo(0, 2);
});

it('maps the cosines of a narrow band and of a wide one to the same similarities', async () => {
  const wide = await measureSimilarityScale(embedWith(hashEmbedding));
  const narrow = await measureSimilarityScale(embedWith(narrowBandEmbedding));
  expect(narrow.factor).toBeCloseTo(5 * wide.factor, 3);
  expect(wide.factor).toBeLessThan(1.5);
  for (const cosine of [0, 0.1, 0.4, 0.8, 1]) {
    const expected = scaledSimilarity(cosine, wide);
    expect(scaledSimilarity(0.8 + 0.2 * cosine, narrow)).toBeCloseTo(expected, 3);
  }
});

it('stays between 0 and 1', () => {
  expect(scaledSimilarity(0.2, { factor: 5, offset: -3 })).toBe(0);
  expect(scaledSimilarity(0.99, { factor: 5, offset: -3 })).toBe(1);
});

it('leaves the cosines of a model that does not tell the pairs apart', async () => {
  const constant = embedWith(() => Float32Array.from([1, 0]));
  expect(await measureSimilarityScale(constant)).toEqual(unchangedScale);
});
