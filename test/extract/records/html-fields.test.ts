import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readCsv } from '../../../src/extract/tables/csv.ts';
import { readXlsx } from '../../../src/extract/tables/xlsx.ts';
import { readJson, readJsonLines } from '../../../src/extract/text-formats/json.ts';
import { buildXlsx } from '../../fixtures/build-xlsx.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const limits = defaultExtractLimits;
const json = async (value: unknown) =>
  describeBlocks(await readJson(Buffer.from(JSON.stringify(value)), limits));
/** Returns the text of a field in a record with one other field. */
const field = async (text: string, name = 'note') =>
  (await json([{ nr: 'x', [name]: text }])).join('\n').replace(`table-row: nr: x; ${name}: `, '');

const articles = [
  {
    id: 9001,
    title: 'Refunds &amp; returns',
    body: '<p>Refunds take <strong>six</strong> working&nbsp;days.</p><ul><li>Bring the receipt.</li><li>Gift cards aren&#39;t refunded, see <a href="https://help.example/cards">cards</a>.</li></ul><style>p{}</style>',
  },
  {
    id: 9002,
    title: 'Parking',
    body: '<h2>Where</h2><p>Park behind the mill.<br>Gate&nbsp;code: 4471#</p><script>track()</script>',
  },
];
const sections = (row: (id: number) => string) => [
  'heading2: Refunds & returns',
  row(9001),
  'paragraph: Refunds take six working days.',
  'list-item: - Bring the receipt.',
  "list-item: - Gift cards aren't refunded, see cards (https://help.example/cards).",
  'heading2: Parking',
  row(9002),
  'heading4: Where',
  'paragraph: Park behind the mill.\nGate code: 4471#',
];
const table = [['id', 'title', 'body'], ...articles.map((one) => Object.values(one).map(String))];

test('an article in HTML is a section with its paragraphs and lists, in JSON and JSONL', async () => {
  expect(await json({ articles })).toEqual([
    'heading1: articles',
    ...sections((id) => `table-row: id: ${id}`),
  ]);
  const lines = articles.map((one) => JSON.stringify(one)).join('\n');
  expect(describeBlocks(await readJsonLines(Buffer.from(lines), limits))).toEqual(
    sections((id) => `table-row: id: ${id}`),
  );
});

test('an article in HTML is a section with its paragraphs and lists, in CSV and XLSX', async () => {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const csv = table.map((row) => row.map(quote).join(',')).join('\r\n');
  expect(describeBlocks(await readCsv(Buffer.from(csv), limits))).toEqual(
    sections((id) => `table-row: id: ${id}`),
  );
  const cells = table.map((row) =>
    row.map((cell) => cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  );
  expect(
    describeBlocks(await readXlsx(buildXlsx([{ name: 'Sheet1', rows: cells }]), limits)),
  ).toEqual(sections((id) => `table-row: id: ${id}`));
});

test.each([
  ['<p>Open <em>daily</em>.</p>', 'Open daily.'],
  ['Open <b>daily</b> until 9&nbsp;pm', 'Open daily until 9 pm'],
  [
    'See <a href="https://help.example/a">this page</a>.',
    'See this page (https://help.example/a).',
  ],
  ['&lt;p&gt;Open &lt;b&gt;daily&lt;/b&gt;.&lt;/p&gt;', 'Open daily.'],
  [
    '<!DOCTYPE html><html><head><title>x</title></head><body>Open daily.</body></html>',
    'Open daily.',
  ],
  ['<P STYLE="color: red">Open daily.</P>', 'Open daily.'],
  ['<p>Open daily.', 'Open daily.'],
  ['<div class="a"><span>Open</span> daily.</div><script>alert("<p>")</script>', 'Open daily.'],
  ['Refunds &amp; returns', 'Refunds & returns'],
  ['We&rsquo;re open &#8211; it&#x27;s &quot;late&quot;', 'We’re open – it\'s "late"'],
  ['Map&lt;String, Integer&gt;', 'Map<String, Integer>'],
  ['Use &lt;b&gt; for bold', 'Use <b> for bold'],
  ['A &amp;lt; B', 'A &lt; B'],
])('a field with encoded text %j is read as %j', async (text, expected) => {
  expect(await field(text)).toBe(expected);
});

test.each([
  'Use <b> for bold and <p> for paragraphs',
  'Use <b> and </b> around the words',
  'The tag <br> starts a line',
  'Write `<b>bold</b>` for bold',
  'if a < b && c > d',
  'a<b and b>c',
  'List<String> and Map<K,V>',
  'vector<int> p; vector<p> q;',
  '<your-key> or <REGION>',
  '<rule id="1"><when>late</when></rule>',
  'AT&T, R&D and Q&A; see https://a.example/?a=1&copy=2',
  'Write "&amp;" for an ampersand',
  'if (a && b) print("&nbsp;")',
  'Johnson & Johnson &amp; sons',
  'mail <ana@harbour.example>',
])('a field that is not HTML stays as it is: %j', async (text) => {
  expect(await field(text)).toBe(text);
});

test('a field with the name of code stays as it is', async () => {
  expect(await field('<p>Hello</p>', 'code')).toBe('<p>Hello</p>');
  expect(await field('<b>x</b> &amp;', 'snippet')).toBe('<b>x</b> &amp;');
});

test('a field of HTML without text is omitted', async () => {
  expect(await json([{ a: 'Tea', b: '<p>&nbsp;</p><script>track()</script>' }])).toEqual([
    'table-row: a: Tea',
  ]);
});

test('HTML in a single value and in the values of an object becomes text', async () => {
  expect(await json({ about: '<p>One.</p><p>Two.</p>', name: 'A &amp; B' })).toEqual([
    'paragraph: about:',
    'paragraph: One.',
    'paragraph: Two.',
    'table-row: name: A & B',
  ]);
});

test('short HTML in cells of CSV stays in its row, also without names of columns', async () => {
  const csv = async (text: string) => describeBlocks(await readCsv(Buffer.from(text), limits));
  expect(await csv('Room,Note\n101,<p>Sea &amp; sun</p>\n102,none\n')).toEqual([
    'table-row: Room: 101; Note: Sea & sun',
    'table-row: Room: 102; Note: none',
  ]);
  expect(await csv('101,<p>One.</p><p>Two.</p>\n102,3 &lt; 4\n')).toEqual([
    'table-row: 101; One. Two.',
    'table-row: 102; 3 < 4',
  ]);
});

test('fields of hostile HTML take linear time', async () => {
  for (const part of ['<p ', '<', '&amp;', '&', '<b>x', '<p><', '`<b>', '<br', '&lt;p&gt;']) {
    expect((await field(part.repeat(100_000))).length).toBeGreaterThan(0);
  }
}, 20_000);
