import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readHtml } from '../../../src/extract/html/html.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

async function html(source: string | Uint8Array): Promise<string[]> {
  return describeBlocks(await readHtml(Buffer.from(source), defaultExtractLimits));
}

test('headings, paragraphs and inline elements are read in order', async () => {
  expect(
    await html(
      '<h1>Pool <small>open</small></h1>Loose <b>te</b>xt<div>A<span> line</span><br>Next</div><h3>Fees</h3><p>5&nbsp;&euro;',
    ),
  ).toEqual([
    'heading1: Pool open',
    'paragraph: Loose text',
    'paragraph: A line\nNext',
    'heading3: Fees',
    'paragraph: 5 €',
  ]);
});

test('the title is the heading of a page that has no main heading', async () => {
  expect(await html('<title>Prices &amp; fees</title><h2>Adults</h2><p>5')).toEqual([
    'heading1: Prices & fees',
    'heading2: Adults',
    'paragraph: 5',
  ]);
  expect(await html('<title>Prices</title><h1>All prices</h1>')).toEqual(['heading1: All prices']);
});

test('lists keep their markers, numbers and nesting', async () => {
  const list =
    '<ul><li>One<ol start=3><li><p>Three</p><p>more</p></li><li>Four</ol><li value=9>Two</ul>' +
    '<dl><dt>Deposit<dd>50 €<dd>in cash</dl>';
  expect(await html(list)).toEqual([
    'list-item: - One',
    'list-item:   3. Three',
    'paragraph: more',
    'list-item:   4. Four',
    'list-item: - Two',
    'paragraph: Deposit:',
    'list-item: - 50 €',
    'list-item: - in cash',
  ]);
});

test('tables are read row by row, with labels repeated in the rows that they span', async () => {
  const table =
    '<table><caption>Fees</caption><thead><tr><th>Who<th>When<th>Price</thead>' +
    '<tr><td rowspan=2>Adults<td>Day<td>5</tr><tr><td>Evening<td>3</tr><tr><td colspan=2>Children<td>free</table>';
  expect(await html(table)).toEqual([
    'paragraph: Fees',
    'table-row: Who | When | Price',
    'table-row: Adults | Day | 5',
    'table-row: Adults | Evening | 3',
    'table-row: Children | Children | free',
  ]);
});

test('a cell over rows and columns fills all of them, whatever else is in the row', async () => {
  const rota =
    '<table><tr><td>Week<td>Mon<td>Tue<td>Wed<tr><td>W 10<td colspan=2 rowspan=2>Ines<td>Paulo<tr><td>W 11<td>Vera' +
    '<tr><td rowspan=2>W 12<td>Hugo<td><td>Kim<tr><td colspan=3>closed<tr><td>W 13<td colspan=0>Ada<td rowspan=x>Bo<td>Cem</table>';
  expect(await html(rota)).toEqual([
    'table-row: Week | Mon | Tue | Wed',
    'table-row: W 10 | Ines | Ines | Paulo',
    'table-row: W 11 | Ines | Ines | Vera',
    'table-row: W 12 | Hugo |  | Kim',
    'table-row: W 12 | closed | closed | closed',
    'table-row: W 13 | Ada | Bo | Cem',
  ]);
  const single = '<table><tr><td>Who<td>When<tr><td rowspan=2>Adults<td>Day<tr><td>Evening</table>';
  expect(await html(single)).toEqual([
    'table-row: Who | When',
    'table-row: Adults | Day',
    'table-row: Adults | Evening',
  ]);
});

test.each([
  ['th', '<th rowspan=2>Room<th colspan=2>Morning', '<th>Early<th>Late'],
  ['td, as spreadsheets write', '<td rowspan=2>Room<td colspan=2>Morning', '<td>Early<td>Late'],
  ['an empty corner', '<th><th colspan=2>Morning', '<th>Room<th>Early<th>Late'],
  ['cells that are not joined', '<td>Room<td>Morning<td>', '<td><td>Early<td>Late'],
])('column names of two rows are joined: %s', async (_, groups, names) => {
  const row = (room: string, early: string, late: string) =>
    `<tr><td>${room}<td>${early}<td>${late}`;
  const rows = `${row('Hall', 'Ines', 'Paulo')}${row('Pool', 'Hugo', '')}`;
  const title = '<tr><td colspan=3>Rota of May';
  expect(await html(`<table>${title}<tr>${groups}<tr>${names}${rows}</table>`)).toEqual([
    'paragraph: Rota of May',
    'table-row: Room: Hall; Morning Early: Ines; Morning Late: Paulo',
    'table-row: Room: Pool; Morning Early: Hugo',
  ]);
});

