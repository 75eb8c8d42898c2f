import { describe, expect, test } from 'vitest';
import { withoutRepeats } from '../../src/domain/knowledge/drop-repeats.ts';
import type { Hit } from '../../src/domain/knowledge/hybrid-search.ts';
import { endOf, isWithin, periodsIn, seriesOf } from '../../src/domain/knowledge/periods.ts';
import { rankHits } from '../../src/domain/knowledge/rank-hits.ts';

const signal = new AbortController().signal;

function hit(documentName: string, score: number, content = documentName): Hit {
  const offsets = { page: null, startOffset: 0, endOffset: content.length };
  const scores = { score, similarity: score, lexical: score };
  const ids = { chunkId: `${documentName} ${content}`, documentId: documentName };
  return { ...ids, documentName, content, context: '', ...offsets, ...scores };
}

async function rank(query: string, hits: readonly Hit[], limit = 6): Promise<string[]> {
  const without = { queryVector: null, familiarity: 1, model: null, reranker: null };
  const ranked = await rankHits({ query, ...without, hits, limit }, signal);
  return ranked.hits.map(({ documentName }) => documentName);
}

describe('periods', () => {
  test.each([
    ['Q1 2023', { year: 2023, quarter: 1 }],
    ['2023 Q3 report', { year: 2023, quarter: 3 }],
    ['2023-Q3', { year: 2023, quarter: 3 }],
    ['the second quarter of 2022', { year: 2022, quarter: 2 }],
    ['minutes 2024-03-07', { year: 2024, month: 3, day: 7 }],
    ['minutes_2024-03', { year: 2024, month: 3 }],
    ['7.3.2024', { year: 2024, month: 3, day: 7 }],
    ['May 31, 2023', { year: 2023, month: 5, day: 31 }],
    ['Preisliste März 2024', { year: 2024, month: 3 }],
    ['informe de marzo de 2024', { year: 2024, month: 3 }],
    ['отчёт за март 2024', { year: 2024, month: 3 }],
    ['7 марта 2024', { year: 2024, month: 3, day: 7 }],
    ['FY2023', { year: 2023 }],
    ['in fiscal 2023', { year: 2023 }],
  ])('%s', (text, period) => {
    expect(periodsIn(text)).toEqual([period]);
  });

  test.each(['room 1204', '120230', 'v2.4.1', ''])('none in %s', (text) => {
    expect(periodsIn(text)).toEqual([]);
  });

  test('a name is a series and its period', () => {
    expect(seriesOf('2023 Q1 ACME.pdf')).toEqual({
      series: 'acme',
      period: { year: 2023, quarter: 1 },
    });
    expect(seriesOf('Price_list_2024.csv').series).toBe(seriesOf('Price list (2023).pdf').series);
    expect(seriesOf('History 1868-1937.md').period).toBeNull();
    expect(seriesOf('House rules.md')).toEqual({ series: 'house rules', period: null });
  });

  test('a month lies in its quarter and its year, and years end last', () => {
    const [may, second, year, third] = ['2023-05', 'Q2 2023', '2023', 'Q3 2023'].map(
      (text) => periodsIn(text)[0] ?? { year: 0 },
    );
    if (!may || !second || !year || !third) throw new Error('not read');
    expect([isWithin(may, second), isWithin(second, year), isWithin(may, third)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(endOf(second)).toBeGreaterThan(endOf(may));
    expect(endOf(year)).toBeGreaterThan(endOf(third));
  });
});

describe('ranking', () => {
  const series = [
    hit('2022 Q3 ACME.pdf', 0.5, 'The margin was small.'),
    hit('2023 Q1 ACME.pdf', 0.49, 'The margin was larger.'),
    hit('2023 Q2 ACME.pdf', 0.48, 'The margin was largest.'),
    hit('House rules.md', 0.45, 'Margins are kept.'),
  ];

  test('the period asked for comes before others of its series', async () => {
    const [first] = await rank('What was the margin in the first quarter of 2023?', series);
    expect(first).toBe('2023 Q1 ACME.pdf');
  });

  test('the newest comes first where the latest is asked for', async () => {
    expect(await rank('What was the margin in the latest report?', series)).toEqual([
      '2023 Q2 ACME.pdf',
      'House rules.md',
      '2022 Q3 ACME.pdf',
      '2023 Q1 ACME.pdf',
    ]);
  });

  test('nothing falls behind without a period, or for one that no document is of', async () => {
    const names = series.map(({ documentName }) => documentName);
    expect(await rank('What was the margin?', series)).toEqual(names);
    expect(await rank('What was the margin in 2019?', series)).toEqual(names);
  });

  test('documents of different series do not compete', async () => {
    const hits = [hit('Menu 2021.md', 0.5), hit('Prices 2023.md', 0.45)];
    expect(await rank('What does the menu of 2023 cost?', hits)).toEqual([
      'Menu 2021.md',
      'Prices 2023.md',
    ]);
  });

  test('what was uploaded twice takes one place, and scores stay in order', async () => {
    const text = 'The house is quiet from ten in the evening to seven in the morning.';
    const hits = [
      hit('Rules.md', 0.9, text),
      hit('Rules (copy).md', 0.89, text.replace('The house', 'the  HOUSE')),
      hit('Rules, long.md', 0.88, `${text} Dogs are welcome on the ground floor.`),
      hit('Piano.md', 0.5, 'The piano may be played until half past eight.'),
    ];
    expect(await rank('When is it quiet?', hits)).toEqual(['Rules.md', 'Piano.md']);
  });
});

test('a passage with a number of its own is no repeat', () => {
  const text = (price: string) => ({
    content: `A guest who leaves the room later than arranged at the desk pays a fee of ${price} euros for it.`,
  });
  const passages = [text('25'), text('25'), text('30')];
  expect(withoutRepeats(passages, 5)).toEqual([text('25'), text('30')]);
});

test('short passages and passages without words are compared as well', () => {
  const passages = ['Yes', 'yes', 'No', '…', '!'].map((content) => ({ content }));
  expect(withoutRepeats(passages, 5).map(({ content }) => content)).toEqual([
    'Yes',
    'No',
    '…',
    '!',
  ]);
});
