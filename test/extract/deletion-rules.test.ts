import { describe, expect, test } from 'vitest';
import { readEpub } from '../../src/extract/epub/epub.ts';
import { defaultExtractLimits as limits } from '../../src/extract/extract-limits.ts';
import type { ExtractedText } from '../../src/extract/extracted-text.ts';
import { readHtml } from '../../src/extract/html/html.ts';
import { readHtmlPage } from '../../src/extract/html/html-page.ts';
import { defaultOcrSettings } from '../../src/extract/ocr/ocr-settings.ts';
import {
  createPageRecognizer,
  type PageRecognizer,
} from '../../src/extract/ocr/page-recognizer.ts';
import { readDocx } from '../../src/extract/office/docx.ts';
import { readPptx } from '../../src/extract/office/pptx.ts';
import { readOdt } from '../../src/extract/open-document/odt.ts';
import { createPageTextFilter } from '../../src/extract/page-texts.ts';
import { readPdf } from '../../src/extract/pdf/pdf.ts';
import { readRtf } from '../../src/extract/rtf/rtf.ts';
import { readCsv } from '../../src/extract/tables/csv.ts';
import { readXlsx } from '../../src/extract/tables/xlsx.ts';
import { readEml } from '../../src/extract/text-formats/eml.ts';
import { readJson, readJsonLines } from '../../src/extract/text-formats/json.ts';
import { readMarkdown } from '../../src/extract/text-formats/markdown.ts';
import { readTxt } from '../../src/extract/text-formats/txt.ts';
import { buildDocx, paragraph, table } from '../fixtures/build-docx.ts';
import { buildEpub } from '../fixtures/build-epub.ts';
import { buildOdt } from '../fixtures/build-odt.ts';
import { buildPdf, textAt } from '../fixtures/build-pdf.ts';
import { buildPptx, line, shape } from '../fixtures/build-pptx.ts';
import { buildXlsx } from '../fixtures/build-xlsx.ts';

const withoutOcr = createPageRecognizer(
  { ...defaultOcrSettings, mode: 'OFF' },
  limits,
  () => undefined,
);

const rooms = Array.from({ length: 8 }, (_, index) => 101 + index);
const sentences = rooms.map(
  (room) => `Room ${room} is cleaned before noon and its key is at the desk.`,
);
const utf8 = (text: string) => Buffer.from(text);
const pdf = (contents: readonly string[], recognizer: PageRecognizer = withoutOcr) =>
  readPdf(buildPdf(contents.map((content) => ({ content }))), limits, recognizer);
const html = (body: string) => `<html><head><title>Rooms</title></head><body>${body}</body></html>`;
const each = (render: (sentence: string, room: number) => string, separator = '') =>
  sentences.map((sentence, index) => render(sentence, rooms[index] ?? 0)).join(separator);