test('text that flows over empty cells in a page of Excel fills only its own cell', async () => {
  const table =
    "<table><tr><td>Week<td>Mon<td>Tue<tr><td>W 10<td colspan=2 style='mso-ignore:colspan'>Ines and others</table>";
  expect(await html(table)).toEqual([
    'table-row: Week | Mon | Tue',
    'table-row: W 10 | Ines and others |',
  ]);
});

test('rows of data below joined cells are no column names', async () => {
  const table =
    '<table><tr><td>Week<td colspan=2>Shifts<tr><td>W 10<td>Ines<td>Paulo<tr><td>W 11<td>Hugo<td>Vera</table>';
  expect(await html(table)).toEqual([
    'table-row: Week | Shifts | Shifts',
    'table-row: W 10 | Ines | Paulo',
    'table-row: W 11 | Hugo | Vera',
  ]);
});

test('each row of a wide table names its columns', async () => {
  const names = 'Vehicle Station Price Deposit Since Seats Length Weight Colour'.split(' ');
  const cells = (texts: readonly string[]) => `<tr>${texts.map((text) => `<td>${text}`).join('')}`;
  const values = ['Trailer', 'North', '6 €', '', '2019', '2', '3 m', '9 kg', 'red'];
  expect(await html(`<table>${cells(names)}${cells(values)}</table>`)).toEqual([
    'table-row: Vehicle: Trailer; Station: North; Price: 6 €; Since: 2019; Seats: 2; Length: 3 m; Weight: 9 kg; Colour: red',
  ]);
});

test('a table that arranges the page is read as its content', async () => {
  const page =
    '<table><tr><td><h2>Menu</h2><p>Soup</p></td><td><table><tr><td>A<td>B</tr></table></td></tr></table>' +
    `<table><tr><td>${'word '.repeat(500)}<td>side</table><table role=presentation><tr><td>x<td>y</table>`;
  expect(await html(page)).toEqual([
    'heading2: Menu',
    'paragraph: Soup',
    'table-row: A | B',
    `paragraph: ${'word '.repeat(500).trim()}`,
    'paragraph: side',
    'paragraph: x',
    'paragraph: y',
  ]);
});

test('scripts, styles, navigation, controls and hidden elements are removed', async () => {
  const hidden = [
    '<script>if (1 < 2) document.write("<p>no</p>")</script>',
    '<style>p{}</style><template><p>no</p></template><noscript>no</noscript><nav>no</nav>',
    '<div role="navigation">no</div><p hidden>no</p><p aria-hidden="true">no</p>',
    '<p style="color:red; DISPLAY : none">no</p><button>no</button><select><option>no</select>',
    '<svg><title>no</title></svg><!-- no --><textarea><p>no</textarea>',
  ].join('');
  expect(await html(`<p>Yes</p>${hidden}<p>Also</p>`)).toEqual([
    'paragraph: Yes',
    'paragraph: Also',
  ]);
});

test('links give their text and their addresses', async () => {
  const links =
    '<p><a href="https://a.example/x">Rules</a> <a href="mailto:a@b.example?subject=x">Write</a> ' +
    '<a href="tel:+4912">+4912</a> <img src=x alt="Map of the pool"></p>';
  expect(await html(links)).toEqual([
    'paragraph: Rules (https://a.example/x) Write (a@b.example) +4912 Map of the pool',
  ]);
});

test('code keeps its lines', async () => {
  expect(await html('<pre>\nif (a &lt; b) {\n  <b>run</b>();\n}\n</pre>')).toEqual([
    'code: if (a < b) {\n  run();\n}',
  ]);
});

const word = 'Öffnungszeiten für Gäste: zwölf';
const latin1 = (head: string) => Buffer.from(`${head}<p>${word}</p>`, 'latin1');

