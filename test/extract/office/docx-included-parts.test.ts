import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readDocx } from '../../../src/extract/office/docx.ts';
import { buildDocx, paragraph, table } from '../../fixtures/build-docx.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const page =
  '<!DOCTYPE html><html><body><h1>Boiler</h1><p>Descale it every 18 months.</p></body></html>';
const mhtml = [
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; type="text/html"; boundary="b"',
  '',
  '--b',
  'Content-Type: text/html; charset="utf-8"',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Location: file:///C:/fake/document.html',
  '',
  page.replaceAll('=', '=3D').replaceAll('>', '>=\r\n'),
  '--b--',
].join('\r\n');

const chunk = (name: string) => `<w:altChunk r:id="${name}"/>`;
async function read(body: string, included: Record<string, string | Uint8Array>) {
  return describeBlocks(await readDocx(buildDocx(body, {}, included), defaultExtractLimits));
}

test.each([
  ['HTML', 'a.html', page],
  ['MHTML', 'a.mht', mhtml],
  [
    'RTF',
    'a.rtf',
    String.raw`{\rtf1\ansi\pard\outlinelevel0 Boiler\par\pard Descale it every 18 months.\par}`,
  ],
])('%s is read where the document includes it', async (_, name, content) => {
  const body = `${paragraph('Before.')}${chunk(name)}${paragraph('After.')}`;
  expect(await read(body, { [name]: content })).toEqual([
    'paragraph: Before.',
    'heading1: Boiler',
    'paragraph: Descale it every 18 months.',
    'paragraph: After.',
  ]);
});

test('text, other Word documents and parts of table cells are read', async () => {
  const inner = buildDocx(paragraph('Inner.'));
  expect(
    await read(chunk('a.txt') + chunk('b.docx'), { 'a.txt': 'Text.', 'b.docx': inner }),
  ).toEqual(['paragraph: Text.', 'paragraph: Inner.']);
  const cell = `<w:tc>${chunk('a.html')}</w:tc>`;
  expect(await read(table([['Boiler', cell]]), { 'a.html': page })).toEqual([
    'table-row: Boiler | Boiler Descale it every 18 months.',
  ]);
});

test('a part without text is left out, and one that cannot be read fails the document', async () => {
  const body = paragraph('Before.');
  const empty = '<!doctype html><html></html>';
  expect(await read(body + chunk('a.html'), { 'a.html': empty })).toEqual(['paragraph: Before.']);
  await expect(read(body + chunk('a.dat'), { 'a.dat': 'wordperfect' })).rejects.toMatchObject({
    code: 'UNSUPPORTED_FILE',
  });
  await expect(read(body + chunk('a.docx'), { 'a.docx': 'PK' })).rejects.toMatchObject({
    code: 'UNSUPPORTED_FILE',
  });
});

test('documents that include each other are limited in depth and length', async () => {
  let inner = buildDocx(paragraph('Innermost.'));
  for (let depth = 1; depth <= 3; depth += 1)
    inner = buildDocx(chunk('a.docx'), {}, { 'a.docx': inner });
  const { text } = await readDocx(inner, defaultExtractLimits);
  expect(text).toBe('Innermost.');
  const deeper = buildDocx(chunk('a.docx'), {}, { 'a.docx': inner });
  await expect(readDocx(deeper, defaultExtractLimits)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  const repeated = buildDocx(chunk('a.txt').repeat(1_000), {}, { 'a.txt': 'word '.repeat(1_000) });
  const limits = { ...defaultExtractLimits, textCharacters: 100_000 };
  await expect(readDocx(repeated, limits)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});
