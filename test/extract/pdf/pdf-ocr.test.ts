import { expect, test, vi } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { ExtractError } from '../../../src/extract/extracted-text.ts';
import { defaultOcrSettings } from '../../../src/extract/ocr/ocr-settings.ts';
import {
  createPageRecognizer,
  type PageRecognizer,
} from '../../../src/extract/ocr/page-recognizer.ts';
import { readPdf } from '../../../src/extract/pdf/pdf.ts';
import { startDeadline } from '../../../src/extract/process/extraction-deadline.ts';
import { buildPdf, type PdfPage, textAt } from '../../fixtures/build-pdf.ts';
import { encodeGrayPng } from '../../fixtures/build-png.ts';
import { scannedPage } from '../../fixtures/build-scan.ts';

const white = new Uint8Array(400 * 300).fill(255);
const picture = scannedPage(encodeGrayPng({ width: 400, height: 300, pixels: white }));
const text = { content: textAt(72, 700, 'Pumps are blue.') };
const blank = { content: '' };

const damaged = new ExtractError('CORRUPT_FILE', 'The picture is damaged.');
const aborted = new Error('Aborted()');

/**
 * Returns a recognizer, and its numbers of loaded and of read pictures. It reads one picture after another, with the
 * results in `outcomes`.
 */
function recognizerOf(outcomes: readonly (Error | 'white')[], pages = outcomes.length) {
  const state = { loaded: 0, read: 0 };
  const recognizer: PageRecognizer = {
    mode: 'AUTO',
    maxPages: pages,
    get pagesLeft() {
      return pages - state.read;
    },
    async recognize(load) {
      state.loaded += 1;
      if ((await load()) === null) return null;
      const outcome = outcomes[state.read];
      state.read += 1;
      if (outcome instanceof Error) throw outcome;
      return [];
    },
  };
  return { recognizer, state };
}

test.each([
  ['a damaged picture', damaged, 2],
  ['an abort of the engine', aborted, 1],
  ['a picture that is too large', new ExtractError('TOO_LARGE', 'Too large.'), 1],
])('%s does not fail a PDF with text', async (_what, error, reads) => {
  const { recognizer, state } = recognizerOf([error, 'white']);
  const pdf = buildPdf([text, picture, picture]);
  const read = await readPdf(pdf, defaultExtractLimits, recognizer);
  expect(read.text).toContain('Pumps are blue.');
  expect(state.read).toBe(reads);
});

test('pages that OCR does not read are named', async () => {
  const warningsOf = async (pages: readonly PdfPage[], recognizer: PageRecognizer) =>
    (await readPdf(buildPdf(pages), defaultExtractLimits, recognizer)).warnings;
  const unread = (pages: string) => [
    {
      code: 'UNREAD_PAGES',
      message: `${pages}. If these are scans, turn on OCR in the settings of the project or raise its limit of pages, or split the file.`,
    },
  ];
  const pages = [text, blank, picture, picture, picture];
  const { recognizer } = recognizerOf([damaged, 'white', 'white']);
  expect(await warningsOf(pages, recognizer)).toEqual(
    unread('OCR has not read 1 page without text: 3'),
  );
  expect(await warningsOf(pages, recognizerOf(['white'], 1).recognizer)).toEqual(
    unread('OCR has not read 2 pages without text: 4, 5'),
  );
  expect(await warningsOf(pages, recognizerOf([aborted]).recognizer)).toEqual(
    unread('OCR has not read 3 pages without text: 3 to 5'),
  );
  const off = createPageRecognizer(
    { ...defaultOcrSettings, mode: 'OFF' },
    defaultExtractLimits,
    () => undefined,
  );
  expect(await warningsOf([text, blank], off)).toEqual(
    unread('OCR has not read 1 page without text: 2'),
  );
  const both = { ...picture, content: `${picture.content} ${text.content}` };
  const on = { ...recognizerOf(['white'], 1).recognizer, mode: 'ON' as const, pagesLeft: 0 };
  expect(await warningsOf([both, both], on)).toEqual([
    {
      code: 'UNREAD_PAGES',
      message:
        'OCR has not read the pictures on 2 pages: 1, 2. If they contain text, turn on OCR in the settings of the project or raise its limit of pages, or split the file.',
    },
  ]);
});

/** A picture over half of the page, and lines of text. A dark picture is a photo. */
const overPicture = (pixels: Uint8Array, lines: readonly string[]): PdfPage => {
  const scan = scannedPage(encodeGrayPng({ width: 400, height: 300, pixels }));
  const drawn = `q 612 0 0 396 0 200 cm /Im0 Do Q ${lines.join('')}`;
  return { ...scan, content: drawn };
};
const overScan = (...lines: readonly string[]) => overPicture(white, lines);
const dark = new Uint8Array(400 * 300).fill(90);
const layer = Array.from({ length: 12 }, (_, n) => textAt(72, 700 - n * 40, 'Pumps are blue.'));
const slide = ['Our pumps', 'Blue', 'Quiet', 'Cheap', 'Dry'].map((line, n) =>
  textAt(72, 700 - n * 60, line, 28),
);

