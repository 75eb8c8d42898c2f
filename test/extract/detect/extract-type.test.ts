import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { damagedTypeOf, detectFileType } from '../../../src/extract/detect/detect-file-type.ts';
import { fileFormats, isTextFormat, mimeTypeOf } from '../../../src/extract/file-formats.ts';
import { buildDocx, paragraph } from '../../fixtures/build-docx.ts';
import { buildEpub } from '../../fixtures/build-epub.ts';
import { buildOdt } from '../../fixtures/build-odt.ts';
import { encryptedOffice } from '../../fixtures/build-office-package.ts';
import { buildPdf, textAt } from '../../fixtures/build-pdf.ts';
import { buildPptx } from '../../fixtures/build-pptx.ts';
import { buildXlsx } from '../../fixtures/build-xlsx.ts';

const pdf = buildPdf([{ content: textAt(72, 700, 'Hello') }]);
const docx = buildDocx(paragraph('Hello'));
const text = Buffer.from('Hello, world\n');

test('PDF and DOCX are recognized by content, regardless of the file name', () => {
  for (const name of ['a.pdf', 'a', 'a.txt', 'A.PDF', 'report.final']) {
    expect(detectFileType(pdf, name)).toBe('pdf');
  }
  for (const name of ['a.docx', 'a', 'a.doc']) expect(detectFileType(docx, name)).toBe('docx');
});

test('a PDF signature counts only within the first 1,024 bytes', () => {
  expect(detectFileType(Buffer.concat([Buffer.alloc(900, '\n'), pdf]), 'a.pdf')).toBe('pdf');
  expect(detectFileType(Buffer.concat([Buffer.alloc(1100, '\n'), pdf]), 'a.pdf')).toBeNull();
});

test('a PDF named .docx, a DOCX named .pdf, or a false extension is rejected', () => {
  expect(detectFileType(docx, 'a.pdf')).toBeNull();
  expect(detectFileType(pdf, 'a.docx')).toBeNull();
  expect(detectFileType(text, 'a.pdf')).toBeNull();
  expect(detectFileType(text, 'a.docx')).toBeNull();
});

test('a DOCX is recognized from its first bytes', () => {
  expect(detectFileType(docx.subarray(0, 600), 'a.docx')).toBe('docx');
});

