import { expect, test } from 'vitest';
import { memoize } from '../../src/text/memoize.ts';

function countedLengths(capacity: number) {
  const computed: string[] = [];
  const compute = (text: string) => {
    computed.push(text);
    return text.length;
  };
  return { computed, lengthOf: memoize(compute, (text) => text, capacity) };
}

test('computes once per key, and forgets what was not used for longest', () => {
  const { computed, lengthOf } = countedLengths(2);
  expect(['a', 'bb', 'a', 'ccc', 'a', 'bb'].map(lengthOf)).toEqual([1, 2, 1, 3, 1, 2]);
  expect(computed).toEqual(['a', 'bb', 'ccc', 'bb']);
});

test('stores what is used again and again, however many other inputs are between', () => {
  const { computed, lengthOf } = countedLengths(100);
  for (let n = 0; n < 1_000; n += 1) {
    lengthOf('often');
    lengthOf(`once ${n}`);
  }
  expect(computed.filter((text) => text === 'often')).toHaveLength(1);
});