test.each([
  ['a page number', overScan(textAt(300, 20, '12')), 1],
  [
    'a stamp of three lines',
    overScan(...[700, 688, 676].map((y) => textAt(400, y, 'RECEIVED 12 May'))),
    1,
  ],
  [
    'a header and a footer',
    overScan(textAt(72, 770, 'Annual report'), textAt(300, 20, 'Page 3 of 9')),
    1,
  ],
  ['a page number, in dark colors like a photo', overPicture(dark, [textAt(300, 20, '12')]), 0],
  ['an invisible layer of its text', overScan(...layer), 0],
  ['the words of a slide', overScan(...slide), 0],
  [
    'a small picture and one line',
    { ...picture, content: picture.content + textAt(72, 700, 'Pumps are blue.') },
    0,
  ],
])(
  'a scan with %s is read by OCR only if the text covers little of it',
  async (_what, page, reads) => {
    const { recognizer, state } = recognizerOf(['white']);
    const { warnings } = await readPdf(buildPdf([text, page]), defaultExtractLimits, recognizer);
    expect(state.read).toBe(reads);
    expect(warnings).toEqual([]);
    const off = { ...recognizerOf([]).recognizer, mode: 'OFF' as const };
    const unread = await readPdf(buildPdf([text, page]), defaultExtractLimits, off);
    expect(unread.warnings).toEqual(
      reads === 0
        ? []
        : [{ code: 'UNREAD_PAGES', message: expect.stringContaining('pictures on 1 page: 2.') }],
    );
  },
);

test.each([
  ['an A4 scan of 300 dpi', 2480, 3508, 1, 300],
  ['the same at half the size', 2480, 3508, 0.5, 450],
  ['a scan of 100 dpi', 827, 1170, 1, 300],
])(
  '%s is painted with letters that are large enough',
  async (_what, width, height, scale, expected) => {
    const pixels = new Uint8Array(width * height).fill(255);
    const scan = scannedPage(encodeGrayPng({ width, height, pixels }));
    const content = `q ${595 * scale} 0 0 ${792 * scale} 0 0 cm /Im0 Do Q`;
    const resolutions: (number | null | undefined)[] = [];
    const { recognizer } = recognizerOf(['white']);
    const recognize: PageRecognizer['recognize'] = async (load) => {
      resolutions.push((await load())?.dotsPerInch);
      return [];
    };
    const read = readPdf(buildPdf([{ ...scan, content }]), defaultExtractLimits, {
      ...recognizer,
      recognize,
    });
    await expect(read).rejects.toMatchObject({ code: 'EMPTY_TEXT' });
    expect(resolutions[0]).toBeGreaterThanOrEqual(expected);
    expect(resolutions[0]).toBeLessThan(expected * 1.15);
  },
);

test.each([
  ['the text of the page', ['Room 101 costs 40 euros a night.'], 0],
  ['the text of the page with another room', ['Room 102 costs 40 euros a night.'], 1],
  ['the text of the page with another price', ['Room 101 costs 45 euros a night.'], 1],
])('a picture is read if its numbers differ from the page: %s', async (_, texts, times) => {
  const lines = texts.map((line) => {
    const run = {
      text: line,
      x0: 72,
      x1: 300,
      y: 400,
      size: 10,
      font: 'ocr',
      isRightToLeft: false,
    };
    return { ...run, cells: [{ text: line, x0: 72, x1: 300 }], runs: [run] };
  });
  const recognizer: PageRecognizer = {
    mode: 'ON',
    maxPages: 1,
    pagesLeft: 1,
    recognize: async () => lines,
  };
  const content = `${picture.content} ${textAt(72, 700, 'Room 101 costs 40 euros a night.')}`;
  const read = await readPdf(buildPdf([{ ...picture, content }]), defaultExtractLimits, recognizer);
  expect(read.text.split('euros a night.')).toHaveLength(2 + times);
});

test('a scan fails with the error of its pictures', async () => {
  const pdf = buildPdf([picture, picture]);
  for (const error of [damaged, aborted]) {
    const { recognizer } = recognizerOf([error, error]);
    await expect(readPdf(pdf, defaultExtractLimits, recognizer)).rejects.toBe(error);
  }
});

test('no page is loaded after the last one that OCR may read', async () => {
  const { recognizer, state } = recognizerOf(['white'], 1);
  await readPdf(buildPdf([text, blank, picture, picture, blank]), defaultExtractLimits, recognizer);
  expect(state).toEqual({ loaded: 2, read: 1 });
});

test('the time of a page starts before its picture is loaded, and ends with or without a picture', async () => {
  const events: string[] = [];
  const settings = { ...defaultOcrSettings, languages: ['xyz'] };
  const recognizer = createPageRecognizer(settings, defaultExtractLimits, (isRunning) =>
    events.push(isRunning ? 'start' : 'end'),
  );
  const load = (image: Parameters<PageRecognizer['recognize']>[0]) => () => {
    events.push('load');
    return image();
  };
  expect(await recognizer.recognize(load(() => null))).toBeNull();
  const size = { width: 1, height: 1 };
  const image = { bytes: new Uint8Array(), size, dotsPerInch: null };
  const reading = recognizer.recognize(load(() => image));
  await expect(reading).rejects.toMatchObject({ code: 'UNSUPPORTED_FILE' });
  expect(events).toEqual(['start', 'load', 'end', 'start', 'load', 'end']);
});

test('OCR of all pages of a file has one time limit', () => {
  vi.useFakeTimers();
  try {
    const limits = { ...defaultExtractLimits, ocrPageTimeoutMs: 60, ocrTimeoutMs: 150 };
    const expired: number[] = [];
    const deadline = startDeadline(limits, (limitMs) => expired.push(limitMs));
    for (let page = 0; page < 3; page += 1) {
      deadline.startPage();
      vi.advanceTimersByTime(45);
      deadline.endPage();
    }
    expect(expired).toEqual([]);
    deadline.startPage();
    vi.advanceTimersByTime(20);
    expect(expired).toEqual([150]);
    deadline.clear();
  } finally {
    vi.useRealTimers();
  }
});
