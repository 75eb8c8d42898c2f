import { expect, test } from 'vitest';
import { reliabilityGeometry } from '../../src/dashboard/evaluation/runs/reliability-geometry.ts';

const size = { width: 230, height: 120, left: 20, right: 10, top: 10, bottom: 10 };
const bin = (from: number, to: number, right: number) => {
  return { from, to, right, n: 4, meanConfidence: (from + to) / 2 };
};

test('the bars of a reliability diagram are as wide as their steps and as high as their shares', () => {
  const bins = [bin(0, 0.1, 0), bin(0.5, 0.6, 0.5), bin(0.9, 1, 1)];
  const { bars, diagonal } = reliabilityGeometry(bins, size);
  expect(diagonal).toEqual({ x1: 20, y1: 110, x2: 220, y2: 10 });
  expect(bars.map(({ x, y, width, height }) => [x, y, width, height].map(Math.round))).toEqual([
    [21, 110, 18, 0],
    [121, 60, 18, 50],
    [201, 10, 18, 100],
  ]);
  expect(bars[1]?.label.x).toBeCloseTo(130);
  expect(bars[1]?.label.y).toBeCloseTo(56);
});

test('the bars stay in the diagram while it has no width yet', () => {
  const { bars } = reliabilityGeometry([bin(0.4, 0.5, 0.5)], { ...size, width: 0 });
  expect(bars[0]).toMatchObject({ x: 21, width: 1 });
});
