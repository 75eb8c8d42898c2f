import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import type { ExtractedText } from '../../../src/extract/extracted-text.ts';
import { defaultOcrSettings } from '../../../src/extract/ocr/ocr-settings.ts';
import { createPageRecognizer } from '../../../src/extract/ocr/page-recognizer.ts';
import { readPdf } from '../../../src/extract/pdf/pdf.ts';
import { buildPdf, type PdfPage, textAt } from '../../fixtures/build-pdf.ts';

const withoutOcr = createPageRecognizer(
  { ...defaultOcrSettings, mode: 'OFF' },
  defaultExtractLimits,
  () => undefined,
);

const read = (bytes: Uint8Array): Promise<ExtractedText> =>
  readPdf(bytes, defaultExtractLimits, withoutOcr);

async function blocksOf(...pages: readonly (string | PdfPage)[]): Promise<string[]> {
  const built = buildPdf(
    pages.map((page) => (typeof page === 'string' ? { content: page } : page)),
  );
  const { text, blocks } = await read(built);
  return blocks.map(
    ({ kind, level, page, start, end }) =>
      `${page} ${kind}${level ?? ''}: ${text.slice(start, end)}`,
  );
}

/** Returns PDF operators that write the lines below each other, 12 points apart. */
function column(x: number, y: number, lines: readonly string[]): string {
  return lines.map((line, index) => textAt(x, y - index * 12, line)).join('');
}

const prose = [
  'The hotel provides two uniforms and a name badge to all',
  'members of the staff, and the laundry washes them twice a',
  'week. A lost name badge costs five euros to replace, which',
  'is kept back from the salary of the month.',
];
const other = [
  'Full time staff have twenty eight days of paid leave each',
  'year, of which five unused days may be carried over until',
  'the end of March. Leave in July and August has to be asked',
  'for before the end of February of that year.',
];

test("every block has its page number, and the fixture's facts are found", async () => {
  const bytes = readFileSync(new URL('../../fixtures/handbook.pdf', import.meta.url));
  const { text, blocks } = await read(bytes);
  const pageOf = (words: string) =>
    blocks.find(({ start, end }) => text.slice(start, end).includes(words))?.page;
  expect(pageOf('28 days of paid leave')).toBe(1);
  expect(pageOf('Items are kept for 90 days')).toBe(2);
  expect(text).toContain('Meal with a supplier | 60 euros | Head of department');
});

test('lines of a paragraph are joined, and words hyphenated at line ends are restored', async () => {
  const lines = [
    'The pool is open all year round for the guests of the ho-',
    'tel and for members of the sailing club.',
  ];
  expect(await blocksOf(column(72, 700, lines))).toEqual([
    '1 paragraph: The pool is open all year round for the guests of the hotel and for members of the sailing club.',
  ]);
});

describe('column titles that are closer together than their columns', () => {
  const rows = [
    ['K-1', '9 m', '27 euros', 'Bo Birch'],
    ['K-2', '10 m', '34 euros', 'Cy Cedar'],
  ];
  const cells = (y: number, xs: readonly number[], texts: readonly string[]) =>
    texts.map((text, index) => textAt(xs[index] ?? 0, y, text)).join('');
  const table = rows
    .map((row, index) => cells(680 - index * 20, [72, 108, 150, 222], row))
    .join('');

  test('are titles of their own', async () => {
    const titles = cells(700, [72, 106, 148, 217], ['Berth', 'Length', 'Fee per night', 'Keeper']);
    expect(await blocksOf(titles + table)).toEqual([
      '1 table-row: Berth | Length | Fee per night | Keeper',
      '1 table-row: K-1 | 9 m | 27 euros | Bo Birch',
      '1 table-row: K-2 | 10 m | 34 euros | Cy Cedar',
    ]);
  });

  test.each([
    ['a sentence', [72], ['Fees include water and power, per night and berth.']],
    ['a title of two columns', [72, 150], ['Berth and length', 'Fee and keeper of the berth']],
    ['a title without columns below it', [72, 106], ['Berth', 'Length']],
  ])('are not found in %s', async (_what, xs, texts) => {
    const [first] = await blocksOf(cells(700, xs, texts) + table);
    expect(first?.match(/ \| /g)?.length ?? 0).toBeLessThan(2);
  });
});

