import { expect, test } from 'vitest';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { vectorMemory } from '../../src/platform/vectors/vector-memory.ts';
import { dotProductScale, VectorRows } from '../../src/platform/vectors/vector-rows.ts';

const random = seededRandom(7);

function unitVector(dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function createRows(dimensions: number): VectorRows {
  const memory = vectorMemory();
  if (memory === null) throw new Error('This processor has no SIMD');
  return new VectorRows(memory, dimensions);
}

const exactProduct = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, n) => sum + value * (right[n] ?? 0), 0);

test.each([
  [1, 3],
  [7, 100],
  [64, 1_100],
  [384, 300],
  [4_000, 20],
])('dot products of %i dimensions and %i rows are exact to 0.0001', (dimensions, count) => {
  const rows = createRows(dimensions);
  const vectors = Array.from({ length: count }, () => unitVector(dimensions));
  for (const vector of vectors) expect(rows.append(vector)).toBe(true);
  const [query = unitVector(dimensions)] = vectors;
  const products = rows.dotProducts(query);
  for (const [row, vector] of vectors.entries()) {
    const product = (products[row] ?? 0) * dotProductScale;
    expect(Math.abs(product - exactProduct(query, vector))).toBeLessThan(1e-4);
  }
  rows.release();
});

test('extreme unit vectors do not overflow', () => {
  const rows = createRows(384);
  const axis = new Float32Array(384).with(3, 1);
  const spread = new Float32Array(384).fill(-1 / Math.sqrt(384));
  for (const vector of [axis, spread]) rows.append(vector);
  expect((rows.dotProducts(axis)[0] ?? 0) * dotProductScale).toBeCloseTo(1, 4);
  expect((rows.dotProducts(spread)[1] ?? 0) * dotProductScale).toBeCloseTo(1, 3);
  rows.release();
});

test('refuses vectors that are too long or of another size, and stores zeros for no vector', () => {
  const rows = createRows(8);
  expect(rows.append(new Float32Array(8).fill(1))).toBe(false);
  expect(rows.append(new Float32Array(8).fill(Number.NaN))).toBe(false);
  expect(rows.append(unitVector(9))).toBe(false);
  expect(rows.append(null)).toBe(true);
  expect(rows.dotProducts(unitVector(8))[0]).toBe(0);
  rows.release();
});

test('memory of released rows is used again', () => {
  const size = () => vectorMemory()?.bytes.byteLength ?? 0;
  const fill = () => {
    const rows = createRows(384);
    for (let n = 0; n < 1_000; n += 1) rows.append(unitVector(384));
    return rows;
  };
  fill().release();
  const before = size();
  const rows = fill();
  expect(size()).toBe(before);
  expect(rows.bytes).toBeGreaterThanOrEqual(1_000 * 768);
  rows.release();
});
