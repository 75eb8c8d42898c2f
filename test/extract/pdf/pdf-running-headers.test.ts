import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { defaultOcrSettings } from '../../../src/extract/ocr/ocr-settings.ts';
import { createPageRecognizer } from '../../../src/extract/ocr/page-recognizer.ts';
import { readPdf } from '../../../src/extract/pdf/pdf.ts';
import { lineText, type PdfLine } from '../../../src/extract/pdf/pdf-lines.ts';
import { removeRunningHeaders } from '../../../src/extract/pdf/pdf-running-headers.ts';
import { buildPdf, textAt } from '../../fixtures/build-pdf.ts';

const withoutOcr = createPageRecognizer(
  { ...defaultOcrSettings, mode: 'OFF' },
  defaultExtractLimits,
  () => undefined,
);

interface Line {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
  readonly font?: 'F1' | 'F2';
}

/** Returns the lines of the text of a PDF, and its warnings. */
async function readPages(pages: readonly (readonly Line[])[]) {
  const bytes = buildPdf(
    pages.map((lines) => ({
      content: lines
        .map(({ x = 72, y, text, size, font }) => textAt(x, y, text, size, font))
        .join(''),
    })),
  );
  const { text, warnings = [] } = await readPdf(bytes, defaultExtractLimits, withoutOcr);
  return { text, lines: text.split('\n'), warnings };
}

/** Returns the text of all pages without the structure of lines, to find each line that a page draws. */
const flat = (text: string) => text.replace(/[\s|]+/g, ' ');

const pagesOf = <Page>(count: number, page: (number: number) => Page): Page[] =>
  Array.from({ length: count }, (_, index) => page(index + 1));

/** Returns lines below each other. */
const stack = (y: number, texts: readonly string[], leading = 14): Line[] =>
  texts.map((text, index) => ({ text, y: y - index * leading }));

const sentences = [
  'Guests leave the key at the reception when they go out for the day',
  'and the night porter opens the door until the early morning hours',
  'The laundry is collected on each floor before the breakfast starts',
  'Bicycles are stored in the yard and the pump hangs beside the gate',
  'Sailing lessons start at the jetty whenever the wind is not too strong',
];
const prose = (page: number, y = 690): Line[] =>
  stack(
    y,
    sentences.map((sentence) => `${sentence} ${'abcdefghijklmnop'.charAt(page)}`),
  );

