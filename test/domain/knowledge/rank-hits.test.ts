import { describe, expect, test } from 'vitest';
import type { Hit } from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { rankHits } from '../../../src/domain/knowledge/retrieval/rank-hits.ts';
import { removeNearDuplicates } from '../../../src/domain/knowledge/retrieval/remove-near-duplicates.ts';
import {
  extractPeriods,
  parseSeries,
  periodSortKey,
  periodsOverlap,
} from '../../../src/text/periods.ts';

const signal = new AbortController().signal;

function hit(documentName: string, score: number, content = documentName): Hit {
  const offsets = {
    page: null,
    sourceUrl: null,
    metadata: {},
    startOffset: 0,
    endOffset: content.length,
  };
  const scores = { score, similarity: score, lexical: score };
  const ids = { chunkId: `${documentName} ${content}`, documentId: documentName };
  return { ...ids, documentName, content, context: '', ...offsets, ...scores };
}

async function rank(query: string, hits: readonly Hit[], limit = 6): Promise<string[]> {
  const without = { queryVector: null, vocabularyCoverage: 1, model: null, reranker: null };
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
    expect(extractPeriods(text)).toEqual([period]);
  });

  test.each(['room 1204', '120230', 'v2.4.1', ''])('none in %s', (text) => {
    expect(extractPeriods(text)).toEqual([]);
  });

  test('a name consists of a series and its period', () => {
    expect(parseSeries('2023 Q1 ACME.pdf')).toEqual({
      series: 'acme',
      period: { year: 2023, quarter: 1 },
    });
    expect(parseSeries('Price_list_2024.csv').series).toBe(
      parseSeries('Price list (2023).pdf').series,
    );
    expect(parseSeries('History 1868-1937.md').period).toBeNull();
    expect(parseSeries('House rules.md')).toEqual({ series: 'house rules', period: null });
  });

  test('a month is within its quarter and its year, and a year sorts after its quarters', () => {
    const [may, second, year, third] = ['2023-05', 'Q2 2023', '2023', 'Q3 2023'].map(
      (text) => extractPeriods(text)[0] ?? { year: 0 },
    );
    if (!may || !second || !year || !third) throw new Error('not read');
    expect([
      periodsOverlap(may, second),
      periodsOverlap(second, year),
      periodsOverlap(may, third),
    ]).toEqual([true, true, false]);
    expect(periodSortKey(second)).toBeGreaterThan(periodSortKey(may));
    expect(periodSortKey(year)).toBeGreaterThan(periodSortKey(third));
  });
});

