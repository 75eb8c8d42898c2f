import { expect, test } from 'vitest';
import type { NotionBlock } from '../../../src/domain/sources/notion/notion-blocks.ts';
import { requireValidNotionConfig } from '../../../src/domain/sources/notion/notion-config.ts';
import { blocksToMarkdown } from '../../../src/domain/sources/notion/notion-markdown.ts';
import {
  propertiesToMarkdown,
  propertiesToMetadata,
  propertyValues,
} from '../../../src/domain/sources/notion/notion-properties.ts';
import { richText } from '../../support/servers/notion-server.ts';

test('blocks become Markdown', () => {
  const id = '0a1b2c3d-0000-4000-8000-000000000001';
  const row = (...cells: string[]) =>
    block('table_row', { cells: cells.map((cell) => richText(cell)) });
  const markdown = blocksToMarkdown([
    text('heading_1', 'Rooms'),
    text('heading_2', 'Toggle heading', text('paragraph', 'Below it.')),
    block('paragraph', {
      rich_text: [
        ...richText('See '),
        ...richText('prices ', { bold: true, italic: true }, 'https://example.com/a b'),
        ...richText('a`b', { code: true }),
        ...richText(' and *stars*\n- no item\n1. no number'),
        ...richText('script', {}, 'javascript:alert(1)'),
        ...richText('inside', {}, '/0a1b'),
      ],
    }),
    text('bulleted_list_item', 'One', text('numbered_list_item', 'Deep')),
    text('bulleted_list_item', 'Two', text('paragraph', 'Its paragraph.')),
    text('paragraph', 'Between.'),
    text('numbered_list_item', 'First'),
    text('numbered_list_item', 'Second'),
    block('to_do', { rich_text: richText('Done'), checked: true }),
    block('to_do', { rich_text: richText('Open'), checked: false }),
    text('toggle', 'Question?', text('paragraph', 'Answer.')),
    text('quote', 'Quoted\nlines', text('paragraph', 'and more')),
    text('callout', 'Attention'),
    block('code', { rich_text: richText('a = ```b```'), language: 'python' }),
    block('table', { has_column_header: true }, row('Room', 'Price'), row('A|1', '10'), row('B')),
    block('table', { has_column_header: false }, row('x', 'y')),
    block('divider', {}),
    block('column_list', {}, block('column', {}, text('paragraph', 'Left.'))),
    { ...block('child_page', { title: 'Child [1]' }), id },
    block('link_to_page', { type: 'page_id', page_id: id }),
    block('bookmark', { url: 'https://example.com/', caption: [] }),
    block('image', {
      type: 'file',
      file: { url: 'https://s3/expires' },
      caption: richText('Plan'),
    }),
    block('file', {
      type: 'external',
      external: { url: 'https://example.com/a.pdf' },
      name: 'a.pdf',
    }),
    block('equation', { expression: 'a*b' }),
    block('unsupported', {}),
  ]);
  expect(markdown.split('\n\n')).toEqual([
    '# Rooms',
    '## Toggle heading',
    'Below it.',
    'See [***prices***](<https://example.com/a%20b>) ``a`b`` and \\*stars\\*\\\n\\- no item\\\n1\\. no numberscript[inside](<https://www.notion.so/0a1b>)',
    '- One\n  1. Deep\n- Two',
    '  Its paragraph.',
    'Between.',
    '1. First\n2. Second\n- [x] Done\n- [ ] Open\n- Question?',
    '  Answer.',
    '> Quoted\\\n> lines\n> \n> and more',
    '> Attention',
    '````\na = ```b```\n````',
    '| Room | Price |\n| --- | --- |\n| A\\|1 | 10 |\n| B |  |',
    '|  |  |\n| --- | --- |\n| x | y |',
    'Left.',
    '[Child \\[1\\]](<https://www.notion.so/0a1b2c3d000040008000000000000001>)',
    '<https://www.notion.so/0a1b2c3d000040008000000000000001>',
    '<https://example.com/>',
    'Plan',
    '[a.pdf](<https://example.com/a.pdf>)',
    'a\\*b',
  ]);
});

test('a line break in code within a line becomes a space', () => {
  const code = richText('- one\ntwo', { code: true });
  const list = block('bulleted_list_item', { rich_text: [...code, ...richText('\nnext')] });
  expect(blocksToMarkdown([list])).toBe('- `- one two`\\\n  next');
});

test('properties become named values and metadata', () => {
  const values = propertyValues({
    Name: { type: 'title', title: richText('Boat') },
    'Größe in m': { type: 'number', number: 7.5 },
    状態: { type: 'status', status: { name: 'Free' } },
    Notes: { type: 'rich_text', rich_text: richText('Two\nlines') },
    Empty: { type: 'rich_text', rich_text: [] },
    When: { type: 'date', date: { start: '2026-05-01', end: '2026-05-03' } },
    Code: { type: 'unique_id', unique_id: { prefix: 'B', number: 12 } },
    Sum: { type: 'formula', formula: { type: 'number', number: 3 } },
    All: {
      type: 'rollup',
      rollup: { type: 'array', array: [{ type: 'title', title: richText('A') }] },
    },
    Owner: { type: 'people', people: [{ name: 'Ann' }, {}] },
    Related: { type: 'relation', relation: [{ id: 'x' }] },
    Broken: { type: 'number', number: 'no' },
  });
  expect(propertiesToMarkdown(values).split('\n')).toEqual([
    ...['- Größe in m: 7.5', '- 状態: Free', '- Notes: Two lines', '- When: 2026-05-01/2026-05-03'],
    ...['- Code: B-12', '- Sum: 3', '- All: A', '- Owner: Ann', '- Broken: no'],
  ]);
  expect(propertiesToMetadata(values)).toEqual({
    ...{ Gro_e_in_m: 7.5, Notes: 'Two\nlines', When: '2026-05-01/2026-05-03', Code: 'B-12' },
    ...{ Sum: 3, All: ['A'], Owner: ['Ann'], Broken: 'no' },
  });
});

test('many and large properties stay below the limits of metadata', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => {
      const options = Array.from({ length: 150 }, () => ({ name: `\0${'ä'.repeat(2_000)}` }));
      return [
        `p${n}`,
        { type: 'multi_select', multi_select: n === 0 ? [] : options.slice(0, n % 3) },
      ];
    }),
  );
  const metadata = propertiesToMetadata(propertyValues(properties));
  expect(Object.keys(metadata).length).toBeLessThanOrEqual(50);
  expect(JSON.stringify(metadata).length).toBeLessThan(65_536);
  expect(JSON.stringify(metadata)).not.toContain('\\u0000');
});

test('roots are ids or links', () => {
  const id = '0a1b2c3d-4e5f-4a0b-8c0d-0123456789ab';
  const plain = id.replaceAll('-', '');
  const roots = [
    plain.toUpperCase(),
    id,
    `https://www.notion.so/team/Page-${plain}?v=${'1'.repeat(32)}`,
  ];
  expect(requireValidNotionConfig({ roots }, {})).toEqual({ roots: [id], maxFiles: 1_000 });
  expect(() => requireValidNotionConfig({ roots: ['Handbook'] }, {})).toThrow('config.roots');
});

function text(type: string, content: string, ...children: NotionBlock[]): NotionBlock {
  return block(type, { rich_text: richText(content) }, ...children);
}

function block(type: string, content: object, ...children: NotionBlock[]): NotionBlock {
  return { id: '', type, content: { ...content }, children, isUnreadable: false };
}
