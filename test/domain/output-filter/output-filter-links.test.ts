import { describe, expect, it } from 'vitest';
import type { AnswerSegment } from '../../../src/domain/output-filter/answer-segment.ts';
import { createLinkFilter } from '../../../src/domain/output-filter/link-filter.ts';
import { createOutputFilter } from '../../../src/domain/output-filter/output-filter.ts';
import { indexUrls } from '../../../src/domain/output-filter/urls.ts';
import { confidentialTexts } from '../../../src/models/prompt/prompt.ts';

const sources = [
  'See https://docs.example.com/returns. Shop: www.shop.example/Sale?id=1 or help.example.org/faq',
  'Read [the terms](https://example.com/terms_(2024)) and [settings](/settings). Mail a@example.com',
  String.raw`[a](javascript:alert\`1\`) [b](data:text/html,x) [c](java&#115;cript:x) [d](/\other/x)`,
];

/** Returns the filtered text of an answer that may cite every source. */
function filtered(pieces: readonly string[]): string {
  const filter = createLinkFilter(indexUrls(sources));
  return textOf([...pieces.flatMap((piece) => filter.push(piece)), ...filter.flush()]);
}

function textOf(pieces: readonly AnswerSegment[]): string {
  return pieces.map(({ text }) => text).join('');
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
  ['takes a definition', 'a [b][c]\n\n[c]: https://evil.example/x\n', 'a [b][c]\n\n[c] : \n'],
  ['takes a definition without scheme', '[c]: //evil.example/x "t"', '[c] :  "t"'],
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
  ['takes what follows any other scheme', 'Get ftp://evil.example/x now', 'Get ftp now'],
  [
    'keeps one they hold by another scheme',
    'ftp://help.example.org/faq',
    'ftp://help.example.org/faq',
  ],
  ['takes it behind letters that hide the scheme', 'xhttps://evil.example/q', 'xhttps'],
  ['takes it behind an invisible sign', 'ht\u200btps://evil.example/q b', 'ht\u200btps b'],
  ['takes it with an invisible sign', 'https:\u200b//evil.example/q b', 'https:\u200b b'],
  ['takes an invisible sign in it', 'https://docs.example\u200d.com/returns b', ' b'],
  ['takes what is put before the host', 'https://secret@docs.example.com/returns b', ' b'],
  ['takes a fragment added to it', 'https://docs.example.com/returns#secret b', ' b'],
  ['takes a mail address with a text', 'mailto:a@example.com?body=secret b', ' b'],
  ['keeps the word mailto:', 'The mailto: scheme', 'The mailto: scheme'],
  ['takes a script they hold', '[a](javascript:alert`1`)', '[a]'],
  ['takes data they hold', '[a](data:text/html,x)', '[a]'],
  ['takes a scheme in entities they hold', '[a](java&#115;cript:x)', '[a]'],
  ['takes backslashes they hold', String.raw`[a](/\other/x)`, '[a]'],
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

describe('the URLs of an answer', () => {
  it.each(cases)('%s', (_, written, read) => {
    expect(filtered([written])).toBe(read);
  });

  it.each(cases)('%s, regardless of the stream parts', (_, written, read) => {
    expect(filtered([...written])).toBe(read);
    for (let cut = 1; cut < Math.min(written.length, 200); cut += 1) {
      expect(filtered([written.slice(0, cut), written.slice(cut)])).toBe(read);
    }
  });

  it('delay nothing but themselves', () => {
    const filter = createLinkFilter(indexUrls(sources));
    expect(textOf(filter.push('Hello, [the terms'))).toBe('Hello, [the terms');
    expect(filter.push('](https://exa')).toEqual([]);
    expect(textOf(filter.push('mple.com/terms_(2024)) are'))).toBe(
      '](https://example.com/terms_(2024)) are',
    );
  });

  it('take linear time on hostile text', () => {
    const parts = ['](', '![', 'http://', '[a](', '(', '//a.b', 'a@', 'a.'];
    // If the time grew quadratically, this would exceed the time limit of the test.
    for (const part of parts) {
      const text = part.repeat(80_000 / part.length);
      createLinkFilter(indexUrls([text]));
      filtered([text]);
      filtered(text.match(/.{1,7}/gs) ?? []);
    }
  });
});

describe('the output filter', () => {
  const source = (content: string) => ({ documentName: 'a.md', context: '', content });
  const read = (pieces: readonly string[], question = 'How?') => {
    const filter = createOutputFilter({
      sources: [
        source('Open https://docs.example.com.'),
        source('Or https://b.example/form?id=7.'),
      ],
      question,
      confidential: [],
      fallbackText: 'I do not know.',
    });
    return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
  };
  const [a, b] = ['https://docs.example.com', 'https://b.example/form?id=7'];

  it.each([
    ['a source cited behind it', `Open ${a} [1].`, `Open ${a} [1].`],
    ['one cited behind the full stop', `Open ${a}. [1] So.`, `Open ${a}. [1] So.`],
    ['one cited before it', `By [1], open ${a} now.`, `By [1], open ${a} now.`],
    ['one cited in a later sentence', `Open ${a}. Then wait [1].`, `Open ${a}. Then wait [1].`],
    ['one cited at the end of a list', `- Open ${a}\n- Wait [1]`, `- Open ${a}\n- Wait [1]`],
    ['one of several cited', `Open ${a} or ${b} [2][1].`, `Open ${a} or ${b} [1][2].`],
    [
      'one in a list of sources',
      `So [1][2].\n\n[1] ${a}\n[2] ${b}`,
      `So [1][2].\n\n[1] ${a}\n[2] ${b}`,
    ],
    ['one cited in another style', `[here](${a})【1†a.md】.`, `[here](${a})[1].`],
    ['one cited by the text of the link', `Open it [1](${a}).`, `Open it [1](${a}).`],
    ['another source', `Open ${b} [1].`, 'Open  [1].'],
    ['another one, cited before', `By [1], open ${b}. So.`, 'By [1], open . So.'],
    [
      'one cited in the sentence before',
      `Wait [2]. Open ${b}. Go [1].`,
      'Wait [1]. Open . Go [2].',
    ],
    ['one cited after the next citation', `Open ${b} [1]. Wait [2].`, 'Open  [1]. Wait [2].'],
    ['one cited in the line before', `- Wait [2]\n- Open ${b}`, '- Wait [1]\n- Open '],
    ['one cited in another paragraph', `Open ${b}\n\nWait [2].`, 'Open \n\nWait [1].'],
    ['none', `Open [this](${a}) or ${b}, or wait.`, 'Open [this] or , or wait.'],
    ['one cited in code', `Open ${a} \`x[1]\`.`, 'Open  `x[1]`.'],
    ['one cited out of range', `Open ${a} [7].`, 'Open .'],
    [
      'one cited too far behind',
      `Open ${a} ${'w '.repeat(400)}[1].`,
      `Open  ${'w '.repeat(400)}[1].`,
    ],
    ['one in Chinese', `等待[2]。打开 ${b} 吧。好[1]。`, '等待[1]。打开  吧。好[2]。'],
  ])('classifies a URL by %s', (_, written, shown) => {
    expect(read([written])).toBe(shown);
    expect(read([...written])).toBe(shown);
    for (let cut = 1; cut < Math.min(written.length, 200); cut += 1) {
      expect(read([written.slice(0, cut), written.slice(cut)])).toBe(shown);
    }
  });

  it('removes URLs that only the question contains', () => {
    expect(read(['It is https://my.example/x [1].'], 'And https://my.example/x?')).toBe(
      'It is  [1].',
    );
  });

  it('delays a link until its marker, and nothing else', () => {
    const filter = createOutputFilter({
      sources: [source(`Open ${a}.`)],
      question: 'How?',
      confidential: confidentialTexts(null),
      fallbackText: '-',
    });
    expect(filter.push('Wait, then press Ж ')).toBe('Wait, then press Ж');
    expect(filter.push(`${a} and Ж `)).toBe('');
    expect(filter.push('Ж [1],')).toBe(` ${a} and Ж Ж [1],`);
    expect(filter.push(` or ${a} Ж `)).toBe(` or ${a} Ж`);
  });

  it('treats a link with a number as a marker', () => {
    expect(read(['Two years [1](https://evil.example) [2](https://evil.example).'])).toBe(
      'Two years [1] [2].',
    );
  });

  it('removes invisible characters', () => {
    expect(read(['a\u202eb\u2066c\u001b[31md\u{e0041}\u{e0042}e\tf\ng'])).toBe('abc[31mde\tf\ng');
    expect(read(['می\u200cخواهم \u200fא'])).toBe('می\u200cخواهم \u200fא');
  });

  it('joins surrogate pairs split across parts, and replaces lone surrogates and NUL', () => {
    const [high = '', low = ''] = '😀'.split('');
    expect(read(['a', high, `${low}b`])).toBe('a😀b');
    expect(read([`a${high}`, 'b\u0000', high])).toBe('a\ufffdb\ufffd');
  });
});
