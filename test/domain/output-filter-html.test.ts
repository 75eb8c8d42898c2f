import { describe, expect, it } from 'vitest';
import { createOutputFilter } from '../../src/domain/chat/output-filter/output-filter.ts';

function filtered(pieces: readonly string[]): string {
  const content = 'See https://docs.example.com.';
  const filter = createOutputFilter({
    sources: [{ documentName: 'a.md', context: '', content }],
    question: 'How?',
    confidential: [],
    fallbackText: '-',
  });
  return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
}

const cases: readonly (readonly [title: string, written: string, read: string])[] = [
  ['the address of an image', 'a <img src="https://evil.example/p"> b', 'a <img> b'],
  ['an address only browsers read', String.raw`a <img src="/\evil.example/p"> b`, 'a <img> b'],
  ['an address in entities', 'a <a href="&#104;ttps://evil.example">x</a> b', 'a <a>x</a> b'],
  ['what is run', '<svg/onload=alert(1)> <b onclick=go()>b</b>', ' <b>b</b>'],
  ['a style', '<p style="background:url(x)">a', '<p>a'],
  ['an address that is cited', '<a href="https://docs.example.com">x</a> [1]', '<a>x</a> [1]'],
  ['elements that run or embed', 'a <script>x</script><IFRAME></iframe> b', 'a x b'],
  ['a comment', 'a <!-- x --> b <?x?>', 'a  b '],
  ['a link to a script', 'a <javascript:alert(1)> b', 'a javascript:alert(1) b'],
  ['a tag that is cut at the end', 'a <img src="//evil.example/p?q=1', 'a img src="'],
  ['a tag inside of another', '<b <img src=x onerror=go()>', '<b <img>'],
  ['backticks in a tag', '<img alt="`" src=x> `a`', '<img> `a`'],
  [
    'a tag too long',
    `<img alt="${'x'.repeat(1_500)}" src=y>`,
    `img alt="${'x'.repeat(1_500)}" src=y>`,
  ],
];

const kept = [
  'a <b>b</b> H<sub>2</sub>O<br/> c',
  'a < b and c > d, x <y and y> z, <3, Map<string, number>',
  '`<img src="logo.png">` and [1]',
  '```html\n<a href="page.html">x</a>\n```\n',
  'a <',
  'a <b',
];

describe('HTML in an answer', () => {
  it.each(cases)('loses %s', (_, written, read) => {
    expect(filtered([written])).toBe(read);
    expect(filtered([...written])).toBe(read);
  });

  it.each(kept)('is kept if it is inert or in code: %s', (written) => {
    expect(filtered([written])).toBe(written);
    expect(filtered([...written])).toBe(written);
  });

  it('keeps an autolink whose source is cited', () => {
    expect(filtered(['<https://docs.example.com> [1]'])).toBe('<https://docs.example.com> [1]');
    expect(filtered(['<https://docs.example.com>'])).toBe('<>');
  });

  it('takes linear time on hostile text', () => {
    const startedAt = performance.now();
    for (const part of ['<a ', '<', '<!', '<a b=', '<a>', '`<a']) {
      filtered([part.repeat(5_000 / part.length)]);
      filtered([...part.repeat(5_000 / part.length)]);
    }
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