/** Files with an entry per room. The entries differ in the number of the room only. */
const files: Readonly<Record<string, () => ExtractedText | Promise<ExtractedText>>> = {
  'PDF: sentences at one place of their page': () =>
    pdf(sentences.map((sentence) => textAt(72, 700, sentence))),
  'PDF: text drawn over other text': () => pdf([each((sentence) => textAt(72, 700, sentence))]),
  'PDF: rows of a table': () =>
    pdf([
      each(
        (sentence, room) =>
          textAt(72, 700 - (room - 101) * 14, sentence) +
          textAt(450, 700 - (room - 101) * 14, 'yes'),
      ),
    ]),
  'DOCX: paragraphs': () => readDocx(buildDocx(each((sentence) => paragraph(sentence))), limits),
  'DOCX: rows of a table': () =>
    readDocx(buildDocx(table(sentences.map((sentence) => [sentence, 'yes']))), limits),
  'DOCX: page headers': () =>
    readDocx(
      buildDocx(
        paragraph('Rooms'),
        Object.fromEntries(sentences.map((sentence, n) => [`header${n + 1}`, paragraph(sentence)])),
      ),
      limits,
    ),
  'RTF: paragraphs': () =>
    readRtf(utf8(`{\\rtf1 ${each((sentence) => `${sentence}\\par `)}}`), limits),
  'RTF: page headers': () =>
    readRtf(
      utf8(`{\\rtf1 ${each((sentence) => `{\\header ${sentence}\\par}Rooms\\par\\sect `)}}`),
      limits,
    ),
  'ODT: paragraphs': () =>
    readOdt(buildOdt(each((sentence) => `<text:p>${sentence}</text:p>`)), limits),
  'PPTX: slides': () =>
    readPptx(
      buildPptx(sentences.map((sentence) => ({ shapes: shape('type="title"', line(sentence)) }))),
      limits,
    ),
  'PPTX: footers': () =>
    readPptx(
      buildPptx(
        sentences.map((sentence) => ({
          shapes: shape('type="title"', line('Room')) + shape('type="ftr"', line(sentence)),
        })),
      ),
      limits,
    ),
  'XLSX: rows': () =>
    readXlsx(
      buildXlsx([{ rows: [['Text', 'Clean'], ...sentences.map((s) => [s, 'yes'])] }]),
      limits,
    ),
  'XLSX: sheets': () =>
    readXlsx(
      buildXlsx(
        sentences.map((s) => ({
          rows: [
            ['Text', 'Clean'],
            [s, 'yes'],
          ],
        })),
      ),
      limits,
    ),
  'CSV: rows': () =>
    readCsv(utf8(`Text,Clean\n${each((sentence) => `${sentence},yes`, '\n')}`), limits),
  'JSON: records': () =>
    readJson(utf8(JSON.stringify(sentences.map((text) => ({ text })))), limits),
  'JSONL: records': () =>
    readJsonLines(utf8(each((text) => JSON.stringify({ text }), '\n')), limits),
  'Markdown: paragraphs': () => readMarkdown(utf8(sentences.join('\n\n')), limits),
  'Markdown: lines': () => readMarkdown(utf8(sentences.join('\n')), limits),
  'text: lines': () => readTxt(utf8(sentences.join('\n')), limits),
  'EPUB: chapters': () =>
    readEpub(
      buildEpub(Object.fromEntries(sentences.map((s, n) => [`c${n}.xhtml`, `<p>${s}</p>`]))),
      limits,
    ),
  'email: quoted replies': () =>
    readEml(
      utf8(
        `From: a@hotel.example\r\nSubject: Rooms\r\n\r\n${each((s, room) => `${'> '.repeat(room - 100)}${s}`, '\r\n')}`,
      ),
      limits,
    ),
  'email: signatures': () =>
    readEml(
      utf8(`From: a@hotel.example\r\nSubject: Rooms\r\n\r\n${each((s) => `-- \r\n${s}`, '\r\n')}`),
      limits,
    ),
};

const pages: Readonly<Record<string, string>> = {
  paragraphs: each((sentence) => `<p>${sentence}</p>`),
  'cards with a link': each(
    (sentence, room) =>
      `<div class="card"><h3>Room ${room}</h3><p>${sentence} <a href="/${room}">More</a></p></div>`,
  ),
  'rows of a table': `<table>${each((sentence) => `<tr><td>${sentence}</td><td>yes</td></tr>`)}</table>`,
  'items of a list': `<ul>${each((sentence) => `<li>${sentence}</li>`)}</ul>`,
  articles: each((sentence) => `<article><p>${sentence}</p></article>`),
  'panels that a button opens': each(
    (sentence, room) =>
      `<button aria-controls="r${room}">Room ${room}</button><div id="r${room}" hidden><p>${sentence}</p></div>`,
  ),
};

describe('entries that differ in one number only all stay', () => {
  test.each(Object.entries(files))('%s', async (_, read) => {
    const { text } = await read();
    const found = text.replace(/\s+/g, ' ');
    for (const sentence of sentences) expect(found).toContain(sentence);
  });

  test.each(Object.entries(pages))('HTML, uploaded and crawled: %s', async (_, body) => {
    const bytes = utf8(html(body));
    const { text } = await readHtml(bytes, limits);
    const { markdown } = await readHtmlPage(bytes, limits);
    for (const sentence of sentences) {
      expect(text).toContain(sentence);
      expect(markdown).toContain(sentence);
    }
  });
});

test('page headers with a number and few letters are read; page numbers are not', () => {
  const isRead = createPageTextFilter();
  const headers = ['Q3 2025', 'Q3 2026', '§ 12 A', '第3章', '12.03.2026', '2026', '№ 4711'];
  expect(headers.filter(isRead)).toEqual(headers);
  const numbers = ['1', '- 12 -', '3/12', '3 / 12', 'iv', '(7)', ''];
  expect(numbers.filter(isRead)).toEqual([]);
});
