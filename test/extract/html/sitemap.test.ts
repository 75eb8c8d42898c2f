import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readSitemap } from '../../../src/extract/html/sitemap.ts';

const read = (text: string | Buffer) => readSitemap(Buffer.from(text));

test.each([
  [
    '<urlset><url><loc> https://e.com/a?x=1&amp;y=2 </loc></url></urlset>',
    false,
    'https://e.com/a?x=1&y=2',
  ],
  [
    '<?xml version="1.0"?><urlset xmlns="x"><url><loc><![CDATA[/a]]></loc></url></urlset>',
    false,
    '/a',
  ],
  ['<sitemapindex><sitemap><loc>one.xml</loc></sitemap></sitemapindex>', true, 'one.xml'],
  ['https://e.com/a\n', false, 'https://e.com/a'],
])('%s', (text, isIndex, url) => {
  expect(read(text)).toEqual({ isIndex, urls: [url] });
  expect(read(gzipSync(text))).toEqual({ isIndex, urls: [url] });
});

test.each([
  [
    'RSS',
    `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News</title>
     <link>https://e.com/</link><atom:link href="https://e.com/rss.xml" rel="self"/><item><title>One</title>
     <link>https://e.com/one?x=1&amp;y=2</link></item><item><link><![CDATA[https://e.com/two]]></link></item></channel></rss>`,
    ['https://e.com/one?x=1&y=2', 'https://e.com/two'],
  ],
  [
    'RSS 1.0',
    `<rdf:RDF xmlns:rdf="x" xmlns="y"><channel><link>https://e.com/</link></channel>
     <item rdf:about="https://e.com/one"><link>https://e.com/one</link></item></rdf:RDF>`,
    ['https://e.com/one'],
  ],
  [
    'Atom',
    `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://e.com/atom.xml" rel="self"/><link href="https://e.com/"/>
     <entry><link rel="alternate" href="https://e.com/one?x=1&amp;y=2"/><link rel="enclosure" href="https://e.com/a.mp3"/></entry>
     <entry><link href='/two'/></entry></feed>`,
    ['https://e.com/one?x=1&y=2', '/two'],
  ],
  [
    'Atom with prefixes',
    '<a:feed xmlns:a="x"><a:link href="/"/><a:entry><a:link href="/one"/></a:entry></a:feed>',
    ['/one'],
  ],
  ['a feed without entries', '<rss><channel><link>https://e.com/</link></channel></rss>', []],
  [
    'prefixed names',
    `<sm:urlset xmlns:sm="x" xmlns:image="y"><sm:url><sm:loc> /one </sm:loc>
     <image:image><image:loc>/not-a-page.jpg</image:loc></image:image></sm:url></sm:urlset>`,
    ['/one'],
  ],
  [
    'images of pages',
    '<urlset><url><loc>/one</loc><image:image><image:loc>/a.jpg</image:loc></image:image></url></urlset>',
    ['/one'],
  ],
  [
    'lines with a byte order mark',
    '\ufeffhttps://e.com/one\r\nhttps://e.com/two',
    ['https://e.com/one', 'https://e.com/two'],
  ],
])('reads %s, in UTF-8 and UTF-16, compressed or not', (_, text, urls) => {
  const littleEndian = Buffer.from(text, 'utf16le');
  const mark = Buffer.from([0xff, 0xfe]);
  const encoded = [Buffer.from(text), littleEndian, Buffer.concat([mark, littleEndian])];
  const bigEndian = Buffer.concat([mark, littleEndian]).swap16();
  for (const bytes of [...encoded, bigEndian]) {
    expect(read(bytes).urls).toEqual(urls);
    expect(read(gzipSync(bytes)).urls).toEqual(urls);
  }
});

test('a sitemap with prefixed names can be an index', () => {
  const text =
    '<sm:sitemapindex><sm:sitemap><sm:loc>one.xml</sm:loc></sm:sitemap></sm:sitemapindex>';
  expect(read(text)).toEqual({ isIndex: true, urls: ['one.xml'] });
});

test('an empty sitemap has no addresses', () => {
  for (const text of ['<urlset/>', '<urlset></urlset>', '']) expect(read(text).urls).toEqual([]);
});

describe('is refused:', () => {
  const locs = (count: number, url: string) =>
    `<urlset>${`<url><loc>${url}</loc></url>`.repeat(count)}</urlset>`;
  test.each([
    ['an HTML page', '<html><p>Back soon</p></html>', 'It is no sitemap'],
    ['a text', 'Service unavailable', 'It is no sitemap'],
    ['a part of a sitemap', locs(3, 'https://e.com/').slice(0, -3), 'It is cut off'],
    [
      'a file that unpacks to more than 50 MB',
      gzipSync(Buffer.alloc(60_000_000, 60)),
      'It cannot be unpacked',
    ],
    ['50 MB of root elements', gzipSync('<urlset '.repeat(6_000_000)), 'It is no sitemap'],
    ['50 MB of a name', gzipSync(`<${'a'.repeat(50_000_000)}`), 'It is no sitemap'],
    [
      '50,001 addresses of a feed',
      `<feed>${'<entry><link href="/"/></entry>'.repeat(50_001)}</feed>`,
      'It has too many addresses',
    ],
    ['50,001 addresses', locs(50_001, '/'), 'It has too many addresses'],
    ['addresses of 9 MB', locs(4_500, `/${'x'.repeat(2_000)}`), 'It has too many addresses'],
  ])('%s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
