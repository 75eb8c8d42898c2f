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
    ['50,001 addresses', locs(50_001, '/'), 'It has too many addresses'],
    ['addresses of 9 MB', locs(4_500, `/${'x'.repeat(2_000)}`), 'It has too many addresses'],
  ])('%s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
