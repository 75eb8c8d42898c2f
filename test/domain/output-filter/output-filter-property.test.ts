import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateContents } from '../../../src/domain/handoff/truncate-contents.ts';
import { filterPart } from '../../../src/domain/output-filter/filter-part.ts';
import { createOutputFilter } from '../../../src/domain/output-filter/output-filter.ts';
import { withoutMarkers } from '../../../src/domain/output-filter/without-markers.ts';
import { findFlaws, hostileTexts, markedTexts } from '../../support/evaluation/answer-flaws.ts';

const rounds = Number(process.env.FILTER_ROUNDS ?? 2_000);
const seed = Number(process.env.FILTER_SEED ?? 1);

const knownAddresses = ['https://docs.example.com/returns', 'https://docs.example.com'];
const content = `See ${knownAddresses.join(' or ')}.`;

const flawsOf = (text: string) => findFlaws(text, knownAddresses);

const sources = [{ documentName: 'a.md', context: '', content }];

function filtered(pieces: readonly string[]): string {
  const filter = createOutputFilter({
    sources,
    question: 'How?',
    confidential: [],
    fallbackText: '-',
  });
  return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
}

const elements = ['img', 'script', 'svg', 'a', 'iframe', 'b', 'pre', 'textarea', 'math', 'x-y'];
const attributes = ['src=x onerror=go()', 'href="', 'onload=go()', "title='", 'style=x', '/'];
const hosts = ['evil.example/x', 'docs.example.com@evil.example', 'docs.example.com.evil.example'];
const slashes = ['//', '\\\\', '/\\', '\\/\\/', '/', '&sol;&#x2f;', '/[99]/', '/<!-- -->/'];
const colons = [':', '\\:', '&colon;', '&#58;', '&#x3a', '[1]:', ':\u200b', ':\n'];
const schemes = ['https', 'HTTP', 'javascript', 'h&#116;tps', 'ht<b>tps', 'data', 'ftp', ''];
const structure = [
  '`',
  '``',
  '```',
  '\n```\n',
  '\n~~~\n',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '\n- ',
  '\n> ',
];
const brackets = ['[x](', '![x](', ')', '[x]', '\n\n[x]: ', '[1]', '[99]', '[^1]', '\n\n[^1]: '];
const tagParts = [
  '<',
  '</',
  '<!',
  '<!--',
  '-->',
  '--!>',
  '<?',
  '<![CDATA[',
  ']]>',
  '>',
  '\\<',
  '/>',
];
const entities = ['&lt;', '&#60', '&LT;', '&amp;lt;', '&gt;', '&#0;', '\u0000', '\u202e', '\r'];

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...tagParts) },
  { weight: 4, arbitrary: fc.constantFrom(...elements, ...attributes) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...schemes), fc.constantFrom(...colons), fc.constantFrom(...slashes))
      .chain((start) => fc.constantFrom(...hosts).map((host) => start.join('') + host)),
  },
  { weight: 2, arbitrary: fc.constantFrom(...structure) },
  { weight: 2, arbitrary: fc.constantFrom(...brackets, ...entities) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...knownAddresses, 'www.evil.example', ' ', '|', '*', '"', '。'),
  },
);

/** A tag whose name contains another piece of markup. */
const splitTag = fc
  .tuple(fc.constantFrom(...elements), fc.nat(4), fc.array(piece, { maxLength: 3 }))
  .map(([name, cut, inside]) => `<${name.slice(0, cut)}${inside.join('')}${name.slice(cut)}`);

const answer = fc.array(
  fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: splitTag }),
  {
    minLength: 1,
    maxLength: 14,
  },
);

const streamedAnswer = fc
  .tuple(answer, fc.integer({ min: 1, max: 9 }))
  .map(([parts, length]) => parts.join('').match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []);

