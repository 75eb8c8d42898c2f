import { expect, test } from 'vitest';
import {
  displayParts,
  generateKeyText,
  hashKeyText,
  isKeyText,
} from '../../src/domain/api-keys/key-text.ts';

test('a key is sk_ and 49 letters and digits, and never the same twice', () => {
  const keys = Array.from({ length: 1000 }, generateKeyText);
  for (const key of keys) expect(key).toMatch(/^sk_[0-9A-Za-z]{49}$/);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a mistyped or cut key is recognised without a look-up', () => {
  const key = generateKeyText();
  expect(isKeyText(key)).toBe(true);
  for (let at = 3; at < key.length; at++) {
    const other = key[at] === 'a' ? 'b' : 'a';
    expect(isKeyText(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
  expect(isKeyText(key.slice(0, -1))).toBe(false);
  expect(isKeyText(`${key}a`)).toBe(false);
  expect(isKeyText(key.toUpperCase())).toBe(false);
});

test('what is stored and shown of a key does not give it away', () => {
  const key = generateKeyText();
  expect(hashKeyText(key)).toHaveLength(32);
  expect(displayParts(key)).toEqual({ prefix: key.slice(0, 7), lastFour: key.slice(-4) });
});
