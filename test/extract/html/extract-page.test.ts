import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readHtml } from '../../../src/extract/html/html.ts';
import { readHtmlPage } from '../../../src/extract/html/html-page.ts';
import { readMarkdown } from '../../../src/extract/text-formats/markdown.ts';

const read = (html: string) => readHtmlPage(Buffer.from(html), defaultExtractLimits);
const sentence =
  'The pool is open every day from seven in the morning to ten in the evening, also on holidays.';
const article = `<h1>Pool</h1>${`<p>${sentence}</p>`.repeat(6)}`;

test.each([
  ['main', `<header>Shop</header><div>Ad</div><main><header>${article}</header></main>`],
  ['an article', `<div>Login</div><article>${article}<footer>Edit</footer></article>`],
  [
    'no mark',
    `<div id="menu" class="menu"><ul>${'<li><a href=/x>Other page</a></li>'.repeat(30)}</ul></div>` +
      `<div class="content">${article}</div><div>${'<a href=/y>Buy tickets</a> | '.repeat(4)}</div>`,
  ],
])('the content of a page with %s is read without its frame', async (_, body) => {
  const { markdown } = await read(`<title>Pool | Spa</title><body>${body}<footer>Imprint</footer>`);
  expect(markdown).toContain(Array(6).fill(sentence).join('\n\n'));
  expect(markdown).not.toMatch(/Shop|Ad|Login|Edit|Other page|Buy|Imprint/);
});

const intro = `<div class="intro"><h1>Harbour</h1>${`<p>${sentence}</p>`.repeat(9)}</div>`;
const cards = (card: (n: number) => string) =>
  Array.from({ length: 4 }, (_, n) => card(n)).join('');

test.each([
  [
    'cards',
    cards((n) => `<div class="card"><h3>Rope</h3><p>Price: 8${n} euros</p></div>`),
    '83 euros',
  ],
  [
    'cards that are links',
    cards((n) => `<a href="/r${n}"><h3>Rope</h3><p>8${n} euros</p></a>`),
    '83 euros',
  ],
  [
    'a contact box',
    '<div class="box"><h2>Contact</h2><p>Phone +49 40 555 0188</p></div>',
    '555 0188',
  ],
  [
    'a timetable',
    '<table><tr><th>Ferry</th><th>Leaves</th></tr><tr><td>Orsk</td><td>07:30</td></tr></table>',
    '07:30',
  ],
  ['a list of rules', '<div><ul><li>Moor slowly.</li><li>No fires.</li></ul></div>', 'No fires'],
  [
    'links in a sentence',
    '<p>See <a href=/a>oars</a>, <a href=/b>keys</a> and <a href=/c>fuel</a> for the rest.</p>',
    'oars',
  ],
  [
    'a list of articles',
    `<ul>${cards((n) => `<li><a href="/n${n}">The harbour gets a new crane in spring</a></li>`)}</ul>`,
    'new crane',
  ],
])('a page without marks has its text and %s', async (_, part, expected) => {
  for (const body of [intro + part, part + intro]) {
    const { markdown } = await read(`<body>${body}</body>`);
    expect(markdown).toContain(expected);
    expect(markdown).toContain(sentence);
  }
});

test('a banner on cookies is no content of a short page', async () => {
  const banner = '<div id="cookie-banner"><h2>Cookies</h2><p>We use cookies. Accept all?</p></div>';
  const { markdown } = await read(
    `${banner}<h1>Pier</h1><p>The pier has twelve berths and fresh water.</p>`,
  );
  expect(markdown).toBe('# Pier\n\nThe pier has twelve berths and fresh water.');
});

test('a page that consists of links is read', async () => {
  const page = await read('<a href=/a>Berths</a> <a href=/b>Prices</a> <a href=/c>Power</a>');
  expect(page.markdown).toContain('Prices');
});

test('a short page without marks is read whole', async () => {
  const page = await read(
    '<title>T</title><div>Closed on Mondays.</div><ul><li><a href=a>A</a></ul>',
  );
  expect(page.markdown).toBe('Closed on Mondays.\n\n- A');
});

