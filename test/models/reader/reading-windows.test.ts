import { expect, test } from 'vitest';
import { readingWindows, windowTokens } from '../../../src/models/reader/reading-windows.ts';

const numbers = (count: number, first = 1000) =>
  Array.from({ length: count }, (_, index) => first + index);

test('a window is question and texts, each with a separator after it', () => {
  const [window, ...others] = readingWindows([7, 8], [[11, 12], [13]]);
  expect(others).toEqual([]);
  if (!window) throw new Error('no window');
  expect(windowTokens(window)).toEqual({
    ids: [101, 7, 8, 102, 11, 12, 102, 13, 102],
    segments: [0, 0, 0, 0, 1, 1, 1, 1, 1],
    questionMask: [0, 1, 1, 0, 0, 0, 0, 0, 0],
    textMasks: [
      [0, 0, 0, 0, 1, 1, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 1, 0],
    ],
    separators: [6, 8],
  });
});

test('a long passage becomes several windows of at most 92 tokens, with every text once and in order', () => {
  const lengths = [30, 30, 29, 1, 63, 40, 200, 5];
  const texts = lengths.map((length, index) => numbers(length, 1000 * (index + 1)));
  const windows = readingWindows([7], texts);
  const sizes = windows.map((window) => window.texts.map(({ length }) => length));
  expect(sizes).toEqual([[30, 30, 29], [1, 63], [40], [64, 5]]);
  expect(windows.flatMap((window) => window.texts.map(([first]) => first))).toEqual(
    texts.map(([first]) => first),
  );
});

test('a question and a text are cut, and an empty text is an unknown word', () => {
  const [window] = readingWindows(numbers(500), [[], numbers(500)]);
  expect(window?.question).toHaveLength(32);
  expect(window?.texts).toEqual([[100], numbers(64)]);
  expect(readingWindows([7], [])).toEqual([]);
});
