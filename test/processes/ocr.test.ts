import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { FileType } from '../../src/extract/file-formats.ts';
import { defaultOcrSettings, type OcrSettings } from '../../src/extract/ocr/ocr-settings.ts';
import type { ExtractedChunks } from '../../src/extract/process/extract-protocol.ts';
import { type Extractor, startExtractor } from '../../src/extract/process/extractor-pool.ts';
import { buildPdf, textAt } from '../fixtures/build-pdf.ts';
import { buildPng, encodeGrayPng } from '../fixtures/build-png.ts';
import { photocopy, scan, scannedPage, strip, turn } from '../fixtures/build-scan.ts';
import { scannedPages, textOfPage } from '../fixtures/scans/pages.ts';
import { characterErrorRate } from '../support/character-error-rate.ts';

const maxErrorRate = 0.03;

/** Recognition takes seconds per page, and longer on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

let directory = '';
let extractor: Extractor;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ocr-test-'));
  extractor = startExtractor({ processes: 1 });
});

afterAll(async () => {
  await extractor.stop();
  await rm(directory, { recursive: true, force: true });
});

async function read(
  type: FileType,
  bytes: Uint8Array,
  ocr: Partial<OcrSettings> = {},
): Promise<ExtractedChunks> {
  const path = join(directory, `file.${type}`);
  await writeFile(path, bytes);
  return extractor.extract({ path, type, ocr: { ...defaultOcrSettings, ...ocr } });
}

/** Returns the recognized text without the separators between table cells. */
function textOf({ chunks }: ExtractedChunks): string {
  return chunks.map(({ content }) => content.replaceAll(' | ', ' ')).join('\n');
}

function errorRate(chunks: ExtractedChunks, name: string): number {
  const page = scannedPages[name];
  if (page === undefined) throw new Error(`No page ${name}`);
  return characterErrorRate(textOf(chunks), textOfPage(page));
}

test.each(Object.keys(scannedPages))(
  'scanned page %s: at most 0.03 of its characters are wrong',
  async (name) => {
    const rate = errorRate(await read('png', scan(name)), name);
    console.log(`${name}: character error rate ${rate.toFixed(4)}`);
    expect(rate).toBeLessThanOrEqual(maxErrorRate);
  },
);

test('at most 3 % of the characters of a crooked photocopy are wrong', async () => {
  const rate = errorRate(await read('png', photocopy(scan('letter'))), 'letter');
  console.log(`photocopy: character error rate ${rate.toFixed(4)}`);
  expect(rate).toBeLessThanOrEqual(maxErrorRate);
});

test('pages of a PDF without text are recognized, and keep their numbers', async () => {
  const letter = scan('letter');
  const half = strip(letter, 0, 640);
  const { chunks, warnings } = await read(
    'pdf',
    buildPdf([
      { content: textAt(72, 700, 'The first page is text and says that pumps are blue.') },
      scannedPage(letter),
      scannedPage(turn(letter), { rotate: 270, content: 'q 468 0 0 595 0 197 cm /Im0 Do Q' }),
      scannedPage(half),
    ]),
  );
  const pageOf = (words: string) =>
    chunks.filter(({ content }) => content.includes(words)).map(({ page }) => page);
  expect(pageOf('pumps are blue')).toEqual([1]);
  expect(pageOf('warehouse in Leipzig')).toEqual([2, 3, 4]);
  expect(pageOf('proof of purchase')).toEqual([2, 3]);
  expect(warnings).toEqual([]);
});

test.each([
  ['jpeg', 'turned.jpg', 1],
  ['jpeg', 'cmyk.jpg', 1],
  ['webp', 'page.webp', 1],
  // Only the first frame is read.
  ['png', 'animated.png', 1],
  // The file has two pages.
  ['tiff', 'pages.tif', 2],
] as const)('%s: %s is read, %i time(s)', async (type, name, times) => {
  const text = textOf(await read(type, fixture(name)));
  expect(text.match(/fourth floor is open/g)).toHaveLength(times);
});

const letter = scan('letter');