describe('an answer', () => {
  it.each(hostileTexts)('never becomes markup: %s', (written) => {
    expect(flawsOf(filtered([written]))).toEqual([]);
    expect(flawsOf(filtered([...written]))).toEqual([]);
  });

  it('never becomes markup or an address that no source contains, whatever the model writes', () => {
    fc.assert(
      fc.property(streamedAnswer, (pieces) => {
        expect(flawsOf(filtered(pieces))).toEqual([]);
      }),
      { numRuns: rounds, seed },
    );
  }, 600_000);

  it('keeps the addresses of a source in a code block, cited or not', () => {
    const code = '```sh\ncurl https://docs.example.com/returns -o "<b>.html"\n```\n\nDone.';
    expect(filtered([code])).toBe(code);
    expect(filtered([...code])).toBe(code);
  });
});

describe('an answer without its markers', () => {
  it.each(markedTexts)('is no markup: %s', (written) => {
    const answer = filtered([written]);
    expect(flawsOf(withoutMarkers(answer, { citations: 1, sources }))).toEqual([]);
  });

  it.each([
    ['Until 11:00 [1].', 'Until 11:00.'],
    ['Until 11:00 [1][2]. Late: 20 euros [2]', 'Until 11:00. Late: 20 euros'],
    ['Room [4] is free [1]\n\nSo is [5].', 'Room [4] is free\n\nSo is [5].'],
    ['到十一点[1]。', '到十一点。'],
    ['See https://docs.example.com/returns [1].', 'See https://docs.example.com/returns.'],
    ['One[1]two', 'One two'],
  ])('is the text of %j', (answer, text) => {
    expect(withoutMarkers(answer, { citations: 2, sources })).toBe(text);
  });

  it('never becomes markup, an address or a marker, whatever the model writes', () => {
    const marked = fc
      .tuple(answer, fc.array(fc.nat(40), { maxLength: 6 }))
      .map(([parts, places]) => {
        const text = parts.join('');
        return places.reduce((all, at) => `${all.slice(0, at)}[1]${all.slice(at)}`, text);
      });
    fc.assert(
      fc.property(marked, (written) => {
        const text = withoutMarkers(filtered([written]), { citations: 1, sources });
        expect(flawsOf(text)).toEqual([]);
        expect(text).not.toContain('[1]');
      }),
      { numRuns: rounds, seed },
    );
  }, 600_000);
});

describe('a part of an answer', () => {
  const truncated = (content: string, bytes: number) =>
    truncateContents([{ role: 'ASSISTANT', content }], bytes).join('');

  it.each([
    ['`<img src=x onerror=go()>` is a tag', '`<img src=x onerror=go()>'],
    ['See https://docs.example.com/returns.', 'See https://docs.example.co'],
  ])('is no markup and no other address: %j', (content, unfiltered) => {
    expect(flawsOf(unfiltered)).not.toEqual([]);
    for (let bytes = 6; bytes < content.length + 10; bytes += 1) {
      expect(flawsOf(truncated(content, bytes))).toEqual([]);
    }
  });

  it('has no markup or other address and fits, whatever the model writes', () => {
    const part = fc.tuple(streamedAnswer, fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(part, ([pieces, share]) => {
        const content = filtered(pieces);
        const bytes = 5 + Math.floor(share * Buffer.byteLength(JSON.stringify(content)));
        const text = truncated(content, bytes);
        expect(flawsOf(text)).toEqual([]);
        expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThanOrEqual(bytes);
      }),
      { numRuns: rounds, seed },
    );
  }, 600_000);

  it('on one line is no link', () => {
    const content = '[x](\n\n*)';
    expect(flawsOf(content)).toEqual([]);
    expect(flawsOf(filterPart(content.replace(/\s+/g, ' '), [content]))).toEqual([]);
  });

  it('on one line has no markup or other address, whatever the model writes', () => {
    const part = fc.tuple(streamedAnswer, fc.nat(80));
    fc.assert(
      fc.property(part, ([pieces, length]) => {
        const content = filtered(pieces);
        const line = content.replace(/\s+/g, ' ').slice(0, length);
        expect(flawsOf(filterPart(line, [content]))).toEqual([]);
      }),
      { numRuns: rounds, seed },
    );
  }, 600_000);
});
