import { describe, expect, test } from 'vitest';
import {
  formatAmount,
  formatAmountNumber,
  formatPrice,
} from '../../src/dashboard/format/format-amount.ts';
import { readPriceFile, withLine } from '../../src/dashboard/usage/prices/price-file.ts';

const header = 'model,kind,perMillion,currency,validFrom';

describe('a file of prices', () => {
  test('has its columns in any order, and a day for each price or none', () => {
    const text =
      '\ufeffsep=;\r\nCurrency;Model;Kind;permillion;validFrom;;\r\nusd;"a;b";input;0.25;2026-01-31;;\r\n\r\nEUR;c;RERANK;2;2026-02-01T10:00:00Z\r\nEUR;c;OUTPUT;3;\r\n';
    expect(readPriceFile(text)).toEqual({
      problems: [],
      lines: [3, 5, 6],
      prices: [
        ...[
          {
            model: 'a;b',
            kind: 'INPUT',
            perMillion: 0.25,
            currency: 'USD',
            validFrom: '2026-01-31T00:00:00Z',
          },
          {
            model: 'c',
            kind: 'RERANK',
            perMillion: 2,
            currency: 'EUR',
            validFrom: '2026-02-01T00:00:00Z',
          },
          { model: 'c', kind: 'OUTPUT', perMillion: 3, currency: 'EUR', validFrom: null },
        ],
      ],
    });
  });

  test.each([
    ['', 'The file has no prices'],
    [header, 'The file has no prices'],
    [
      'model,price\na,1',
      'Line 1: the columns must be model, kind, perMillion, currency, validFrom',
    ],
    ['model,model,kind', 'Line 1: the column model occurs twice'],
    ['model,kind,currency\na,INPUT,EUR', 'Line 1: the column perMillion is missing'],
    [`${header}\n\na,IN,1,EUR`, 'Line 3: kind must be one of INPUT, OUTPUT, EMBEDDING, RERANK'],
    [
      `${header}\na,INPUT,-1,EUR`,
      'Line 2: perMillion must be a number, with a point before the decimals',
    ],
    [
      `${header}\na,INPUT,"0,5",EUR`,
      'Line 2: perMillion must be a number, with a point before the decimals',
    ],
    [`${header}\na,INPUT,1,EUR,2026-02-30`, 'Line 2: validFrom must be a day, such as 2026-01-31'],
    [`${header}\na,INPUT,1,EUR,,x`, 'Line 2: has 6 values for 5 columns'],
    [`${header}\n"a,INPUT,1,EUR`, 'Line 2: a quotation mark is not closed'],
    [`${header}\n${'a,INPUT,1,EUR\n'.repeat(501)}`, 'Import at most 500 prices at once'],
  ])('%j is refused', (text, problem) => {
    expect(readPriceFile(text).problems).toEqual([problem]);
  });

  test('has at most 50 problems with their lines, and names the line of what the service refuses', () => {
    const { problems } = readPriceFile(`${header}\n${'a,IN,1,EUR\n'.repeat(60)}`);
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)).toBe('10 more wrong lines');
    expect(withLine('prices.1.model must not be blank', [2, 4])).toBe(
      'Line 4: model must not be blank',
    );
    expect(withLine('All prices must have the same currency', [2, 4])).toBe(
      'All prices must have the same currency',
    );
  });
});

const noBreak = (text: string) => text.replace(/\u00a0/g, ' ');

test.each([
  ['12.345000', 'USD 12.35'],
  ['1234.500000', 'USD 1,234.50'],
  ['0.000000', 'USD 0.00'],
  ['0.500000', 'USD 0.50'],
  ['0.123456', 'USD 0.1235'],
  ['0.003125', 'USD 0.003125'],
  ['0.000001', 'USD 0.000001'],
])('the amount %s is shown as %s', (amount, text) => {
  expect(noBreak(formatAmount({ amount, currency: 'USD' }))).toBe(text);
});

test('a price is shown with all of its decimals, and a value of a chart without its currency', () => {
  expect(noBreak(formatPrice(2.123456, 'EUR'))).toBe('EUR 2.123456');
  expect([0, 0.0025, 12.345, 12_345].map(formatAmountNumber)).toEqual([
    '0',
    '0.0025',
    '12.35',
    '12.3K',
  ]);
});