const contents: Readonly<Record<string, (number: number) => Line[]>> = {
  'a payslip': (n) =>
    stack(740, [
      `Payslip ${100 + n}`,
      `Gross pay: ${2000 + 37 * n} euros`,
      `Holidays left: ${4 + n}`,
    ]),
  'a payslip with a bold title': (n) => [
    { text: `Payslip ${100 + n}`, y: 740, size: 18, font: 'F2' },
    ...stack(700, [`Gross pay: ${2000 + 37 * n} euros`, `Holidays left: ${n % 3}`], 20),
  ],
  'a payslip whose number is far above and the net pay far below': (n) => [
    { text: `Payslip ${n}`, y: 760 },
    ...stack(700, [`Gross pay: ${2000 + 37 * n} euros`, `Tax: ${300 + n} euros`, 'Paid monthly']),
    { text: `Net pay: ${1700 + n} euros`, y: 80 },
  ],
  'a payslip with the number in a column of its own': (n) => [
    { text: 'Payslip number', y: 760 },
    { text: `${n}`, x: 250, y: 760 },
    ...stack(700, [`Gross pay: ${2000 + 37 * n} euros`, `Tax: ${300 + n} euros`, 'Paid monthly']),
  ],
  'an invoice of eight lines': (n) => [
    ...stack(740, [
      `Invoice number ${7100 + n}`,
      `Date: ${n + 3} March 2026`,
      `To: ${'abcdefgh'.charAt(n)}`,
    ]),
    ...stack(500, [`Sails: ${n * 3}`, `Hours: ${n + 7}`], 30),
    ...stack(120, [
      `Total: ${310 + 17 * n} euros`,
      `Payable within ${10 + n} days`,
      `Account ${4000 + n}`,
    ]),
  ],
  'an invoice with its status far below': (n) => [
    ...stack(740, ['Invoice', `Number ${n}`]),
    ...prose(n),
    { text: `Status: ${n % 4 === 2 ? 'open' : 'paid'}`, y: 60 },
  ],
  'a letter sorted by department': (n) => [
    { text: `Department: ${n < 4 ? 'kitchen' : 'laundry'}`, y: 760 },
    ...prose(n),
  ],
  'a room with its number above the text': (n) => [{ text: `Room ${n}`, y: 750 }, ...prose(n)],
  'a room with its type and number': (n) => [
    { text: `${n < 4 ? 'Single' : 'Double'} room ${n}`, y: 750 },
    ...prose(n),
  ],
  'a room with its number and a key of the same number': (n) => [
    ...stack(750, [`Room ${n}`, `Key ${n}`]),
    ...prose(n),
  ],
  'a room with its type at the left and its number at the right': (n) => [
    { text: n < 4 ? 'Single room' : 'Double room', y: 750 },
    { text: `${n}`, x: 250, y: 750 },
    ...prose(n),
  ],
  'a ticket with a small number at the foot': (n) => [
    ...prose(n),
    { text: `Ticket ${n}`, y: 40, size: 8 },
  ],
  'a ticket with its number after a rule': (n) => [
    ...prose(n),
    { text: `Ticket | ${5000 + n}`, y: 40 },
  ],
  'a slide of one line': (n) => [{ text: `Step ${n}: pull rope ${n + 2}`, y: 500, size: 30 }],
  'a slide with a number as its title': (n) => [{ text: `${n}`, y: 700, size: 40 }, ...prose(n)],
  'a label': (n) => stack(740, [`Shelf ${n}`, `Bin ${40 + n}`, `${12 * n + 5} pieces`], 33),
  'a question with its number above': (n) => [{ text: `${n}`, y: 750, font: 'F2' }, ...prose(n)],
  'a house of a street': (n) => [{ text: `Quay Str. ${n}`, y: 750 }, ...prose(n)],
  'a price of two numbers': (n) => [...prose(n), { text: `${n} euros 40`, y: 40 }],
  'a day and month': (n) => [...prose(n), { text: `${n}/12`, y: 40 }],
  'a day of a diary': (n) => [{ text: `${n} March 2026`, y: 750 }, ...prose(n)],
  'a date of digits': (n) => [{ text: `${n}/3/2026`, y: 750 }, ...prose(n)],
};

const counted = Object.entries(contents).flatMap(([name, page]) =>
  [3, 4, 8].map((count) => ({ count, name, page })),
);

test.each(counted)(
  'no line is lost if each of $count pages is $name and differs in numbers only',
  async ({ count, page }) => {
    const pages = pagesOf(count, page);
    const drawn = flat(pages.flatMap((lines) => lines.map(({ text }) => text)).join(' '));
    const found = flat((await readPages(pages)).text);
    const times = (text: string, part: string) => text.split(part).length - 1;
    for (const { text } of pages.flat()) {
      expect(found).toContain(flat(text));
      if (/\d/.test(text)) expect(times(found, text)).toBe(times(drawn, text));
    }
  },
);

test('each page keeps its status and department, which repeat on some pages only', async () => {
  for (const name of ['an invoice with its status far below', 'a letter sorted by department']) {
    const pages = pagesOf(8, (n) => contents[name]?.(n) ?? []);
    const { text } = await readPages(pages);
    expect(text.match(/(?:Status|Department): \w+/g)).toHaveLength(8);
  }
});