test.each([
  ['a.xls', '<html><body><table></table></body></html>', 'html'],
  ['a.xls', '<div>\n<table>', 'html'],
  ['A.XLS', ' <TABLE border=1>', 'html'],
  ['a.xls', 'Code\tModel\n77\tFalcon lamp\n', 'csv'],
  ['a.doc', '<html xmlns:w="urn:word"><body>', 'html'],
  ['a.doc', 'Dear all,', 'txt'],
  ['a.doc', '{\\rtf1 Dear all}', 'rtf'],
  ['a.ppt', 'Dear all,', null],
  ['a.xls', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', null],
])('%s with the content %j is %s', (name, content, type) => {
  expect(detectFileType(Buffer.from(content, 'latin1'), name)).toBe(type);
});

test('text formats are distinguished by extension, in any case', () => {
  const types = { csv: 'csv', TSV: 'csv', md: 'markdown', Markdown: 'markdown', mdx: 'markdown' };
  for (const [extension, type] of Object.entries(types)) {
    expect(detectFileType(text, `prices.2026.${extension}`)).toBe(type);
  }
  for (const name of ['a.txt', 'a.text', 'a.log', 'README', '.hidden']) {
    expect(detectFileType(text, name)).toBe('txt');
  }
});

test.each([
  ['an HTML page', '\n <!DOCTYPE html><title>Prices</title>'],
  ['XHTML after comments', '<?xml version="1.0"?>\n<!-- a --><!-- b -->\n<html lang="en">'],
])('%s is recognized by content, unless its name is that of another format', (_, page) => {
  for (const name of ['a.html', 'a.htm', 'a', 'a.php', 'a.txt']) {
    expect(detectFileType(Buffer.from(page), name)).toBe('html');
    expect(detectFileType(Buffer.from(`\ufeff${page}`, 'utf16le'), name)).toBe('html');
  }
  expect(detectFileType(Buffer.from(`\ufeff${page}`), 'a.php')).toBe('html');
  expect(detectFileType(Buffer.from(page), 'a.md')).toBe('markdown');
  expect(detectFileType(Buffer.from(page), 'a.pdf')).toBeNull();
  expect(detectFileType(Buffer.from(`Use ${page}`), 'a.php')).toBeNull();
});

test('text in unsupported formats is rejected', () => {
  for (const name of ['a.json', 'a.rtf', 'a.xml']) expect(detectFileType(text, name)).toBeNull();
  expect(detectFileType(Buffer.from('%!PS-Adobe-3.0'), 'a.txt')).toBeNull();
});

test('other Office files, images, archives and binaries are rejected under any name', () => {
  const binaries = {
    xlsb: zipSync({
      '[Content_Types].xml': strToU8('<Types/>'),
      'xl/workbook.bin': strToU8('x'),
    }),
    ods: zipSync({
      mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }],
      'content.xml': strToU8('<x/>'),
    }),
    zip: zipSync({ 'hello.txt': strToU8('hello') }),
    doc: Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), Buffer.alloc(100, 'a')]),
    gif: Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(64, 'a')]),
    bigTiff: Buffer.concat([Buffer.from('II+\0\x08\0\0\0'), Buffer.alloc(64)]),
    sound: Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(64)]),
    random: Buffer.from(
      Array.from({ length: 4096 }, (_, index) => (index * 7919 + (index >> 3)) % 256),
    ),
  };
  for (const bytes of Object.values(binaries)) {
    for (const name of ['a.txt', 'a.csv', 'a.md', 'a.pdf', 'a.docx', 'a']) {
      expect(detectFileType(bytes, name)).toBeNull();
    }
  }
});

test('images are recognized by content, under the name of any image or text, and not under that of a document', () => {
  const images = {
    png: Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG\r\n\x1a\n'), Buffer.alloc(64, 'a')]),
    jpeg: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(64, 'a')]),
    webp: Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), Buffer.alloc(64)]),
    tiff: Buffer.concat([Buffer.from('MM\0*\0\0\0\x08'), Buffer.alloc(64)]),
  };
  for (const [type, bytes] of Object.entries(images)) {
    for (const name of ['a.png', 'a.JPG', 'a.tif', 'a.txt', 'a']) {
      expect(detectFileType(bytes, name)).toBe(type);
    }
    for (const name of ['a.pdf', 'a.docx']) expect(detectFileType(bytes, name)).toBeNull();
  }
  expect(detectFileType(Buffer.from('text'), 'a.png')).toBeNull();
});

test('an Office file with a password is recognized, so that its document says why it is unreadable', () => {
  expect(detectFileType(encryptedOffice(), 'a.xlsx')).toBe('xlsx');
  expect(detectFileType(encryptedOffice(), 'a.docx')).toBe('docx');
  expect(detectFileType(encryptedOffice(), 'a.txt')).toBeNull();
});

test('XLSX is recognized by content, and from its first bytes by extension', () => {
  const xlsx = buildXlsx([{ rows: [['Hello']] }]);
  for (const name of ['a.xlsx', 'a', 'a.csv', 'a.xls'])
    expect(detectFileType(xlsx, name)).toBe('xlsx');
  for (const name of ['a.docx', 'a.pdf']) expect(detectFileType(xlsx, name)).toBeNull();
  expect(detectFileType(xlsx.subarray(0, 200), 'a.xlsx')).toBe('xlsx');
});

