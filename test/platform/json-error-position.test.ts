import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonError } from '../../src/platform/json-error-position.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('finds an error exactly in texts that JSON.parse refuses', () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(200), fc.constantFrom('', '{', ']', ',', ':', '"', '\\', 'x', '0'))
    .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
      expect(findJsonError(text) === null, text).toBe(isJson(text));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['{"message": hello}', 1, 13],
  ['{"message": "hello",}', 1, 21],
  ["{'message': 1}", 1, 2],
  ['{\n  "message": "hello"\n  "stream": true\n}', 3, 3],
  ['{"message":', 1, 12],
  ['{} {}', 1, 4],
  ['', 1, 1],
])('the error of %j is at line %d, column %d', (text, line, column) => {
  expect(findJsonError(text)).toEqual({ line, column });
});

test('a deeply nested text needs no deep stack', () => {
  expect(findJsonError('['.repeat(1_000_000))).toEqual({ line: 1, column: 1_000_001 });
});