describe('a sentence over the end of a page', () => {
  const start = [
    'Guests may take their bicycles with them, free of charge, but',
    'only on the morn-',
  ];
  const rest = ['ing ferry and on the late ferry. All other ferries charge six', 'euros.'];
  const whole =
    'Guests may take their bicycles with them, free of charge, but only on the morning ferry and on the late ferry. All other ferries charge six euros.';

  test('is one paragraph of the page on which it starts', async () => {
    expect(await blocksOf(column(72, 300, start), column(72, 700, rest))).toEqual([
      `1 paragraph: ${whole}`,
    ]);
  });

  test('has no page number and no footnote inside', async () => {
    const first =
      column(72, 300, start) +
      textAt(72, 80, '* Prices of 2026 without tax.', 7) +
      textAt(300, 40, '11');
    expect(await blocksOf(first, column(72, 700, rest) + textAt(300, 40, '12'))).toEqual([
      `1 paragraph: ${whole}`,
      '1 list-item: * Prices of 2026 without tax.',
      '1 paragraph: 11',
      '2 paragraph: 12',
    ]);
  });

  test('may go over several pages', async () => {
    const middle = ['ing ferry, on the ferry at noon if the deck is not full of', 'cars, and'];
    expect(
      await blocksOf(
        column(72, 300, start),
        column(72, 700, middle),
        column(72, 700, ['on the late ferry.']),
      ),
    ).toEqual([
      '1 paragraph: Guests may take their bicycles with them, free of charge, but only on the morning ferry, on the ferry at noon if the deck is not full of cars, and on the late ferry.',
    ]);
  });

  test.each([
    [
      'a sentence that is complete',
      ['The ferry leaves at nine, and the crew checks all tickets.'],
      'iPads are for rent.',
    ],
    ['a title', ['Bicycles'], 'are free of charge on the late ferry.'],
    ['a list', ['The ferry has room for bicycles, cars and'], 'a) the crew'],
  ])('is not assumed after %s', async (_what, above, below) => {
    expect(await blocksOf(column(72, 300, above), column(72, 700, [below]))).toHaveLength(2);
  });
});

test.each([
  ['caf', '\\264', 333, 'e', 556, 'café'],
  ['voil', '`', 333, 'a', 556, 'voilà'],
  ['m', '\\250', 333, 'u', 556, 'mü'],
  ['gar', '\\270', 333, 'c', 500, 'garç'],
  ['an', '\\230', 333, 'n', 556, 'anñ'],
  ['', '\\264', 333, 'E', 667, 'É'],
])(
  'an accent that is drawn over its letter is part of it: %s %s',
  async (before, accent, accentWidth, letter, width, text) => {
    const offset = Math.min(50, (width - accentWidth) / 2);
    const drawn = `[(${before}) ${-offset} (${accent}) ${accentWidth + offset} (${letter} is here)] TJ`;
    expect(await blocksOf(`BT /F1 10 Tf 72 700 Td ${drawn} ET`)).toEqual([
      `1 paragraph: ${text} is here`,
    ]);
  },
);

test('an accent that is used as an apostrophe stays', async () => {
  expect(await blocksOf('BT /F1 10 Tf 72 700 Td (So geht\\264s, d\\264accord) Tj ET')).toEqual([
    '1 paragraph: So geht´s, d´accord',
  ]);
});

test.each([20, 24, 30])(
  'lines of a page that are all %i points apart are paragraphs, not lines',
  async (leading) => {
    const lines = (y: number, texts: readonly string[]) =>
      texts.map((text, index) => textAt(72, y - index * leading, text)).join('');
    const page =
      lines(740, prose) +
      lines(740 - 5.5 * leading, other) +
      lines(740 - 11 * leading, ['Lost property', ...prose]);
    expect(await blocksOf(page)).toEqual([
      `1 paragraph: ${prose.join(' ')}`,
      `1 paragraph: ${other.join(' ')}`,
      '1 paragraph: Lost property',
      `1 paragraph: ${prose.join(' ')}`,
    ]);
  },
);

test('short lines that are far apart stay separate, also above a paragraph with single spacing', async () => {
  const names = [
    'Harbour Lights Hotel',
    'Quay Street 12',
    'Reception: room 1',
    'Kitchen: room 2',
    'Sailing club',
  ];
  const far = names.map((name, index) => textAt(72, 740 - index * 24, name)).join('');
  const expected = names.map((name) => `1 paragraph: ${name}`);
  expect(await blocksOf(far)).toEqual(expected);
  expect(await blocksOf(far + column(72, 500, prose))).toEqual([
    ...expected,
    `1 paragraph: ${prose.join(' ')}`,
  ]);
});

