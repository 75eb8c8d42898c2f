import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox, readKeyId } from '../../src/platform/secrets/secret-box.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const box = createSecretBox([oldKey]);

test('decrypts what it encrypted, with a new nonce for each value', () => {
  const [first, second] = [box.encrypt('whsec_1', 'row 1'), box.encrypt('whsec_1', 'row 1')];
  expect(first).not.toBe(second);
  expect(first).not.toContain('whsec_1');
  expect(readKeyId(first)).toBe(box.currentKeyId);
  expect([first, second].map((value) => box.decrypt(value, 'row 1'))).toEqual([
    'whsec_1',
    'whsec_1',
  ]);
});

test('refuses a value of another row', () => {
  const value = box.encrypt('whsec_1', 'row 1');
  expect(() => box.decrypt(value, 'row 2')).toThrow();
});

test('refuses a changed or shortened value', () => {
  const value = box.encrypt('whsec_1', 'row 1');
  const body = Buffer.from(value.slice(value.lastIndexOf('.') + 1), 'base64');
  for (let index = 0; index < body.length; index += 1) {
    const changed = Buffer.from(body);
    changed[index] = (changed[index] ?? 0) ^ 1;
    const text = `v1.${box.currentKeyId}.${changed.toString('base64')}`;
    expect(() => box.decrypt(text, 'row 1'), `byte ${index}`).toThrow();
    const short = `v1.${box.currentKeyId}.${body.subarray(0, index).toString('base64')}`;
    expect(() => box.decrypt(short, 'row 1'), `length ${index}`).toThrow();
  }
});

test('encrypts with the first key and decrypts with all', () => {
  const value = box.encrypt('whsec_1', 'row 1');
  const rotated = createSecretBox([newKey, oldKey]);
  expect(rotated.decrypt(value, 'row 1')).toBe('whsec_1');
  expect(readKeyId(rotated.encrypt('whsec_1', 'row 1'))).toBe(rotated.currentKeyId);
  expect(rotated.currentKeyId).not.toBe(box.currentKeyId);
  expect(() => createSecretBox([newKey]).decrypt(value, 'row 1')).toThrow(box.currentKeyId);
});

test('returns a plain value of an earlier version unchanged', () => {
  expect(box.decrypt('whsec_1', 'row 1')).toBe('whsec_1');
  expect(readKeyId('whsec_1')).toBeNull();
});
