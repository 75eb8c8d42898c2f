import { describe, expect, test } from 'vitest';
import { type Chunk, chunkText } from '../../../src/extract/chunks/chunk-text.ts';
import type { Block } from '../../../src/extract/extracted-text.ts';
import { createTextBuilder } from '../../../src/extract/text-builder.ts';

type Part = readonly [
  kind: Block['kind'],
  text: string,
  at?: { level?: number; page?: number; isItemPart?: true },
];

function extracted(parts: readonly Part[]) {
  const builder = createTextBuilder(10_000_000);
  for (const [kind, text, at] of parts) builder.add(kind, text, at);
  return builder.build();
}

function chunksOf(...parts: Part[]): Chunk[] {
  return chunkText(extracted(parts));
}

const sentence = 'The quick brown fox jumps over the lazy dog while nobody is looking at it.';
const paragraph = `${sentence} `.repeat(6).trim();

test('a heading starts a chunk, and the following text has the path of its headings', () => {
  const chunks = chunksOf(
    ['heading', 'Handbook', { level: 1 }],
    ['heading', 'Leave', { level: 2 }],
    ['paragraph', 'Thirty days a year.'],
    ['heading', 'Pay', { level: 2 }],
    ['paragraph', 'On the last working day.'],
  );
  expect(chunks.map(({ content, context }) => [context, content])).toEqual([
    ['', 'Handbook\n\nLeave\n\nThirty days a year.'],
    ['Handbook', 'Pay\n\nOn the last working day.'],
  ]);
});

test('the second chunk of a section has the heading of that section in its path', () => {
  const chunks = chunksOf(
    ['heading', 'Leave', { level: 1 }],
    ['paragraph', paragraph],
    ['paragraph', paragraph],
    ['paragraph', paragraph],
  );
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks[0]).toMatchObject({ context: '' });
  expect(chunks[0]?.content.startsWith('Leave\n\nThe quick')).toBe(true);
  for (const chunk of chunks.slice(1)) expect(chunk.context).toBe('Leave');
});

test('short paragraphs and list items are merged, long ones stay separate', () => {
  expect(
    chunksOf(['paragraph', 'One.'], ['list-item', '- Two.'], ['paragraph', 'Three.']),
  ).toHaveLength(1);
  expect(chunksOf(['paragraph', paragraph], ['paragraph', paragraph])).toHaveLength(2);
});

test('a paragraph that is too long is split between sentences', () => {
  const chunks = chunksOf(['paragraph', `${sentence} `.repeat(100)]);
  expect(chunks.length).toBeGreaterThan(5);
  for (const { content } of chunks) {
    expect(content.startsWith('The quick')).toBe(true);
    expect(content.endsWith('at it.')).toBe(true);
  }
});

test('a row stays whole, even where a paragraph would be split', () => {
  const row = Array.from({ length: 40 }, (_, index) => `Column ${index}: a value.`).join('; ');
  const chunks = chunksOf(['table-row', row], ['table-row', row]);
  expect(chunks.map(({ content }) => content)).toEqual([row, row]);
});

test('rows are merged, and none is split', () => {
  const rows = Array.from(
    { length: 200 },
    (_, index) => `Name: person ${index}; City: town ${index}`,
  );
  const chunks = chunksOf(...rows.map((row): Part => ['table-row', row]));
  expect(chunks.length).toBeLessThan(rows.length / 3);
  expect(chunks.flatMap(({ content }) => content.split('\n'))).toEqual(rows);
});

test('a chunk has the page on which it starts; without pages it has none', () => {
  const [first, second] = chunksOf(
    ['paragraph', paragraph, { page: 3 }],
    ['paragraph', paragraph, { page: 4 }],
  );
  expect([first?.page, second?.page]).toEqual([3, 4]);
  expect(chunksOf(['paragraph', 'One.'])[0]?.page).toBeNull();
});