test('two columns are read one after the other, whether drawn by column or by line', async () => {
  const expected = [`1 paragraph: ${prose.join(' ')}`, `1 paragraph: ${other.join(' ')}`];
  expect(await blocksOf(column(40, 700, prose) + column(330, 700, other))).toEqual(expected);
  const longer = { left: [...prose, ...prose], right: [...other, ...other] };
  const woven = longer.left
    .map(
      (line, index) =>
        column(40, 700 - index * 12, [line]) +
        column(330, 700 - index * 12, [longer.right[index] ?? '']),
    )
    .join('');
  const { text } = await read(buildPdf([{ content: woven }]));
  expect(text.indexOf('salary of the month')).toBeLessThan(text.indexOf('Full time staff'));
});

test('a table is read row by row, regardless of the lines in its cells', async () => {
  const row = (y: number, cells: readonly string[]) =>
    cells.map((cell, index) => textAt(72 + index * 150, y, cell)).join('');
  const wrapped =
    column(72, 664, ['Late check-out', 'on Sundays']) + column(222, 664, ['25 euros']);
  const page =
    row(700, ['Service', 'Price', 'Until']) +
    row(682, ['Early breakfast', '5 euros', '06:00']) +
    wrapped;
  expect(await blocksOf(page)).toEqual([
    '1 table-row: Service | Price | Until',
    '1 table-row: Early breakfast | 5 euros | 06:00',
    '1 table-row: Late check-out on Sundays | 25 euros',
  ]);
});

test('larger lines and short lines in a rare font are headings', async () => {
  const page =
    textAt(72, 720, 'Staff Handbook', 22, 'F2') +
    textAt(72, 690, 'Uniform and laundry', 10, 'F2') +
    column(72, 670, prose);
  expect((await blocksOf(page)).slice(0, 2)).toEqual([
    '1 heading1: Staff Handbook',
    '1 heading4: Uniform and laundry',
  ]);
});

test('running headers are read once; page numbers are omitted', async () => {
  const pages = [1, 2, 3, 4].map(
    (number) =>
      textAt(72, 770, 'Harbour Lights Hotel') +
      column(72, 700, prose) +
      column(72, 500, other) +
      textAt(300, 30, `${number}`),
  );
  const blocks = await blocksOf(...pages);
  expect(blocks.filter((block) => block.includes('Harbour Lights'))).toHaveLength(1);
  expect(blocks.filter((block) => /: \d$/.test(block))).toEqual([]);
});

test('a footer with the page count is removed; a last line that contains a number is kept', async () => {
  const pages = [1, 2, 3, 4].map((number) => {
    const lines = prose.slice(0, 1 + (number % prose.length));
    const below = 700 - lines.length * 40;
    return (
      column(72, 700, lines) +
      textAt(72, below, `Room ${number * number} costs more`) +
      (number < 4 ? textAt(72, below - 60, `Harbour Hotel | 2023 | ${number + 6}`) : '')
    );
  });
  const blocks = await blocksOf(...pages);
  expect(blocks.filter((block) => block.includes('Harbour Hotel'))).toHaveLength(1);
  expect(blocks.filter((block) => /Room \d+ costs/.test(block))).toHaveLength(4);
});

test('text printed twice to look bold is read once', async () => {
  expect(
    await blocksOf(textAt(72, 700, 'Important notice') + textAt(72.3, 700, 'Important notice')),
  ).toEqual(['1 paragraph: Important notice']);
});

test('rotated text is read in its own lines', async () => {
  const turned =
    'BT /F1 10 Tf 0 1 -1 0 40 100 Tm (Turned first line) Tj 0 -12 Td (and its second) Tj ET\n';
  expect(await blocksOf(column(72, 700, prose) + turned)).toEqual([
    `1 paragraph: ${prose.join(' ')}`,
    '1 paragraph: Turned first line and its second',
  ]);
});

