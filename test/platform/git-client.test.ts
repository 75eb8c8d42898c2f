import { expect, test } from 'vitest';
import { openRepository, type PackReader } from '../../src/platform/git/git-client.ts';
import { GitError, TooLarge } from '../../src/platform/git/git-error.ts';
import { readPack } from '../../src/platform/git/pack-file.ts';
import { flushLine, pktLine } from '../../src/platform/git/pkt-line.ts';
import type { WebClient } from '../../src/platform/web/web-client.ts';
import { entry, idOf, packOf } from '../support/servers/git-objects.ts';

const limits = { maxObjectBytes: 1_000, maxTotalBytes: 100_000, maxObjects: 100 };
const text = Buffer.from('Rooms are free.');
const id = idOf('blob', text);
const good = packOf([entry(3, text)]);
const refs = Buffer.concat([pktLine(`${'1'.repeat(40)} HEAD symref-target:refs/heads/main\n`)]);

test('a pack is read when the answer is complete', async () => {
  const repository = await open(fetchAnswer(good));
  expect((await repository.readBlobs([id], limits)).get(id)?.data).toEqual(text);
});

test.each([
  ['an empty answer', flushLine],
  ['an empty pack', fetchAnswer(Buffer.alloc(0))],
  ['a damaged pack', fetchAnswer(Buffer.concat([good.subarray(0, -1), Buffer.from('x')]))],
  ['an answer without its end', fetchAnswer(good).subarray(0, -4)],
])('%s is an error that does not say that the files are too large', async (_, answer) => {
  const repository = await open(answer);
  const error = await repository.readBlobs([id], limits).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(GitError);
  expect(error).not.toBeInstanceOf(TooLarge);
});

test('a file that exceeds the limit is too large', async () => {
  const repository = await open(fetchAnswer(packOf([entry(3, Buffer.alloc(1_001))])));
  await expect(repository.readBlobs([id], limits)).rejects.toThrow(TooLarge);
});

test('a list of branches that is cut off is an error', async () => {
  const complete = await open(Buffer.concat([refs, flushLine]));
  expect(await complete.findBranch(null)).toEqual({ name: 'main', commit: '1'.repeat(40) });
  const cut = await open(refs);
  await expect(cut.findBranch(null)).rejects.toThrow('cut off');
});

/** Returns a repository. Its server gives the same answer to all commands. */
function open(answer: Buffer) {
  const lines = ['version 2\n', 'ls-refs\n', 'fetch=shallow filter\n'].map(pktLine);
  const advertisement = Buffer.concat([...lines, flushLine]);
  const headers = { 'content-type': 'application/x-git-upload-pack-advertisement' };
  const web: WebClient = {
    async send({ method }) {
      const body = method === 'POST' ? answer : advertisement;
      return { type: 'response', status: 200, headers, body };
    },
  };
  const access = { url: 'https://git.example.com/docs.git', authorization: null };
  const read: PackReader = async (pack, limits) => readPack(pack, limits);
  return openRepository(web, access, read, new AbortController().signal);
}

function fetchAnswer(pack: Buffer): Buffer {
  const band = Buffer.concat([Buffer.from('0000'), Buffer.from([1]), pack]);
  band.write(band.length.toString(16).padStart(4, '0'), 0, 'latin1');
  return Buffer.concat([pktLine('packfile\n'), band, flushLine]);
}
