import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow } from '../../src/text/csv-row.ts';

const cellOf = (text: string) => csvRow([text]).slice(1, -3).replaceAll('""', '"');

/** White space, line breaks, and characters without a glyph. */
const invisible = [
  ...' \t\r\n\v\f\u00a0\u2003\u3000\u2028\u0085\u0000\u001b\u200b\u200c\u200d\ufeff\u00ad\u2060\u200e\u202e\u2066',
  ...'\u061c\u180e\u115f\u3164\uffa0\u034f\ufe0f\u2800\u{e0020}\u{e0100}\ufff9',
];
const signs = [...'=+-@＝＋－＠﹦﹢﹣﹫'];

test('a formula after any white space or invisible characters gets an apostrophe', () => {
  const run = fc.array(fc.constantFrom(...invisible), { maxLength: 60 }).map((all) => all.join(''));
  fc.assert(
    fc.property(run, fc.constantFrom(...signs), (before, sign) => {
      expect(cellOf(`${before}${sign}1`)).toMatch(/^'/);
    }),
    { numRuns: 2_000, seed: 1 },
  );
  for (const one of invisible) expect(cellOf(`${one.repeat(1_000)}=1`)).toMatch(/^'/);
});

test('no part of a cell at a semicolon, a tab or a line is a formula', () => {
  const unit = fc.constantFrom(...invisible, ...signs, ';', 'a', '"', ',');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
      const cell = cellOf(text);
      for (const separator of [';', '\t', /[\r\n]+/, /[;\t\r\n]+/]) {
        for (const part of cell.split(separator)) expect(firstVisible(part)).not.toMatch(/[=+\-@]/);
      }
    }),
    { numRuns: 5_000, seed: 1 },
  );
});

/** Returns the first character that is not invisible, in its usual form. */
function firstVisible(text: string): string {
  return ([...text].find((one) => !invisible.includes(one)) ?? '').normalize('NFKC');
}

test.each(['', 'a = b; c - d', '1=1', 'a@example.com', '„=1“', "'=1", ' indented', 'a;\n\nb'])(
  '%j stays as it is',
  (text) => {
    expect(cellOf(text)).toBe(text);
  },
);

test('quotes, commas and line breaks are part of their cell', () => {
  expect(csvRow(['a,"b"', 'c\nd', ''])).toBe('"a,""b""","c\nd",""\r\n');
});