test('filled-in form fields are read with their labels; empty and hidden fields are omitted', async () => {
  const field = (extra: string) =>
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /Rect [200 695 400 710] ${extra} >>`;
  const annotations = [
    field('/V (Ines Varga)'),
    field('/TU (Date of birth) /V (4 May 1980)'),
    field('/V ()'),
    field('/V (hidden) /F 2'),
  ];
  expect(await blocksOf({ content: textAt(72, 700, 'Name:'), annotations })).toEqual([
    '1 paragraph: Name:',
    '1 paragraph: Name: Ines Varga',
    '1 paragraph: Date of birth: 4 May 1980',
  ]);
});

describe('a form field without a tooltip', () => {
  const field = (rect: string, extra: string) =>
    `<< /Type /Annot /Subtype /Widget /T (f) /Rect [${rect}] ${extra} >>`;
  const text = (rect: string, value: string) => field(rect, `/FT /Tx /V (${value})`);
  const box = (rect: string) =>
    field(rect, '/FT /Btn /AS /Yes /V /Yes /AP << /N << /Yes null >> >>');
  const fieldsOf = async (content: string, annotations: readonly string[]) =>
    (await blocksOf({ content, annotations })).filter((block) => /: [^:]+: [^:]+$/.test(block));

  test('has the label of its own line, not one of the lines around it', async () => {
    const names = ['Title', 'Applicant:', 'Goods:', 'Metres:'];
    const content = names.map((name, n) => textAt(72, 700 - n * 18, name)).join('');
    const values = ['Marisol', 'Honey', '4.5'].map((value, n) => {
      const bottom = 700 - (n + 1) * 18 - 4;
      return text(`150 ${bottom} 300 ${bottom + 16}`, value);
    });
    expect(await fieldsOf(content, values)).toEqual([
      '1 paragraph: Applicant: Marisol',
      '1 paragraph: Goods: Honey',
      '1 paragraph: Metres: 4.5',
    ]);
  });

  test('has the label above it', async () => {
    const content = textAt(72, 700, 'Applicant') + textAt(72, 650, 'Goods');
    const values = [text('72 675 300 691', 'Marisol'), text('72 625 300 641', 'Honey')];
    expect(await fieldsOf(content, values)).toEqual([
      '1 paragraph: Applicant: Marisol',
      '1 paragraph: Goods: Honey',
    ]);
  });

  test.each([
    ['left', 72, '160 698 170 708'],
    ['right', 190, '172 698 182 708'],
  ])('has the label on its %s if it is a ticked box', async (_side, x, rect) => {
    const content = textAt(72, 740, 'Stall application') + textAt(x, 700, 'Needs electricity');
    expect(await fieldsOf(content, [box(rect)])).toEqual(['1 paragraph: Needs electricity: yes']);
  });

  test('has no label if no text is near', async () => {
    const content = textAt(72, 740, 'Stall application');
    const blocks = await blocksOf({ content, annotations: [text('300 100 400 116', 'Marisol')] });
    expect(blocks).toContain('1 paragraph: Marisol');
  });

  test('is read in UTF-16 whose bytes are swapped in every second letter', async () => {
    const mixed = '\\376\\377S\\000\\000at\\000\\000u';
    const content = textAt(72, 700, 'Day:');
    expect(await fieldsOf(content, [text('150 696 300 712', mixed)])).toEqual([
      '1 paragraph: Day: Satu',
    ]);
  });
});

test('a file that opens without a password is read; one that requires it is ENCRYPTED', async () => {
  const fixture = (name: string) =>
    readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
  expect((await read(fixture('copy-protected.pdf'))).text).toContain('80 euros a day');
  await expect(read(fixture('needs-password.pdf'))).rejects.toMatchObject({ code: 'ENCRYPTED' });
});

test('a file of another kind is told from a damaged PDF', async () => {
  const messageOf = (text: string) => read(Buffer.from(text)).catch(({ message }) => message);
  expect(await messageOf('Only text')).toContain('no PDF, although its name says so');
  expect(await messageOf('%PDF-1.7 nothing')).toContain('damaged or incomplete');
});

test('pages without text, such as scans, are EMPTY_TEXT', async () => {
  await expect(blocksOf('0 0 200 200 re f\n')).rejects.toMatchObject({ code: 'EMPTY_TEXT' });
});

test('the complete pages of a truncated file are read; a file without any page is CORRUPT_FILE', async () => {
  const whole = buildPdf([
    { content: column(72, 700, prose) },
    { content: column(72, 700, other) },
  ]);
  const { text } = await read(whole.subarray(0, whole.indexOf('Full time staff')));
  expect(text).toContain('two uniforms');
  await expect(read(Buffer.from('%PDF-1.7\nnothing here'))).rejects.toMatchObject({
    code: 'CORRUPT_FILE',
  });
});

test('a file with more pages than the limit is TOO_LARGE', async () => {
  const bytes = buildPdf([{ content: textAt(9, 9, 'a') }, { content: textAt(9, 9, 'b') }]);
  const limits = { ...defaultExtractLimits, pages: 1 };
  await expect(readPdf(bytes, limits, withoutOcr)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('a currency sign that is drawn with the amount before it belongs to the amount after it', async () => {
  const row = (y: number, label: string, cells: readonly string[]) =>
    textAt(72, y, label) + cells.map((cell, index) => textAt(240 + index * 90, y, cell)).join('');
  const content =
    row(700, 'Data Center', ['$ 14,514 $', '3,833 $', '29,121']) +
    row(686, 'Gaming', ['2,856', '1,574', '7,582']);
  expect(await blocksOf(content)).toEqual([
    '1 table-row: Data Center | $ 14,514 | $3,833 | $29,121',
    '1 table-row: Gaming | 2,856 | 1,574 | 7,582',
  ]);
});

test('an amount after a percentage is a cell of its own', async () => {
  const row = (y: number, label: string, cells: readonly string[]) =>
    textAt(72, y, label) + cells.map((cell, index) => textAt(240 + index * 120, y, cell)).join('');
  const content =
    row(700, 'Services', ['14 % $ 96,169', '78,129']) +
    row(686, 'Greater China', ['(2)% $156,778', '64,377']);
  expect(await blocksOf(content)).toEqual([
    '1 table-row: Services | 14 % | $ 96,169 | 78,129',
    '1 table-row: Greater China | (2)% | $156,778 | 64,377',
  ]);
});

test('attached files and comments are named', async () => {
  const annotations = [
    '<< /Type /Annot /Subtype /Text /Rect [9 9 20 20] /Contents (Really?) >>',
    '<< /Type /Annot /Subtype /Highlight /Rect [9 9 20 20] /QuadPoints [9 20 20 20 9 9 20 9] /Contents (Check) >>',
    '<< /Type /Annot /Subtype /Highlight /Rect [9 9 20 20] /QuadPoints [9 20 20 20 9 9 20 9] >>',
  ];
  const page = { content: textAt(72, 700, 'Pumps are blue.'), annotations };
  const attached = '<< /Type /Filespec /F (prices.csv) /EF << /F 6 0 R >> >>';
  const catalog = `/Names << /EmbeddedFiles << /Names [(prices.csv) ${attached}] >> >>`;
  expect((await read(buildPdf([page], catalog))).warnings).toEqual([
    {
      code: 'ATTACHED_FILES',
      message: '1 attached file was left out: prices.csv. Upload it as a document of its own.',
    },
    { code: 'COMMENTS', message: '2 comments were left out.' },
  ]);
});

test('a line with a section number is a heading, also in the font of the text', async () => {
  const lines = [
    'The harbour master may move boats in a storm.',
    '3.2Ice',
    'From December the piers are not cleared of ice. The fee of',
    '2.5 Euros is due.',
    '3.3 Theft and loss',
    'The harbour is not liable for theft, see section 3.2.',
  ];
  expect(await blocksOf(column(50, 700, lines))).toEqual([
    '1 paragraph: The harbour master may move boats in a storm.',
    '1 heading4: 3.2 Ice',
    '1 paragraph: From December the piers are not cleared of ice. The fee of 2.5 Euros is due.',
    '1 heading4: 3.3 Theft and loss',
    '1 paragraph: The harbour is not liable for theft, see section 3.2.',
  ]);
});

test('words with wide letter spacing are words', async () => {
  const spaced = (spacing: number, y: number, text: string) =>
    `${spacing} Tc ${textAt(50, y, text)}0 Tc `;
  const content =
    spaced(3, 700, 'SAFETY NOTICE') +
    spaced(6, 600, 'Plan of Fire') +
    textAt(50, 500, prose.join(' '));
  const [first, second] = await blocksOf(content);
  expect(first).toMatch(/: SAFETY NOTICE$/);
  expect(second).toMatch(/: Plan of Fire$/);
});

test.each(['I O U', 'A B C', 'A B C D E F', 'M T W T F S S', 'J F M A M J J A S O N D', 'B A D C'])(
  'single letters stay: %s',
  async (text) => {
    expect((await blocksOf(textAt(50, 700, text))).join()).toContain(text);
  },
);