test('offsets count code points, also after characters outside the Basic Multilingual Plane', () => {
  const parts: Part[] = [
    ['paragraph', '𝒜𝓑 👩‍👩‍👧‍👦 and so on'],
    ['heading', '𠀋', { level: 1 }],
    ['paragraph', paragraph],
  ];
  const { text } = extracted(parts);
  for (const chunk of chunksOf(...parts)) {
    expect(text.slice(chunk.start, chunk.end)).toBe(chunk.content);
    expect([...text].slice(chunk.startOffset, chunk.endOffset).join('')).toBe(chunk.content);
  }
});

test.each([
  ['Chinese without stops', '东京都港区赤坂'.repeat(2_000)],
  ['letters without spaces', 'abcdefghij'.repeat(2_000)],
  ['emoji of several code points', '👩‍👩‍👧‍👦🇩🇪é'.repeat(500)],
  ['words without sentences', 'word '.repeat(5_000)],
  ['numbers', '123456789 '.repeat(1_000)],
])('%s is split into chunks of similar size, never inside a character', (_, text) => {
  const chunks = chunksOf(['paragraph', text]);
  const longest = Math.max(...chunks.map(({ tokenCount }) => tokenCount));
  expect(longest).toBeLessThanOrEqual(2 * 160);
  expect(
    chunks
      .map(({ content }) => content)
      .join('')
      .replace(/\s/g, ''),
  ).toBe(text.replace(/\s/g, ''));
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const counts = chunks.map(({ content }) => [...characters.segment(content)].length);
  const whole = [...characters.segment(chunks.map(({ content }) => content).join(''))].length;
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(whole);
});

test('chunks of any structure are in order, do not overlap, contain every word once, and have positions from 0', () => {
  const random = randomFrom(7);
  const kinds: Block['kind'][] = ['heading', 'paragraph', 'list-item', 'table-row', 'code'];
  for (let round = 0; round < 40; round += 1) {
    const parts = Array.from({ length: 1 + random(40) }, (): Part => {
      const kind = kinds[random(kinds.length)] ?? 'paragraph';
      const text = `${['Été 𝒳.', '数据库。', 'word', 'x'.repeat(90), '!? '][random(5)]} `.repeat(
        1 + random(kind === 'heading' ? 3 : 120),
      );
      return kind === 'heading' ? [kind, text, { level: 1 + random(6) }] : [kind, text];
    });
    const { text } = extracted(parts);
    const chunks = chunksOf(...parts);
    expect(chunks.map(({ position }) => position)).toEqual(chunks.map((_, index) => index));
    expect(
      chunks
        .map(({ content }) => content)
        .join('')
        .replace(/\s/g, ''),
    ).toBe(text.replace(/\s/g, ''));
    for (const [index, { start, end }] of chunks.entries()) {
      expect(start).toBeGreaterThanOrEqual(chunks[index - 1]?.end ?? 0);
      expect(end).toBeGreaterThan(start);
    }
  }
});

test('ten thousand headings without text produce neither one chunk nor an endless path', () => {
  const chunks = chunksOf(
    ...Array.from(
      { length: 10_000 },
      (_, index): Part => [
        'heading',
        `Title ${index} ${'𝒳'.repeat(200)}`,
        { level: 1 + (index % 6) },
      ],
    ),
  );
  expect(Math.max(...chunks.map(({ tokenCount }) => tokenCount))).toBeLessThan(1_000);
  for (const { context } of chunks) {
    expect(context.length).toBeLessThan(1_000);
    expect(context.isWellFormed()).toBe(true);
  }
});

const item =
  'A guest may bring a dog that is on a lead and has been registered at the desk before.';
const items = (count: number): Part[] =>
  Array.from({ length: count }, (_, index) => ['list-item', `${index + 1}. ${item}`]);
const lead = 'The following are covered:';