test('PPTX and ODT are recognized by content', () => {
  const pptx = buildPptx([{ shapes: '' }]);
  const odt = buildOdt('<text:p>Hello</text:p>');
  for (const name of ['a.pptx', 'a', 'a.ppt', 'a.txt'])
    expect(detectFileType(pptx, name)).toBe('pptx');
  for (const name of ['a.odt', 'a', 'a.txt']) expect(detectFileType(odt, name)).toBe('odt');
  expect(detectFileType(odt.subarray(0, 200), 'a.odt')).toBe('odt');
  expect(detectFileType(odt, 'a.docx')).toBeNull();
});

/** Returns a zip directory (ZIP64) that claims to have `count` entries but contains none. */
function emptyDirectory(count: number): Buffer {
  const directory = Buffer.alloc(56);
  directory.write('PK\x06\x06');
  directory.writeUInt32LE(count, 32);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07');
  locator.writeUInt32LE(4, 8);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(0xffff, 8);
  return Buffer.concat([Buffer.from('PK\x03\x04'), directory, locator, end]);
}

test('a directory that states billions of entries, and long names, take little time', () => {
  for (const name of ['a.docx', 'a.zip', 'a.md']) {
    expect(detectFileType(emptyDirectory(0xffff_ffff), name)).toBeNull();
  }
  const header = Buffer.alloc(30, 0xff);
  header.write('PK\x03\x04');
  const headers = Buffer.concat(Array.from({ length: 100_000 }, () => header));
  const before = process.cpuUsage();
  expect(detectFileType(headers, 'a.docx')).toBeNull();
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

test('an Office file whose first bytes show only pictures is recognized by extension', () => {
  const picture: [Uint8Array, { level: 0 }] = [new Uint8Array(2_000), { level: 0 }];
  const head = (folder: string) =>
    zipSync({
      '[Content_Types].xml': strToU8('<Types/>'),
      [`${folder}/_rels/a.xml.rels`]: strToU8('<x/>'),
      [`${folder}/media/big.png`]: picture,
    }).subarray(0, 1_500);
  expect(detectFileType(head('word'), 'a.docx')).toBe('docx');
  expect(detectFileType(head('ppt'), 'a.pptx')).toBe('pptx');
  expect(detectFileType(head('xl'), 'a.xlsx')).toBe('xlsx');
  for (const name of ['a.docx', 'a.pptx', 'a.epub', 'a']) {
    expect(detectFileType(head('xl'), name)).toBeNull();
  }
});

test('EPUB and ODT that a general zip tool wrote are recognized by extension', () => {
  const mimetype = strToU8('application/x '.repeat(20));
  const epub = zipSync({ 'META-INF/container.xml': strToU8('<x/>'), mimetype });
  const odt = zipSync({ mimetype, 'content.xml': strToU8('<x/>') });
  const other = zipSync({ mimetype, 'a.xml': strToU8('<x/>') });
  expect(detectFileType(epub, 'a.epub')).toBe('epub');
  expect(detectFileType(epub.subarray(0, 100), 'a.epub')).toBe('epub');
  expect(detectFileType(odt, 'a.odt')).toBe('odt');
  for (const name of ['a.odt', 'a', 'a.docx']) expect(detectFileType(epub, name)).toBeNull();
  for (const name of ['a.odt', 'a.epub']) expect(detectFileType(other, name)).toBeNull();
});

test('RTF and EPUB are recognized by content, and emails by extension and their first header', () => {
  const rtf = Buffer.from('{\\rtf1\\ansi Hello}');
  for (const name of ['a.rtf', 'a.doc', 'a.txt', 'a'])
    expect(detectFileType(rtf, name)).toBe('rtf');
  expect(detectFileType(rtf, 'a.docx')).toBeNull();
  const epub = buildEpub({ 'one.xhtml': '<p>Hello</p>' });
  for (const name of ['a.epub', 'a']) expect(detectFileType(epub, name)).toBe('epub');
  expect(detectFileType(epub, 'a.odt')).toBeNull();
  const email = Buffer.from('Received: by hotel.example\r\n\tid 1\r\nSubject: Hello\r\n\r\nHi');
  expect(detectFileType(email, 'a.eml')).toBe('eml');
  expect(detectFileType(email, 'a.txt')).toBe('txt');
});

test('JSON is recognized by extension, if its first characters are possible', () => {
  const json = Buffer.from(' {"a": 1}');
  for (const name of ['a.json', 'A.JSON']) expect(detectFileType(json, name)).toBe('json');
  for (const name of ['a.jsonl', 'a.ndjson']) expect(detectFileType(json, name)).toBe('jsonl');
  expect(detectFileType(json, 'a.txt')).toBe('txt');
  expect(detectFileType(Buffer.from('\ufeff[1]', 'utf16le'), 'a.json')).toBe('json');
  expect(detectFileType(Buffer.from('<html>'), 'a.json')).toBeNull();
});

test('UTF-16 and UTF-32 text is text, with and without a byte order mark', () => {
  const utf16 = Buffer.from('Breakfast is served from seven to ten.', 'utf16le');
  const utf32 = Buffer.from(
    Uint32Array.from('Breakfast is served from seven.', (c) => c.charCodeAt(0)).buffer,
  );
  expect(detectFileType(utf16, 'a.txt')).toBe('txt');
  expect(detectFileType(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'a.csv')).toBe('csv');
  expect(detectFileType(Buffer.from(utf16).swap16(), 'a.txt')).toBe('txt');
  expect(detectFileType(utf32, 'a.txt')).toBe('txt');
});

test('each fixture has the type of its name, and each type its own media type', () => {
  const fixtures = {
    'handbook.pdf': 'pdf',
    'handbook.docx': 'docx',
    'rooms.csv': 'csv',
    'faq.md': 'markdown',
    'notes.txt': 'txt',
    'opening-hours.html': 'html',
    'hotel.json': 'json',
    'faq.jsonl': 'jsonl',
  } as const;
  for (const [name, type] of Object.entries(fixtures)) {
    const bytes = readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
    expect(detectFileType(bytes, name)).toBe(type);
  }
  expect(new Set(Object.values(fixtures).map(mimeTypeOf)).size).toBe(Object.keys(fixtures).length);
});

test('a file with the extension of a binary format and without its content is damaged', () => {
  const damaged = {
    text: Buffer.from('no file of this format'),
    zeros: Buffer.alloc(5_000),
    control: Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7_919) % 32)),
  };
  for (const [type, { extensions }] of Object.entries(fileFormats)) {
    const isText = isTextFormat(type as keyof typeof fileFormats);
    for (const bytes of Object.values(damaged)) {
      for (const extension of extensions) {
        expect(damagedTypeOf(bytes, `a${extension}`), extension).toBe(isText ? null : type);
      }
    }
  }
});

test('an archive without its directory is damaged, and a complete archive of another kind is not', () => {
  const other = zipSync({ 'hello.txt': strToU8('hello') });
  for (const type of ['docx', 'xlsx', 'pptx', 'odt', 'epub']) {
    expect(damagedTypeOf(other.subarray(0, 40), `a.${type}`)).toBe(type);
    expect(damagedTypeOf(other, `a.${type}`)).toBeNull();
  }
  for (const bytes of [other, other.subarray(0, 40)]) {
    expect(damagedTypeOf(bytes, 'a.pdf')).toBeNull();
  }
});

test('a file of another known format is not damaged', () => {
  const page = Buffer.from('<!doctype html><title>Sign in</title>');
  for (const bytes of [pdf, page, Buffer.from('GIF89a'), Buffer.from('{\\rtf1 a}')]) {
    expect(damagedTypeOf(bytes, 'a.docx')).toBeNull();
  }
  expect(damagedTypeOf(text, 'a.xyz')).toBeNull();
});