test('no row of a table over several pages is lost', async () => {
  const row = (cells: readonly string[], y: number, font?: 'F2'): Line[] =>
    cells.map((text, index) => ({ text, x: 72 + index * 150, y, font }));
  const pages = pagesOf(6, (page) => [
    ...row(['Reading', 'Pressure', 'Flow'], 750, 'F2'),
    ...pagesOf(40, (n) => {
      const reading = (page - 1) * 40 + n;
      return row([`${reading}`, `${reading % 7} mbar`, '1 litre'], 750 - n * 16);
    }).flat(),
  ]);
  const { lines } = await readPages(pages);
  const rows = lines.filter((line) => /^\d+ \| \d mbar \| 1 litre$/.test(line));
  expect(rows).toEqual(pagesOf(240, (n) => `${n} | ${n % 7} mbar | 1 litre`));
  expect(lines).toContain('Reading | Pressure | Flow');
});

test('rows that are equal on all pages stay', async () => {
  const row = (y: number, cells: readonly string[]): Line[] =>
    cells.map((text, index) => ({ text, x: 72 + index * 200, y }));
  const day = (n: number) => [
    { text: `Plan of week ${n * n}`, y: 750 },
    ...row(730, ['Monday', 'Early shift']),
    ...row(715, ['Tuesday', 'Late shift']),
    ...row(700, ['Wednesday', 'Closed']),
    ...row(685, ['Thursday', 'Closed']),
  ];
  const { lines, warnings } = await readPages(pagesOf(6, day));
  expect(lines.filter((line) => line === 'Thursday | Closed')).toHaveLength(6);
  expect(lines.filter((line) => line === 'Monday | Early shift')).toHaveLength(6);
  expect(warnings).toEqual([]);
});

const pageNumbers: Readonly<Record<string, (number: number) => Line>> = {
  'the number alone': (n) => ({ text: `${n}`, x: 300, y: 40 }),
  'the number between dashes': (n) => ({ text: `- ${n} -`, x: 300, y: 40 }),
  'the number at the top': (n) => ({ text: `${n}`, x: 300, y: 760 }),
  'Page n of m': (n) => ({ text: `Page ${n} of 8`, y: 40 }),
  'Seite n': (n) => ({ text: `Seite ${n + 2}`, y: 40 }),
  'n/m': (n) => ({ text: `${n}/8`, y: 40 }),
  'small roman numerals': (n) => ({
    text: ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii'][n - 1] ?? '',
    y: 40,
  }),
};

test.each(Object.entries(pageNumbers))('page numbers are removed: %s', async (_, number) => {
  const { lines } = await readPages(pagesOf(8, (n) => [...prose(n), number(n)]));
  const numbers = pagesOf(8, (n) => number(n).text);
  expect(lines.filter((line) => numbers.includes(line))).toEqual([]);
});

test('the title and footer of a report are read once, and the warning has their text and pages', async () => {
  const { lines, warnings } = await readPages(
    pagesOf(6, (n) => [
      ...(n === 1 ? [] : [{ text: 'Annual report 2025, version 3', y: 760 }]),
      ...prose(n),
      { text: `Harbour Hotel | Page ${n} of 6`, y: 40 },
    ]),
  );
  expect(lines.filter((line) => line.startsWith('Annual report'))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('Harbour Hotel'))).toEqual([
    'Harbour Hotel | Page 1 of 6',
  ]);
  expect(warnings).toEqual([
    {
      code: 'RUNNING_HEADERS',
      message:
        'Running headers and footers were read on their first page only. Left out: Harbour Hotel | Page 2 of 6 (pages 2 to 6); Annual report 2025, version 3 (pages 3 to 6).',
    },
  ]);
});

test('a book has headers on left and right pages, of its chapters, and roman numerals in front', async () => {
  const roman = ['i', 'ii', 'iii', 'iv'];
  const chapters = ['The harbour', 'The rooms'];
  const { lines } = await readPages(
    pagesOf(20, (n) => {
      const chapter = chapters[n < 13 ? 0 : 1] ?? '';
      const header = n % 2 === 0 ? `${n - 4} Hotel handbook` : `${chapter} ${n - 4}`;
      const isFront = n <= roman.length;
      return [
        ...(isFront ? [] : [{ text: header, y: 760 }]),
        ...prose(n % 16),
        ...(isFront ? [{ text: roman[n - 1] ?? '', y: 40 }] : []),
      ];
    }),
  );
  expect(lines.filter((line) => /Hotel handbook/.test(line))).toEqual(['2 Hotel handbook']);
  expect(lines.filter((line) => /^The harbour/.test(line))).toEqual(['The harbour 1']);
  expect(lines.filter((line) => /^The rooms/.test(line))).toEqual(['The rooms 9']);
  expect(lines.filter((line) => roman.includes(line))).toEqual([]);
});

