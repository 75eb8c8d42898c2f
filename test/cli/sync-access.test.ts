import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../src/cli/command.ts';
import { syncCommands } from '../../src/cli/sync-command.ts';
import type { Config } from '../../src/config/config.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grounded-chat-access-'));
  await writeFile(join(folder, 'blank-key'), ' \n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  { what: 'is missing', file: 'no-key', reason: '--key-file cannot be read: ENOENT' },
  { what: 'is a folder', file: '.', reason: '--key-file cannot be read: EISDIR' },
  { what: 'is blank', file: 'blank-key', reason: '--key-file is blank' },
])('a key file that $what is wrong usage, in one line', async ({ file, reason }) => {
  const error = await failure({ 'key-file': join(folder, file) });
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toContain(reason);
  expect(error.message).not.toContain('\n');
});

test.each(['', '  '])('the blank key "%s" is wrong usage', async (key) => {
  expect(await failure({ key })).toEqual(new UsageError('--key is blank'));
});

test('without a key, an address is wrong usage', async () => {
  const error = await failure({ url: 'https://chat.example.com' });
  expect(error).toEqual(new UsageError('--url needs --key or --key-file'));
});

async function failure(options: Readonly<Record<string, string>>): Promise<Error> {
  const run = syncCommands.sync?.run({ host: '::', port: 3000 } as Config, {
    ...{ argument: folder, options: () => [], flag: () => false, logProgress: () => {} },
    option: (name) => ({ name: 'docs', ...options })[name],
    print: async () => {},
    printResult: async () => {},
  });
  return Promise.resolve(run).then(
    () => new Error('The command ended without an error.'),
    (error: Error) => error,
  );
}