test.each([
  ['an animation', 'webp', fixture('animated.webp'), 'CORRUPT_FILE'],
  ['a truncated header', 'png', letter.subarray(0, 20), 'CORRUPT_FILE'],
  ['a truncated JPEG header', 'jpeg', fixture('cmyk.jpg').subarray(0, 30), 'CORRUPT_FILE'],
  ['a TIFF without pages', 'tiff', Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1'), 'CORRUPT_FILE'],
  ['a single pixel', 'png', encodeGrayPng(white(1, 1)), 'EMPTY_TEXT'],
  ['a white page', 'png', encodeGrayPng(white(600, 400)), 'EMPTY_TEXT'],
  [
    '60,000 x 60,000 pixels',
    'png',
    buildPng({ width: 60_000, height: 60_000 }, bomb(1)),
    'TOO_LARGE',
  ],
  [
    'a line of 2^31 pixels',
    'png',
    buildPng({ width: 2 ** 31 - 1, height: 1 }, bomb(1)),
    'TOO_LARGE',
  ],
] as const)('%s (%s) fails with its code', async (_what, type, bytes, code) => {
  await expect(read(type, bytes)).rejects.toMatchObject({ code });
});

test('a file whose pixels are a bomb, or are truncated, needs no more memory than its size', async () => {
  for (const bytes of [
    buildPng({ width: 600, height: 400 }, bomb(300)),
    fixture('cmyk.jpg').subarray(0, 4_000),
    letter.subarray(0, 20_000),
  ]) {
    const outcome = await read(bytes[0] === 0xff ? 'jpeg' : 'png', bytes).then(
      () => 'read',
      (error: { code?: string }) => error.code,
    );
    expect(['read', 'EMPTY_TEXT', 'CORRUPT_FILE']).toContain(outcome);
  }
  expect(textOf(await read('webp', fixture('page.webp')))).toContain('fourth floor');
});

test('OFF reads no image, and a scanned PDF has no text', async () => {
  const mode = 'OFF';
  await expect(read('png', letter, { mode })).rejects.toMatchObject({ code: 'UNSUPPORTED_FILE' });
  const pdf = buildPdf([scannedPage(letter)]);
  await expect(read('pdf', pdf, { mode })).rejects.toMatchObject({ code: 'EMPTY_TEXT' });
});

test('a language without data fails an image, a scanned PDF has no text, and other PDFs are read', async () => {
  const languages = ['xyz'];
  await expect(read('png', letter, { languages })).rejects.toMatchObject({
    code: 'UNSUPPORTED_FILE',
    message: expect.stringContaining('xyz'),
  });
  const scanned = scannedPage(letter);
  await expect(read('pdf', buildPdf([scanned]), { languages })).rejects.toMatchObject({
    code: 'EMPTY_TEXT',
    message: expect.stringContaining('xyz'),
  });
  const mixed = buildPdf([{ content: textAt(72, 700, 'Pumps are blue.') }, scanned]);
  expect(textOf(await read('pdf', mixed, { languages }))).toBe('Pumps are blue.');
});

test('a scan with more pages than the limit is TOO_LARGE; of a PDF with text, the first ones are read', async () => {
  const part = scannedPage(strip(scan('handbook'), 120, 215));
  const pages = 1;
  await expect(read('pdf', buildPdf([part, part]), { pages })).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
  await expect(read('tiff', fixture('pages.tif'), { pages })).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
  const mixed = buildPdf([{ content: textAt(72, 700, 'Pumps are blue.') }, part, part]);
  const found = textOf(await read('pdf', mixed, { pages })).match(/Guest handbook/g);
  expect(found).toHaveLength(1);
});

test('pictures that exceed the time of OCR do not cost the text of a PDF', async () => {
  const limited = startExtractor({ processes: 1, limits: { ocrPageTimeoutMs: 1 } });
  const path = join(directory, 'slow.pdf');
  const scanned = scannedPage(letter);
  await writeFile(path, buildPdf([{ content: textAt(72, 700, 'Pumps are blue.') }, scanned]));
  expect(textOf(await limited.extract({ path, type: 'pdf' }))).toBe('Pumps are blue.');
  await writeFile(path, buildPdf([scanned]));
  await expect(limited.extract({ path, type: 'pdf' })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: expect.stringContaining('longer than 0.001 s'),
  });
  await limited.stop();
});

test('ON also reads pictures on pages with text, but not the scan below its own text', async () => {
  const picture = scannedPage(strip(scan('handbook'), 120, 215));
  const draw = picture.content;
  const other = { ...picture, content: `${draw}\n${textAt(72, 300, 'Pumps are blue.')}` };
  const same = { ...picture, content: `${draw}\n${textAt(72, 300, 'Guest handbook')}` };
  const mode = 'ON';
  expect(textOf(await read('pdf', buildPdf([other])))).toBe('Pumps are blue.');
  const both = textOf(await read('pdf', buildPdf([other]), { mode }));
  expect(both).toContain('Pumps are blue.');
  expect(both).toContain('Guest handbook');
  expect(textOf(await read('pdf', buildPdf([same]), { mode }))).toBe('Guest handbook');
});

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/scans/${name}`, import.meta.url));
}

function white(width: number, height: number) {
  return { width, height, pixels: new Uint8Array(width * height).fill(255) };
}

/** Returns this many megabytes of zeros, compressed. */
function bomb(megabytes: number): Buffer {
  return deflateSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 9 });
}
