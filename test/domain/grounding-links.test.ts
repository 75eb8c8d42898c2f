import { describe, expect, it } from 'vitest';
import { createAnswerFilter } from '../../src/domain/chat/grounding.ts';
import { createLinkFilter } from '../../src/domain/chat/link-filter.ts';

const grounds = [
  'See https://docs.example.com/returns. Shop: www.shop.example/Sale?id=1 or help.example.org/faq',
  'Read [the terms](https://example.com/terms_(2024)) and [settings](/settings). Mail a@example.com',
];

function filtered(pieces: readonly string[]): string {
  const filter = createLinkFilter(grounds);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
}

const cases: readonly (readonly [title: string, written: string, read: string])[] = [
  [
    'keeps a link the sources hold',
    'See [returns](https://docs.example.com/returns) [1].',
    'See [returns](https://docs.example.com/returns) [1].',
  ],
  [
    'keeps a bare address they hold',
    'See https://docs.example.com/returns.',
    'See https://docs.example.com/returns.',
  ],
  [
    'keeps it with another scheme',
    'See http://docs.example.com/returns/ now',
    'See http://docs.example.com/returns/ now',
  ],
  [
    'keeps one they write without scheme',
    'https://help.example.org/faq',
    'https://help.example.org/faq',
  ],
  [
    'keeps the site of an address they hold',
    'At https://docs.example.com.',
    'At https://docs.example.com.',
  ],
  [
    'keeps round brackets in it',
    '[a](https://example.com/terms_(2024))',
    '[a](https://example.com/terms_(2024))',
  ],
  ['keeps a relative link they hold', '[settings](/settings)', '[settings](/settings)'],
  [
    'keeps an address for mail they hold',
    '[mail](mailto:a@example.com)',
    '[mail](mailto:a@example.com)',
  ],
  [
    'takes the target of another link',
    'See [this](https://evil.example/?q=secret) now.',
    'See [this] now.',
  ],
  ['takes it with a title', '[this](<https://evil.example/> "a (b)") now', '[this] now'],
  ['takes it after a line break', '[this](\nhttps://evil.example/x) now', '[this] now'],
  ['takes a relative target', '[this](/delete?all)', '[this]'],
  ['takes a script', '[this](javascript:alert(1))', '[this]'],
  [
    'takes a longer address than they hold',
    '[a](https://docs.example.com/returns?q=secret)',
    '[a]',
  ],
  ['takes another spelling of the path', 'https://www.shop.example/sale?id=1', ''],
  ['takes an entity in a target', '[a](h&#116;tps://evil.example)', '[a]'],
  [
    'makes an image a link',
    '![logo](https://docs.example.com/returns)',
    '[logo](https://docs.example.com/returns)',
  ],
  [
    'takes the target of an image',
    'A ![logo](https://evil.example/p.png?q=secret) b',
    'A [logo] b',
  ],
  [
    'takes both of an image in a link',
    '[![a](//evil.example/p)](https://evil.example) b',
    '[[a]] b',
  ],
  ['takes a bare address', 'Go to https://evil.example/?q=secret, now.', 'Go to , now.'],
  ['takes it in angle and round brackets', '<https://evil.example> (www.evil.example)', '<> ()'],
  ['takes it in capitals', 'HTTPS://EVIL.EXAMPLE/x y', ' y'],
  [
    'takes it between Chinese signs',
    '请看https://evil.example/x。然后',
    '请看https://evil.example/x。然后'.replace('https://evil.example/x', ''),
  ],
  ['takes a definition', 'a [b][c]\n\n[c]: https://evil.example/x\n', 'a [b][c]\n\n[c]: \n'],
  ['takes a definition without scheme', '[c]: //evil.example/x "t"', '[c]:  "t"'],
  [
    'takes the address of HTML',
    '<img src="https://evil.example/x"> <img src=//evil.example/x>',
    '<img src=""> <img src=>',
  ],
  ['takes an address of endless length', `a https://evil.example/${'x'.repeat(5_000)} b`, 'a  b'],
  [
    'takes a target of endless length',
    `[a](https://evil.example/${'x'.repeat(5_000)}) b`,
    '[a]) b',
  ],
  ['takes an address at the end', 'a https://evil.example', 'a '],
  ['takes a target that is not closed', 'a [b](https://evil.example', 'a [b]('],
  ['keeps a marker after an exclamation mark', 'Great![1] Good! [2]', 'Great![1] Good! [2]'],
  [
    'keeps words in brackets',
    'a [1](see the note) b[0](x y) [c]',
    'a [1](see the note) b[0](x y) [c]',
  ],
  [
    'keeps words that begin alike',
    'The http header, www and httpd; and/or // a comment',
    'The http header, www and httpd; and/or // a comment',
  ],
  ['keeps an exclamation mark at the end', 'Really!', 'Really!'],
];

describe('the addresses of an answer', () => {
  it.each(cases)('%s', (_, written, read) => {
    expect(filtered([written])).toBe(read);
  });

  it.each(cases)('%s, whatever the pieces it comes in', (_, written, read) => {
    expect(filtered([...written])).toBe(read);
    for (let cut = 1; cut < Math.min(written.length, 200); cut += 1) {
      expect(filtered([written.slice(0, cut), written.slice(cut)])).toBe(read);
    }
  });

  it('hold nothing back but themselves', () => {
    const filter = createLinkFilter(grounds);
    expect(filter.push('Hello, [the terms')).toBe('Hello, [the terms');
    expect(filter.push('](https://exa')).toBe('');
    expect(filter.push('mple.com/terms_(2024)) are')).toBe(
      '](https://example.com/terms_(2024)) are',
    );
  });

  it('take time in proportion to the text, however hostile', () => {
    const parts = ['](', '![', 'http://', '[a](', '(', '//a.b', 'a@', 'a.'];
    const startedAt = performance.now();
    for (const part of parts) {
      const text = part.repeat(20_000 / part.length);
      createLinkFilter([text]);
      filtered([text]);
      filtered(text.match(/.{1,7}/gs) ?? []);
    }
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('the filter of an answer', () => {
  const source = { documentName: 'a.md', context: '', content: 'Open https://docs.example.com.' };
  const read = (pieces: readonly string[]) => {
    const filter = createAnswerFilter({ sources: [source], question: 'And https://my.example/x?' });
    return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
  };

  it('lets through addresses of sources and question and markers in range', () => {
    const written =
      'Open https://docs.example.com, https://my.example/x [1], https://evil.example [2].';
    expect(read([written])).toBe('Open https://docs.example.com, https://my.example/x [1],.');
  });

  it('reads a link with a number as a marker', () => {
    expect(read(['Two years [1](https://evil.example) [2](https://evil.example).'])).toBe(
      'Two years [1].',
    );
  });

  it('joins pairs of surrogates that come in two pieces, and replaces lone ones and NUL', () => {
    const [high = '', low = ''] = '😀'.split('');
    expect(read(['a', high, `${low}b`])).toBe('a😀b');
    expect(read([`a${high}`, 'b\u0000', high])).toBe('a\ufffdb\ufffd');
  });
});