describe('titles', () => {
  test('a heading is in the chunk of the text that follows, however long it is', () => {
    const row = Array.from({ length: 90 }, (_, index) => `Column ${index}: value`).join('; ');
    const chunks = chunksOf(
      ['heading', 'Prices of the rooms', { level: 1 }],
      ['table-row', row],
      ['heading', 'Rules', { level: 1 }],
      ['code', 'x'.repeat(1_300)],
    );
    expect(chunks[0]?.content).toBe(`Prices of the rooms\n\n${row}`);
    expect(chunks[1]?.content.startsWith('Rules\n\nx')).toBe(true);
  });

  test('a heading at the end of a document is in the chunk of the text before it', () => {
    const chunks = chunksOf(
      ['heading', 'Rules', { level: 1 }],
      ['paragraph', paragraph],
      ['heading', 'Notes', { level: 1 }],
      ['heading', 'Contact', { level: 2 }],
    );
    expect(chunks.map(({ content }) => content)).toEqual([
      `Rules\n\n${paragraph}\n\nNotes\n\nContact`,
    ]);
  });

  test('a document of headings only is one chunk', () => {
    expect(
      chunksOf(['heading', 'One', { level: 1 }], ['heading', 'Two', { level: 1 }]),
    ).toHaveLength(1);
  });

  test('a title above the first heading is in the chunk of the first text', () => {
    const chunks = chunksOf(
      ['paragraph', 'title: Pool rules'],
      ['heading', 'Pool', { level: 1 }],
      ['paragraph', paragraph],
    );
    expect(chunks.map(({ content }) => content)).toEqual([
      `title: Pool rules\n\nPool\n\n${paragraph}`,
    ]);
  });

  test('a title that is a short paragraph is in the chunk of the text that follows', () => {
    const [first, second] = chunksOf(
      ['paragraph', paragraph],
      ['paragraph', 'Lost property'],
      ['paragraph', paragraph],
    );
    expect(first?.content).toBe(paragraph);
    expect(second?.content).toBe(`Lost property\n\n${paragraph}`);
  });

  test('a short section under a heading is a chunk of its own', () => {
    const chunks = chunksOf(
      ['heading', 'Price', { level: 1 }],
      ['paragraph', '12 euros a night'],
      ['heading', 'Dogs', { level: 1 }],
      ['paragraph', 'Welcome'],
    );
    expect(chunks.map(({ content }) => content)).toEqual([
      'Price\n\n12 euros a night',
      'Dogs\n\nWelcome',
    ]);
  });
});

