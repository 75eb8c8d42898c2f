import { expect, test } from 'vitest';
import { memoize } from '../../src/text/memoize.ts';

test('computes once per key, and forgets the least recently used', () => {
  const computed: string[] = [];
  const compute = (text: string) => {
    computed.push(text);
    return text.length;
  };
  const lengthOf = memoize(compute, (text) => text, 2);
  expect(['a', 'bb', 'a', 'ccc', 'a', 'bb'].map(lengthOf)).toEqual([1, 2, 1, 3, 1, 2]);
  expect(computed).toEqual(['a', 'bb', 'ccc', 'bb']);
});
