import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { loadTokenVerification } from '../../src/server/token.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-token-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('processes that start concurrently in a new data directory share one secret', async () => {
  for (let round = 0; round < 20; round++) {
    const config = readConfig({ DATA_DIR: join(dataDir, `round-${round}`) });
    const verifications = await Promise.all(
      Array.from({ length: 8 }, () => loadTokenVerification(config)),
    );
    const secrets = verifications.map(
      (verification) => verification.type === 'secret' && String(verification.secret),
    );
    expect(new Set(secrets).size).toBe(1);
    expect(await readdir(config.dataDir)).toEqual(['jwt-secret']);
  }
});

test('the secret persists across restarts, readable only by its owner', async () => {
  const config = readConfig({ DATA_DIR: dataDir });
  expect(await loadTokenVerification(config)).toEqual(await loadTokenVerification(config));
  expect((await stat(join(dataDir, 'jwt-secret'))).mode & 0o777).toBe(0o600);
});

test('with a configured secret only this service issues tokens', async () => {
  expect(await loadTokenVerification(readConfig({ DATA_DIR: dataDir }))).toMatchObject({
    issuers: [],
  });
});

test('an empty secret is rejected, because anyone could guess it', async () => {
  await writeFile(join(dataDir, 'jwt-secret'), '');
  await expect(loadTokenVerification(readConfig({ DATA_DIR: dataDir }))).rejects.toThrow(
    'is empty',
  );
});