describe('ranking', () => {
  const series = [
    hit('2022 Q3 ACME.pdf', 0.5, 'The margin was small.'),
    hit('2023 Q1 ACME.pdf', 0.49, 'The margin was larger.'),
    hit('2023 Q2 ACME.pdf', 0.48, 'The margin was largest.'),
    hit('House rules.md', 0.45, 'Margins are kept.'),
  ];

  test('the requested period ranks before others of its series', async () => {
    const [first] = await rank('What was the margin in the first quarter of 2023?', series);
    expect(first).toBe('2023 Q1 ACME.pdf');
  });

  test('the end of a quarter says nothing about the number of the fiscal quarter', async () => {
    const names = series.map(({ documentName }) => documentName);
    expect(await rank('What was the margin in the quarter ended June 25, 2023?', series)).toEqual(
      names,
    );
  });

  test('the newest ranks first if the latest is requested', async () => {
    expect(await rank('What was the margin in the latest report?', series)).toEqual([
      '2023 Q2 ACME.pdf',
      'House rules.md',
      '2022 Q3 ACME.pdf',
      '2023 Q1 ACME.pdf',
    ]);
  });

  test('nothing is demoted without a period, or for a period without documents', async () => {
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

  test('a passage with the kind of fact asked for ranks before a slightly better match', async () => {
    const hits = [
      hit('Saunas.md', 0.52, 'The sauna is cleaned by the attendants. Bathers bring two towels.'),
      hit('Hours.md', 0.5, 'The sauna is open from 9 to 21.'),
      hit('Piano.md', 0.2, 'The piano may be played until half past eight.'),
    ];
    const without = { queryVector: null, vocabularyCoverage: 1, model: null, reranker: null };
    const query = 'When is the sauna open?';
    const ranked = await rankHits({ query, ...without, hits, limit: 6 }, signal);
    expect(ranked.hits.map(({ documentName, score }) => [documentName, score])).toEqual([
      ['Hours.md', 0.52],
      ['Saunas.md', 0.5],
      ['Piano.md', 0.2],
    ]);
    expect(await rank('Who cleans the sauna?', hits)).toEqual([
      'Saunas.md',
      'Hours.md',
      'Piano.md',
    ]);
  });

  test('a document uploaded twice takes one rank, and scores stay in order', async () => {
    const text = 'The house is quiet from ten in the evening to seven in the morning.';
    const hits = [
      hit('Rules.md', 0.9, text),
      hit('Rules (copy).md', 0.89, text.replace('The house', 'the  HOUSE')),
      hit('Rules, long.md', 0.88, `${text} Dogs are welcome on the ground floor.`),
      hit('Piano.md', 0.5, 'The piano may be played until half past eight.'),
    ];
    expect(await rank('When is it quiet?', hits)).toEqual(['Rules, long.md', 'Piano.md']);
  });

  test('the longer of two near-duplicates takes the scores and the rank of the better one', async () => {
    const hits = [
      hit('Short.md', 0.9, quiet),
      hit('Piano.md', 0.7, 'The piano may be played until half past eight.'),
      hit('Long.md', 0.6, `${quiet} Dogs are welcome on the ground floor.`),
    ];
    const without = { queryVector: null, vocabularyCoverage: 1, model: null, reranker: null };
    const ranked = await rankHits({ query: 'quiet', ...without, hits, limit: 6 }, signal);
    expect(ranked.hits.map(({ documentName, score }) => [documentName, score])).toEqual([
      ['Long.md', 0.9],
      ['Piano.md', 0.7],
    ]);
  });

  test('a passage of the requested period is not replaced by a longer one of another period', async () => {
    const hits = [
      hit('2023 Q1 Rules.md', 0.9, quiet),
      hit('2023 Q2 Rules.md', 0.8, `${quiet} Dogs are welcome on the ground floor.`),
    ];
    expect(await rank('When is it quiet in Q1 2023?', hits)).toEqual([
      '2023 Q1 Rules.md',
      '2023 Q2 Rules.md',
    ]);
  });
});

const quiet = 'The house is quiet from ten in the evening to seven in the morning.';

test('of two near-duplicates the longer one stays, at the better rank', () => {
  const passages = [
    quiet,
    'The piano may be played until half past eight.',
    `${quiet} A guest who is late rings the bell at the side door.`,
    `${quiet} A guest who is late rings the bell.`,
  ].map((content) => ({ content }));
  expect(removeNearDuplicates(passages, 5)).toEqual([passages[2], passages[1]]);
  expect(removeNearDuplicates(passages, 1)).toEqual([passages[2]]);
});

test.each([
  ['amount', '1.5 g', '15 g'],
  ['sign', '-5 °C', '5 °C'],
  ['unit', '5 %', '5 €'],
  ['date', '7 March', '7 April'],
  ['code', 'E42', 'F42'],
  ['part number', 'XK-200', 'XL-200'],
  ['version', '2.4.1', '4.2.1'],
  ['time', '10:30', '1:030'],
])('passages that differ in one %s are not near-duplicates', (_, one, other) => {
  const rest = Array.from(
    { length: 60 },
    (_, index) =>
      `word${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))}`,
  ).join(' ');
  const passages = [one, other].map((value) => ({
    content: `The value here is ${value} for 1 year in 2 parts at 4 desks. ${rest}`,
  }));
  expect(removeNearDuplicates(passages, 5)).toEqual(passages);
  const [short, long] = passages.map(({ content }) => ({ content }));
  if (!short || !long) throw new Error('no passages');
  const longer = { content: `${long.content} And dogs are welcome.` };
  expect(removeNearDuplicates([short, longer], 5)).toEqual([short, longer]);
  expect(removeNearDuplicates([longer, short], 5)).toEqual([longer, short]);
});

test('a passage with a number of its own is not a near-duplicate', () => {
  const text = (price: string) => ({
    content: `A guest who leaves the room later than arranged at the desk pays a fee of ${price} euros for it.`,
  });
  const passages = [text('25'), text('25'), text('30')];
  expect(removeNearDuplicates(passages, 5)).toEqual([text('25'), text('30')]);
});

test('short passages and passages without words are compared as well', () => {
  const passages = ['Yes', 'yes', 'No', '…', '!'].map((content) => ({ content }));
  expect(removeNearDuplicates(passages, 5).map(({ content }) => content)).toEqual([
    'Yes',
    'No',
    '…',
    '!',
  ]);
});
