import { expect, test } from 'vitest';
import { createNotionTree } from '../../../src/domain/sources/notion/notion-tree.ts';
import {
  type NotionClient,
  NotionError,
  type NotionObject,
} from '../../../src/platform/notion/notion-client.ts';

const roots = new Set(['root']);
const workspace = { type: 'workspace', workspace: true };
const row = {
  ...{ object: 'page', id: 'row' },
  parent: { type: 'data_source_id', data_source_id: 'source', database_id: 'database' },
};
const dataSource = {
  ...{ object: 'data_source', id: 'source' },
  parent: { type: 'database_id', database_id: 'database' },
};

test.each([
  ['the workspace', workspace],
  ['an agent', { type: 'agent_id', agent_id: 'agent' }],
  ['a page that is not shared', { type: 'page_id', page_id: 'hidden' }],
])('a page in %s is below no root', async (_, parent) => {
  const tree = createNotionTree(clientOf({}));
  tree.add({ object: 'page', id: 'page', parent });
  expect(await tree.isBelow('page', roots)).toBe(false);
});

test.each([
  ['of an unknown type', { type: 'team_id', team_id: 'team' }],
  ['without an id', { type: 'page_id' }],
  ['that is missing', undefined],
])('a page with a parent %s is neither below the roots nor outside them', async (_, parent) => {
  const page = { object: 'page', id: 'page', parent };
  const tree = createNotionTree(clientOf({ 'pages/page': page }));
  tree.add(page);
  await expect(tree.isBelow('page', roots)).rejects.toThrow(
    'Notion has not sent the parent of the page page',
  );
});

test('a parent that the search leaves out is read', async () => {
  const page = { object: 'page', id: 'page' };
  const tree = createNotionTree(
    clientOf({
      'pages/page': { ...page, parent: { type: 'block_id', block_id: 'block' } },
      'blocks/block': { object: 'block', parent: { type: 'page_id', page_id: 'root' } },
      'databases/database': { parent: { type: 'page_id', page_id: 'root' } },
    }),
  );
  for (const object of [page, dataSource, row]) tree.add(object);
  expect(await tree.isBelow('page', roots)).toBe(true);
  expect(await tree.isBelow('row', roots)).toBe(true);
});

test('a parent that Notion refuses to read is not taken for one outside the roots', async () => {
  const tree = createNotionTree(clientOf({ 'databases/database': 400 }));
  tree.add(dataSource);
  tree.add(row);
  await expect(tree.isBelow('row', roots)).rejects.toThrow('status 400');
});

test('pages that name each other as parents fail, unless one is a root', async () => {
  const tree = createNotionTree(clientOf({}));
  tree.add({ object: 'page', id: 'a', parent: { type: 'page_id', page_id: 'b' } });
  tree.add({ object: 'page', id: 'b', parent: { type: 'page_id', page_id: 'a' } });
  await expect(tree.isBelow('a', roots)).rejects.toThrow('below more than 100 others');
  expect(await tree.isBelow('a', new Set(['b']))).toBe(true);
});

test('a root may be a page or a database, whatever the error for another kind', async () => {
  const tree = createNotionTree(
    clientOf({ 'pages/root': 400, 'databases/root': { parent: workspace }, 'pages/limited': 403 }),
  );
  expect(await tree.exists('root')).toBe(true);
  expect(await tree.exists('unknown')).toBe(false);
  await expect(tree.exists('limited')).rejects.toThrow('status 403');
});

/** Returns a client that answers by path. An answer contains objects or a status. All other paths return 404. */
function clientOf(answers: Readonly<Record<string, NotionObject | number>>): NotionClient {
  const get = async (path: string) => {
    const answer = answers[path] ?? 404;
    if (typeof answer === 'number') throw new NotionError(`status ${answer}`, answer);
    return answer;
  };
  return { get, post: get };
}
