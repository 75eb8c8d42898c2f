import { expect, test } from 'vitest';
import {
  generateApiKey,
  isWellFormedApiKey,
  keyPreview,
} from '../../../src/domain/api-keys/api-key-format.ts';
import { hashSecret } from '../../../src/platform/hash-secret.ts';

test('a key is sk_ followed by 49 letters and digits, and is unique', () => {
  const keys = Array.from({ length: 1000 }, generateApiKey);
  for (const key of keys) expect(key).toMatch(/^sk_[0-9A-Za-z]{49}$/);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a mistyped or truncated key is recognized without a database lookup', () => {
  const key = generateApiKey();
  expect(isWellFormedApiKey(key)).toBe(true);
  for (let at = 3; at < key.length; at++) {
    const other = key[at] === 'a' ? 'b' : 'a';
    expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
  expect(isWellFormedApiKey(key.slice(0, -1))).toBe(false);
  expect(isWellFormedApiKey(`${key}a`)).toBe(false);
  expect(isWellFormedApiKey(key.toUpperCase())).toBe(false);
});

test('the stored hash and the visible prefix do not reveal the key', () => {
  const key = generateApiKey();
  expect(hashSecret(key)).toHaveLength(32);
  expect(keyPreview(key)).toEqual({ prefix: key.slice(0, 7), lastFour: key.slice(-4) });
});