test('the header of a chapter of three pages is read once, and one of two pages on both', async () => {
  const titles = ['Pool', 'Pool', 'Pool', 'Sauna', 'Sauna'];
  const { lines } = await readPages(
    pagesOf(5, (n) => [{ text: `Rules of the ${titles[n - 1]}`, y: 760 }, ...prose(n)]),
  );
  expect(lines.filter((line) => line === 'Rules of the Pool')).toHaveLength(1);
  expect(lines.filter((line) => line === 'Rules of the Sauna')).toHaveLength(2);
});

test('a letterhead of several lines is read once', async () => {
  const head = ['ORRIN SAILS', 'Quay Street 12', 'Phone 0123 4567', 'sails@harbour.example'];
  const { lines, text } = await readPages(
    pagesOf(4, (n) => [
      ...stack(770, head, 11),
      ...prose(n, 640),
      { text: `Letter ${n * n}`, y: 500 },
    ]),
  );
  for (const line of head) expect(lines.join('\n').split(line)).toHaveLength(2);
  expect(text.match(/Letter \d+/g)).toHaveLength(4);
});

/** Returns a page of lines as the layout analysis does, without a PDF, whose fonts would lack the letters. */
function pageOf(lines: readonly Line[], isRightToLeft: boolean): PdfLine[] {
  return lines.map(({ text, x = 72, y, size = 10 }) => {
    const x1 = x + text.length * size * 0.5;
    const run = { text, x0: x, x1, y, size, font: 'F1', isRightToLeft };
    return { cells: [{ text, x0: x, x1 }], x0: x, x1, y, size, font: 'F1', runs: [run] };
  });
}

test.each([
  ['Arabic', (n: string, m: string) => `صفحة ${n} من ${m}`, 0x0660],
  ['Persian', (n: string, m: string) => `صفحه ${n} از ${m}`, 0x06f0],
  ['Hebrew', (n: string, m: string) => `עמוד ${n} מתוך ${m}`, 0x30],
  ['Hindi', (n: string) => `पृष्ठ ${n}`, 0x0966],
  ['Japanese', (n: string) => `${n} ページ`, 0x30],
  ['Chinese', (n: string, m: string) => `第 ${n} 页 共 ${m} 页`, 0x30],
] as const)('page numbers in %s are removed, and rooms with their number stay', (_, text, zero) => {
  const write = (number: number) =>
    String(number).replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  const pages = pagesOf(12, (n) =>
    pageOf(
      [
        { text: `חדר ${write(n)}`, y: 760 },
        ...prose(n),
        { text: text(write(n), write(12)), y: 40 },
      ],
      true,
    ),
  );
  const kept = removeRunningHeaders(pages).pages;
  expect(kept.map((lines) => lines.map(lineText))).toEqual(
    pages.map((lines) => lines.slice(0, -1).map(lineText)),
  );
});

test('a document of two pages keeps all lines', async () => {
  const page = (n: number) => [
    { text: 'Harbour Hotel', y: 760 },
    ...prose(n),
    { text: `${n}`, y: 40 },
  ];
  const { lines, warnings } = await readPages(pagesOf(2, page));
  expect(lines.filter((line) => line === 'Harbour Hotel')).toHaveLength(2);
  expect(warnings).toEqual([]);
});

test('a page keeps a running header if it has no other text', async () => {
  const { lines } = await readPages(
    pagesOf(5, (n) => [{ text: 'Pictures of the harbour', y: 760 }, ...(n === 4 ? [] : prose(n))]),
  );
  expect(lines.filter((line) => line === 'Pictures of the harbour')).toHaveLength(2);
});
