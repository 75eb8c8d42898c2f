import { expect, test } from 'vitest';
import { wordAffinity } from '../../src/text/word-affinity.ts';

test.each([
  ['hund', 'hunde'],
  ['gebuhr', 'gebuehr'],
  ['gebuhr', 'gebuhren'],
  ['rad', 'rad'],
  ['verbraucht', 'verbrauch'],
  ['abonnement', 'abonnements'],
])('%s and %s are forms of one word', (left, right) => {
  expect(wordAffinity(left, right)).toBeGreaterThan(0.8);
  expect(wordAffinity(right, left)).toBe(wordAffinity(left, right));
});

test.each([
  ['hund', 'assistenzhunde'],
  ['museum', 'glasmuseum'],
  ['glaskugel', 'glas'],
  ['ersatzschlussel', 'hausturschlussel'],
])('%s and %s have a part in common', (left, right) => {
  expect(wordAffinity(left, right)).toBeGreaterThan(0.4);
  expect(wordAffinity(left, right)).toBeLessThan(0.8);
});

test.each([
  ['hund', 'hand'],
  ['rad', 'fahrrad'],
  ['versand', 'versicherung'],
  ['bahn', 'bank'],
  ['e4', 'e5'],
])('%s and %s are different words', (left, right) => {
  expect(wordAffinity(left, right)).toBe(0);
});
