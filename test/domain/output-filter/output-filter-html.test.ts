import { describe, expect, it } from 'vitest';
import { createOutputFilter } from '../../../src/domain/output-filter/output-filter.ts';

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
  ['an image', 'a <img src="https://evil.example/p"> b', 'a < img src=""> b'],
  [
    'an address only browsers read',
    String.raw`<img src="/\evil.example/p">`,
    String.raw`< img src="/\evil.example/p">`,
  ],
  ['an address in entities', '<a href="&#104;ttps://evil.example">x</a>', '< a href="">x< /a>'],
  [
    'what runs',
    '<svg/onload=alert(1)> <b onclick=go()>b</b>',
    '< svg/onload=alert(1)> < b onclick=go()>b< /b>',
  ],
  ['an element', 'a <b>b</b> H<sub>2</sub>O<br/>', 'a < b>b< /b> H< sub>2< /sub>O< br/>'],
  [
    'an address that is cited',
    '<a href="https://docs.example.com">x</a> [1]',
    '< a href="https://docs.example.com" >x< /a> [1]',
  ],
  ['a comment', 'a <!-- x --> b <?x?>', 'a < !-- x --> b < ?x?>'],
  ['a tag split by a comment', '<im<!-- -->g src=x>', '< im< !-- -->g src=x>'],
  ['a tag split by a tag', '<scr<script>ipt>', '< scr< script>ipt>'],
  ['a tag split by a marker', '<im[99]g src=x>', '< img src=x>'],
  ['a tag split by an address', '<im www.evil.example g src=x>', '< im  g src=x>'],
  ['a link to a script', 'a <javascript:alert(1)> b', 'a < javascript:alert(1) > b'],
  ['a tag that is cut at the end', 'a <img src="//evil.example/p?q=1', 'a < img src="'],
  ['an escaped tag', String.raw`a \<b> \\<b>`, String.raw`a \< b> \\< b>`],
  ['backticks in a tag', '<img alt="`" src=x> `a`', '< img alt="`" src=x> `a`'],
  [
    'what may be a tag',
    'x <y and y> z, Map<string, number>',
    'x < y and y> z, Map< string, number>',
  ],
  ['an autolink', '<https://docs.example.com> [1]', '< https://docs.example.com > [1]'],
  ['an autolink that is not cited', '<https://docs.example.com>', '<>'],
  [
    'a long tag',
    `<img alt="${'x'.repeat(1_500)}" src=y>`,
    `< img alt="${'x'.repeat(1_500)}" src=y>`,
  ],
];

const kept = [
  'a < b and c > d, <3, <=, <-, 1<2',
  '`<img src="logo.png">` and [1]',
  'Write a break as `<br>` [1].',
  '```html\n<a href="page.html">x</a>\n```\n',
  'a <',
];

describe('HTML in an answer', () => {
  it.each(cases)('is inert: %s', (_, written, read) => {
    expect(filtered([written])).toBe(read);
    expect(filtered([...written])).toBe(read);
  });

  it.each(kept)('is kept if it is no tag or in code: %s', (written) => {
    expect(filtered([written])).toBe(written);
    expect(filtered([...written])).toBe(written);
  });

  it('takes linear time on hostile text', () => {
    // If the time grew quadratically, this would exceed the time limit of the test.
    for (const part of ['<a ', '<', '<!', '<a b=', '<a>', '`<a']) {
      filtered([part.repeat(50_000 / part.length)]);
      filtered([...part.repeat(50_000 / part.length)]);
    }
  });
});
