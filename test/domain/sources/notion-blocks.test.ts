import { expect, test } from 'vitest';
import { readBlocks } from '../../../src/domain/sources/notion/notion-blocks.ts';
import { leftOutOf } from '../../../src/domain/sources/notion/notion-left-out.ts';
import { readPages } from '../../../src/domain/sources/notion/notion-pages.ts';
import {
  type NotionClient,
  NotionError,
  type NotionObject,
} from '../../../src/platform/notion/notion-client.ts';

const block = (id: string, text: string, has_children = false) => ({
  ...{ object: 'block', id, type: 'paragraph', has_children },
  paragraph: { rich_text: [{ plain_text: text }] },
});
const last = (...results: object[]) => ({ results, has_more: false, next_cursor: null });

test.each([
  ['20 levels', () => last(block('a', 'deep', true))],
  ['10000 blocks', (n: number) => ({ ...last(...many('x')), has_more: true, next_cursor: `${n}` })],
  [
    'too large',
    (n: number) => ({ ...last(...many('x'.repeat(90_000))), has_more: true, next_cursor: `${n}` }),
  ],
])('a page with more than its limits is refused: %s', async (message, answer) => {
  let requests = 0;
  const client = clientOf(() => {
    requests += 1;
    return answer(requests);
  });
  await expect(readBlocks(client, 'page')).rejects.toThrow(message);
  expect(requests).toBeLessThanOrEqual(101);
});

test.each([
  ['no list', {}],
  ['no end', { results: [] }],
  ['no cursor', { results: [], has_more: true, next_cursor: null }],
  ['the same cursor', { results: [], has_more: true, next_cursor: 'a' }],
])('a list that is not complete fails: %s', async (_, answer) => {
  const read = async () => {
    for await (const results of readPages(async () => answer)) expect(results).toEqual([]);
  };
  await expect(read()).rejects.toThrow('Notion has not sent a complete list');
});

test('the content of a synced block that is not shared is left out', async () => {
  const client = clientOf((path) => {
    if (path.startsWith('blocks/secret')) throw new NotionError('gone', 404);
    return last(block('a', 'A'), { ...block('secret', '', true), type: 'synced_block' });
  });
  const blocks = await readBlocks(client, 'page');
  expect(blocks).toMatchObject([{ id: 'a' }, { id: 'secret', children: [] }]);
  expect(leftOutOf(blocks)).toBe(
    'Left out: 1 block that Notion does not send to integrations, or not to this one',
  );
});

test('the blocks in a block that the API does not support are left out', async () => {
  const client = clientOf((path) => {
    if (path.startsWith('blocks/meeting')) throw new NotionError('not supported', 400);
    return last({ ...block('meeting', '', true), type: 'unsupported' }, block('b', 'B'));
  });
  const blocks = await readBlocks(client, 'page');
  expect(blocks).toMatchObject([{ id: 'meeting', children: [] }, { id: 'b' }]);
  expect(leftOutOf(blocks)).toMatch(/^Left out: 1 block that/);
});

test('blocks without children and attached files are counted, pictures are not', async () => {
  const typed = (type: string) => ({ ...block(type, ''), type });
  const client = clientOf(() =>
    last(typed('unsupported'), typed('unsupported'), typed('pdf'), typed('image'), block('a', 'A')),
  );
  expect(leftOutOf(await readBlocks(client, 'page'))).toBe(
    'Left out: 2 blocks that Notion does not send to integrations, or not to this one, and the content of 1 attached file',
  );
  expect(
    leftOutOf(
      await readBlocks(
        clientOf(() => last(block('a', 'A'))),
        'page',
      ),
    ),
  ).toBeNull();
});

test.each([
  ['a list that disappears', 'paragraph', [404]],
  ['the second part of a list that disappears', 'synced_block', [0, 404]],
  ['the second part of a list that is refused', 'unsupported', [0, 400]],
])('a page is not read without %s', async (_, type, statuses) => {
  const client = clientOf((path) => {
    if (!path.startsWith('blocks/list')) return last({ ...block('list', '', true), type });
    const status = statuses.shift() ?? 404;
    if (status !== 0) throw new NotionError(`status ${status}`, status);
    return { results: [block('a', 'A')], has_more: true, next_cursor: 'b' };
  });
  const error = await readBlocks(client, 'page').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotionError);
  expect(error).toMatchObject({ isMissing: false });
});

function many(text: string): object[] {
  return Array.from({ length: 100 }, (_, n) => block(`${n}`, text));
}

function clientOf(get: (path: string) => NotionObject): NotionClient {
  return { get: async (path) => get(path), post: async (path) => get(path) };
}