describe('lists', () => {
  test('a lead and its list are in one chunk if they fit, although text before them would fit, too', () => {
    const chunks = chunksOf(
      ['paragraph', `${sentence} `.repeat(5)],
      ['paragraph', lead],
      ...items(6),
    );
    expect(chunks).toHaveLength(2);
    expect(chunks[1]?.content.startsWith(`${lead}\n\n1.`)).toBe(true);
    expect(chunks[1]?.content.endsWith(item)).toBe(true);
  });

  test('a list longer than a chunk is split between its items, and each chunk has the lead', () => {
    const chunks = chunksOf(['heading', 'Dogs', { level: 1 }], ['paragraph', lead], ...items(30));
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[0]?.content.startsWith(`Dogs\n\n${lead}\n\n1. ${item}`)).toBe(true);
    for (const { content, context } of chunks.slice(1)) {
      expect(content).toMatch(/^\d+\. A guest/);
      expect(context).toBe(`Dogs › ${lead}`);
    }
    for (const { content } of chunks) expect(content.endsWith(item)).toBe(true);
  });

  test('the lead in the last sentence of a long paragraph is in the chunk of the first item', () => {
    const text = `${`${sentence} `.repeat(11)}${lead}`;
    const chunks = chunksOf(['paragraph', text], ...items(20));
    const withLead = chunks.filter(({ content }) => content.includes(lead));
    expect(withLead).toHaveLength(1);
    expect(withLead[0]?.content).toContain(`${lead}\n\n1. ${item}`);
    expect(chunks.at(-1)?.context).toBe(lead);
  });

  test.each(['paragraph', 'list-item', 'table-row', 'code'] as const)(
    'no chunk ends with a lead before a %s',
    (kind) => {
      for (let count = 1; count < 14; count += 1) {
        const chunks = chunksOf(
          ...Array.from({ length: count }, (): Part => ['paragraph', `${sentence} ${sentence}`]),
          ['paragraph', lead],
          [kind, item],
          [kind, item],
        );
        for (const { content } of chunks) expect(content.endsWith(lead)).toBe(false);
      }
    },
  );

  test('items inside an item have the leads of both lists in their context', () => {
    const chunks = chunksOf(
      ['paragraph', lead],
      ['list-item', '- Dogs:'],
      ...items(30).map(([kind, text]): Part => [kind, `  - ${text}`]),
      ['list-item', '- Cats'],
      ['paragraph', `${sentence} `.repeat(20)],
    );
    expect(chunks[1]?.context).toBe(`${lead} › Dogs:`);
    expect(chunks.at(-1)?.context).toBe('');
  });

  test('a numbered step is not split, up to the size of a long row', () => {
    const steps = Array.from(
      { length: 5 },
      (_, index): Part => [
        'list-item',
        `${index + 1}. Open the valve. ${sentence.repeat(1)} ${`${sentence} `.repeat(14)}Close it.`,
      ],
    );
    const chunks = chunksOf(...steps);
    expect(chunks).toHaveLength(5);
    for (const { content } of chunks) expect(content).toMatch(/^\d\. Open[\s\S]*Close it\.$/);
  });

  test('a step with its further paragraphs and inner steps is not split', () => {
    const steps = Array.from({ length: 8 }, (_, index): Part[] => [
      ['list-item', `${index + 1}. Open the valve of the boiler.`],
      ['paragraph', `${sentence} ${sentence} It hisses.`, { isItemPart: true }],
      ['list-item', `  - ${sentence}`],
      ['code', 'valve --close', { isItemPart: true }],
    ]).flat();
    const chunks = chunksOf(...steps);
    expect(chunks.length).toBeGreaterThan(1);
    for (const { content } of chunks) expect(content).toMatch(/^\d\. Open[\s\S]*--close$/);
  });

  test('the number of a step in running text is not at the end of a chunk', () => {
    const text = Array.from(
      { length: 60 },
      (_, index) => `${index + 1}. Open the valve slowly and wait for the hiss.`,
    );
    for (const chunk of chunksOf(['paragraph', text.join(' ')])) {
      expect(chunk.content).toMatch(/^\d+\. Open[\s\S]*hiss\.$/);
    }
  });
});