test.each([
  ['UTF-8 without a declaration', Buffer.from(`<p>${word}</p>`)],
  ['UTF-8 by a wrong declaration', Buffer.from(`\ufeff<meta charset="latin1"><p>${word}</p>`)],
  ['UTF-16', Buffer.from(`\ufeff<p>${word}</p>`, 'utf16le')],
  ['a meta charset', latin1('<head><META Charset=ISO-8859-1>')],
  [
    'a meta http-equiv',
    latin1('<meta http-equiv=Content-Type content="text/html; charset=windows-1252">'),
  ],
  ['an XML declaration', latin1('<?xml version="1.0" encoding="iso-8859-1"?>')],
  ['no declaration and no UTF-8', latin1('')],
  ['a declaration of an unknown encoding', latin1('<meta charset="x-none">')],
  ['a declaration of UTF-8 that is wrong', latin1('<meta charset="utf-8">')],
])('the encoding is found: %s', async (_, bytes) => {
  expect(await html(bytes)).toEqual([`paragraph: ${word}`]);
});

test('a declared encoding that detection would not find is used', async () => {
  const bytes = Buffer.concat([
    Buffer.from('<meta charset="shift_jis"><p>'),
    Buffer.from([0x83, 0x76, 0x81, 0x5b, 0x83, 0x8b]),
  ]);
  expect(await html(bytes)).toEqual(['paragraph: プール']);
});

test.each([
  ['no text', '<html><body><script>1</script></body></html>', 'EMPTY_TEXT'],
  ['too many open elements', '<b>'.repeat(20_000), 'TOO_LARGE'],
  ['binary data', Buffer.alloc(64, '<\u0001\u0002\u0003\u0004'), 'CORRUPT_FILE'],
])('a page with %s fails with its code', async (_, source, code) => {
  await expect(html(source)).rejects.toMatchObject({ code });
});

test.each([
  ['deep nesting', `${'<div>'.repeat(9_000)}deep${'</div>'.repeat(9_000)}`],
  ['deep lists', `${'<ul><li>x'.repeat(4_000)}`],
  ['deep tables', `${'<table><tr><td>x'.repeat(3_000)}`],
  ['wrong end tags', `${'<i>'.repeat(9_000)}${'</u></p>'.repeat(100_000)}text`],
  [
    'huge spans',
    `<table>${'<tr><td rowspan=99999999 colspan=99999999>x<td>y'.repeat(2_000)}</table>`,
  ],
  [
    'huge spans below column names',
    `<table><tr>${'<td>a'.repeat(300)}${'<tr><td colspan=1000000 rowspan=1000000>x'.repeat(2_000)}</table>`,
  ],
  [
    'nested parts of a frame',
    `${'<div class=toc>'.repeat(250)}${'<p>word word</p>'.repeat(60_000)}`,
  ],
  [
    'nested tabs',
    `<div><div role=tablist>${'<div role=tab>'.repeat(90)}${'<p>word word</p>'.repeat(20_000)}${'</div>'.repeat(91)}${'<div role=tabpanel>x</div>'.repeat(90)}</div>`,
  ],
  ['many attributes', `<p ${Array.from({ length: 100_000 }, (_, n) => `a${n}=1`).join(' ')}>text`],
  [
    'unclosed tags and entities',
    `${'<p><!--'.repeat(3)}-->text${'&amp'.repeat(200_000)}${'<a '.repeat(200_000)}`,
  ],
])('%s takes a bounded time', async (_, source) => {
  const usage = process.cpuUsage();
  expect((await html(source)).length).toBeGreaterThan(0);
  expect(process.cpuUsage(usage).user / 1_000).toBeLessThan(15_000);
});

test('ordered lists have the letters, Roman numerals and order that a browser shows', async () => {
  const list =
    '<ol type="a"><li>One<ol type="i" start="3"><li>Two</ol><li type="A">Three</ol>' +
    '<ol reversed><li>Four<li value="7">Five<li>Six</ol>' +
    '<ol style="list-style-type: upper-roman" start="0"><li>Zero<li>Seven</ol>';
  expect(await html(list)).toEqual([
    'list-item: a. One',
    'list-item:   iii. Two',
    'list-item: B. Three',
    'list-item: 3. Four',
    'list-item: 7. Five',
    'list-item: 6. Six',
    'list-item: 0. Zero',
    'list-item: I. Seven',
  ]);
});

test('numbers of headings that LibreOffice writes without a space are separate', async () => {
  const page = (generator: string) =>
    `<meta name="generator" content="${generator}"><h1>3Liability</h1><h2>3.2Ice</h2><p>3Days`;
  expect(await html(page('LibreOffice 24.2'))).toEqual([
    'heading1: 3 Liability',
    'heading2: 3.2 Ice',
    'paragraph: 3Days',
  ]);
  expect(await html(page('Other'))).toEqual([
    'heading1: 3Liability',
    'heading2: 3.2 Ice',
    'paragraph: 3Days',
  ]);
});
