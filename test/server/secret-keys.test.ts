import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecretBox } from '../../src/server/secret-keys.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-test-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const noKeys = async () => [];
const lostKey = async () => ['0123456789abcdef'];

test('the first start creates a key, and later ones read it whatever the database contains', async () => {
  const first = await loadSecretBox({ dataDir }, noKeys);
  const stored = first.encrypt('whsec_1', 'row 1');
  const later = await loadSecretBox({ dataDir }, lostKey);
  expect(later.decrypt(stored, 'row 1')).toBe('whsec_1');
});

test('a missing key of stored secrets is not replaced, unless the operator asks for it', async () => {
  const box = await loadSecretBox({ dataDir }, lostKey);
  expect(box.keyIds).toEqual([]);
  expect(() => box.encrypt('whsec_1', 'row 1')).toThrow('missing');
  expect(await readdir(dataDir)).toEqual([]);
  const replacing = await loadSecretBox({ dataDir, replacesLostKey: true }, lostKey);
  expect(replacing.keyIds).toEqual([replacing.currentKeyId]);
});

test('with SECRETS_KEY, no file is created', async () => {
  const secretsKeys = [randomBytes(32).toString('base64')];
  const box = await loadSecretBox({ secretsKeys, dataDir }, lostKey);
  expect(box.keyIds).toEqual([box.currentKeyId]);
  expect(await readdir(dataDir)).toEqual([]);
});