/** Returns a pseudorandom generator with this seed. It returns integers below a bound. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('a passage that starts inside a table has the column titles, the unit and the row group in its context', () => {
  const amounts = (label: string, from: number): Part[] =>
    Array.from({ length: 20 }, (_, index) => [
      'table-row',
      `${label} of the harbour, line ${index} | ${from + index},500 | ${from}`,
      { page: 1 },
    ]);
  const chunks = chunksOf(
    ['heading', 'Accounts', { level: 1 }],
    ['paragraph', '(In thousands of euros)', { page: 1 }],
    ['table-row', 'Item | 2023 | 2022', { page: 1 }],
    ...amounts('Income', 10),
    ['paragraph', 'Costs:', { page: 1 }],
    ...amounts('Repairs', 50),
    ['paragraph', paragraph, { page: 1 }],
    ['table-row', 'Total of another table | 12 | 9', { page: 1 }],
  );
  const header = 'Accounts › (In thousands of euros) · Item | 2023 | 2022';
  const inside = chunks.filter(({ content }) => /^Income/.test(content));
  expect(inside.length).toBeGreaterThan(0);
  for (const { context } of inside) expect(context).toBe(header);
  const repairs = chunks.filter(({ content }) => /^Repairs/.test(content));
  expect(repairs.length).toBeGreaterThan(0);
  for (const { context } of repairs) expect(context).toBe(`${header} · Costs:`);
  expect(chunks.at(-1)).toMatchObject({ context: 'Accounts' });
});

describe('the column titles of a long table', () => {
  const berths = Array.from(
    { length: 90 },
    (_, n): Part => [
      'table-row',
      `K-${n} | ${8 + (n % 7)} m | ${20 + n} euros | Bo Birch${n}`,
      { page: 1 + Math.floor(n / 20) },
    ],
  );
  const contextsBelow = (...parts: Part[]) =>
    new Set(
      chunksOf(...parts)
        .slice(1)
        .map(({ context }) => context),
    );

  test('are in each of its passages on all pages', () => {
    const title: Part = ['table-row', 'Berth | Length | Fee | Keeper', { page: 1 }];
    expect(contextsBelow(title, ...berths)).toEqual(new Set(['Berth | Length | Fee | Keeper']));
  });

  test('do not include its first row, even if cells of the title are joined', () => {
    const title: Part = ['table-row', 'Berth and length | Fee | Keeper', { page: 1 }];
    expect(contextsBelow(title, ...berths)).toEqual(new Set(['Berth and length | Fee | Keeper']));
  });

  test.each([
    'Parcel | up to 2 kg | 2 to 10 kg | 10 to 30 kg',
    'Age | 0-5 | 6-12 | 13+',
    'Zone | 1 | 2 | 3',
  ])('may be numbers: %s', (title) => {
    const rows = Array.from(
      { length: 60 },
      (_, n): Part => [
        'table-row',
        `Town ${n} | ${n}.50 euros | ${n}.90 euros | ${n + 3}.00 euros`,
      ],
    );
    expect(contextsBelow(['table-row', title], ...rows)).toEqual(new Set([title]));
  });

  test('stay if the caption is too long for them together', () => {
    const title =
      `Berth | ${'Length of the boat over all '.repeat(3)}| Fee per night | Keeper`.replace(
        /\s+/g,
        ' ',
      );
    const caption =
      'Fees of the north basin from April to October, with water and power, for boats of members and of guests';
    const found = contextsBelow(
      ['paragraph', caption],
      ['table-row', title],
      ...berths.slice(0, 60),
    );
    expect(found).toEqual(new Set([title]));
  });
});

test('a table of words has one title row; dates may be below the titles they complete', () => {
  const long = 'with a view of the harbour and of the lighthouse on the northern rock';
  const rooms = Array.from(
    { length: 20 },
    (_, index): Part => ['table-row', `Room ${'I'.repeat(index + 1)} | ${long}`],
  );
  const words = chunksOf(['table-row', 'Name | Place'], ...rooms);
  expect(words.length).toBeGreaterThan(2);
  for (const { context } of words.slice(1)) expect(context).toBe('Name | Place');
  const amounts = Array.from(
    { length: 60 },
    (_, index): Part => ['table-row', `Boat ${index} | 7 | 8 | 9 | 10`],
  );
  const dated = chunksOf(
    ['table-row', 'Three Months Ended | Nine Months Ended'],
    ['table-row', 'July 1, 2023 | June 25, 2022 | July 1, 2023 | June 25, 2022'],
    ...amounts,
  );
  expect(dated.length).toBeGreaterThan(2);
  for (const { context } of dated.slice(1)) {
    expect(context).toBe(
      'Three Months Ended | Nine Months Ended · July 1, 2023 | June 25, 2022 | July 1, 2023 | June 25, 2022',
    );
  }
});

test('forms and rows that name their own columns have no header', () => {
  const long = 'a value that goes on for a while so that the passage is full soon enough';
  const form = Array.from(
    { length: 30 },
    (_, index): Part => ['table-row', `Field ${index}: | ${long}`],
  );
  const records = Array.from(
    { length: 30 },
    (_, index): Part => ['table-row', `Name: ${index}; Value: ${long}`],
  );
  for (const parts of [form, records]) {
    const chunks = chunksOf(...parts);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { context } of chunks) expect(context).toBe('');
  }
});

test('the pieces of a long paragraph in one chunk are one block', () => {
  const [chunk] = chunksOf(
    ['heading', 'Leave', { level: 1 }],
    ['paragraph', `${sentence} `.repeat(60).trim()],
  );
  expect(chunk?.blocks).toMatch(/^h0,5 p2,\d{3}$/);
});