test('the title is that of the page, or else its first heading', async () => {
  expect((await read('<title> Pool &amp; Spa </title><h1>x</h1>')).title).toBe('Pool & Spa');
  expect((await read('<h2>Prices</h2>')).title).toBe('Prices');
  expect((await read('<p>text')).title).toBe('');
  expect(Array.from((await read(`<title>${'😀'.repeat(999)}</title>`)).title)).toHaveLength(200);
});

test('links are returned once, without those with nofollow', async () => {
  const links = [
    '<a href="/a#x">1</a><a href=" /a#x ">2</a><nav><a href="b?q=1&amp;r=2">3</a></nav>',
    '<a rel="noopener NoFollow" href="/no">4</a><a href="javascript:alert(1)">5</a><a href="#top">6</a>',
    `<a href="${'x'.repeat(3_000)}">7</a><map><area href="/map"></map>`,
  ].join('');
  const page = await read(`<base href="/docs/"><link rel="canonical" href="/c">${links}`);
  expect(page).toMatchObject({ baseUrl: '/docs/', canonicalUrl: '/c', isNoIndex: false });
  expect(page.links).toEqual(['/a#x', 'b?q=1&r=2', '/map']);
});

test.each([
  ['noindex, follow', true, 1],
  ['NOFOLLOW', false, 0],
  ['none', true, 0],
  ['index', false, 1],
])('the directives %s of a page are returned', async (content, isNoIndex, count) => {
  const page = await read(`<meta name="Robots" content="${content}"><a href=/a>a</a>`);
  expect(page.isNoIndex).toBe(isNoIndex);
  expect(page.links).toHaveLength(count);
});

test('Markdown of a page reads as the same text and structure', async () => {
  const html = `<h1>A_b # *c* &lt;script&gt;</h1><p>1. not a list<br>- neither | [x](y) &amp;amp; \`z\` ~~no~~ snake_case \\ $</p>
    <p># no heading</p><p>= x</p><p>+ y</p><p>---</p>
    <ol start=3><li>Three<ul><li>Inner<p>more</p></ul><li>Four</ol><pre>a\n\`\`\`\n  # b</pre>
    <table><tr><th>Wh|o<th>Price_<tr><td>Adults *<td>5<tr><td>Kids<td></table>`;
  const { markdown } = await read(html);
  const [fromMarkdown, fromHtml] = await Promise.all([
    readMarkdown(Buffer.from(markdown), defaultExtractLimits),
    readHtml(Buffer.from(html), defaultExtractLimits),
  ]);
  const blocks = ({ text, blocks }: typeof fromHtml) =>
    blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);
  expect(blocks(fromMarkdown)).toEqual(blocks(fromHtml));
});

test.each([
  ['nested elements', `${'<div><span>x '.repeat(900)}`],
  ['links without marks', `<a href=/x>word</a> `.repeat(10_000)],
  ['paragraphs without marks', `<div><p>word, word, word, word, word</p></div>`.repeat(10_000)],
])('a page of %s takes a bounded time', async (_, html) => {
  const usage = process.cpuUsage();
  expect((await read(html)).markdown).not.toBe('');
  expect(process.cpuUsage(usage).user / 1_000).toBeLessThan(30_000);
});

test.each([
  ['0; url=/docs', '/docs'],
  ["0;URL='/new place'", '/new place'],
  ['5, url="/a"; x', '/a'],
  ['0; url = a b ', 'a b'],
  ['0;url=', null],
  ['300', null],
  ['300; url=/a', null],
  ['x; url=/a', null],
])('a refresh of %j leads to %j', async (content, url) => {
  const meta = `<meta http-equiv=" Refresh " content="${content.replaceAll('"', '&quot;')}">`;
  expect((await read(`${meta}<p>Moved`)).refreshUrl).toBe(url);
  expect((await read(`<noscript>${meta}</noscript><p>Text`)).refreshUrl).toBeNull();
});

test('letters of an ordered list are text in Markdown, which has no lists with letters', async () => {
  const page = await readHtmlPage(
    Buffer.from('<main><ol type="a"><li>Shower<li>Swim</ol></main>'),
    defaultExtractLimits,
  );
  expect(page.markdown).toBe('- a. Shower\n- b. Swim');
});
