import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readEpub } from '../../../src/extract/epub/epub.ts';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { buildEpub } from '../../fixtures/build-epub.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const read = async (...parameters: Parameters<typeof buildEpub>) =>
  describeBlocks(await readEpub(buildEpub(...parameters), defaultExtractLimits));

const metadata = '<dc:title>Harbour Guide</dc:title><dc:creator>Ann Lee</dc:creator>';

test('chapters are read in reading order, after title and author', async () => {
  const chapters = {
    'z one.xhtml': '<h1>Pool</h1><p>Open daily.</p><ul><li>Shower</li></ul>',
    'a.xhtml': '<h2>Sauna</h2><table><tr><td>Day</td><td>Hours</td></tr></table>',
  };
  expect(await read(chapters, { metadata })).toEqual([
    'heading1: Harbour Guide',
    'paragraph: Ann Lee',
    'heading1: Pool',
    'paragraph: Open daily.',
    'list-item: - Shower',
    'heading2: Sauna',
    'table-row: Day | Hours',
  ]);
});

test('a chapter without a heading has the title of the table of contents, of EPUB 3 or 2', async () => {
  const chapters = { 'one.xhtml': '<p>First.</p>', 'two.xhtml': '<h3>Own</h3><p>Second.</p>' };
  const expected = [
    'heading1: Arrival',
    'paragraph: First.',
    'heading3: Own',
    'paragraph: Second.',
  ];
  const nav =
    '<nav><ol><li><a href="one.xhtml#x">Arrival</a></li><li><a href="two.xhtml">Two</a></li></ol></nav>';
  expect(await read(chapters, { others: { 'OEBPS/nav.xhtml': nav } })).toEqual(expected);
  const ncx = `<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/ncx.dtd">
    <ncx><navMap><navPoint><navLabel><text>Part</text></navLabel><content src="two.xhtml"/>
    <navPoint><navLabel><text>Arrival</text></navLabel><content src="one.xhtml"/></navPoint></navPoint></navMap></ncx>`;
  expect(await read(chapters, { others: { 'OEBPS/toc.ncx': ncx } })).toEqual(expected);
});

test('numbers of headings and letters of lists are as shown', async () => {
  const list = '<ol type="a" start="2"><li>Mast<ol type="I"><li>Boom</li></ol></li></ol>';
  expect(await read({ 'one.xhtml': `<h2>3.2 Ice</h2>${list}` })).toEqual([
    'heading2: 3.2 Ice',
    'list-item: b. Mast',
    'list-item:   I. Boom',
  ]);
});

test('damaged, protected, empty and hostile books have their error codes', async () => {
  const rejects = (bytes: Uint8Array, code: string) =>
    expect(readEpub(bytes, defaultExtractLimits)).rejects.toMatchObject({ code });
  const chapters = { 'one.xhtml': '<p>Hello</p>' };
  const whole = buildEpub(chapters);
  await rejects(whole.subarray(0, whole.length / 2), 'CORRUPT_FILE');
  await rejects(zipSync({ a: strToU8('b') }), 'CORRUPT_FILE');
  await rejects(buildEpub({ 'one.xhtml': '' }), 'EMPTY_TEXT');
  const encrypted = (uri: string) => ({
    'META-INF/encryption.xml': `<encryption><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`,
  });
  await rejects(buildEpub(chapters, { others: encrypted('OEBPS/one.xhtml') }), 'ENCRYPTED');
  expect(await read(chapters, { others: encrypted('OEBPS/font.otf') })).toEqual([
    'paragraph: Hello',
  ]);
  await rejects(zipSync({ 'META-INF/container.xml': new Uint8Array(30_000_000) }), 'TOO_LARGE');
  const entity = '<!DOCTYPE d [<!ENTITY a "b">]><container>&a;</container>';
  await rejects(zipSync({ 'META-INF/container.xml': strToU8(entity) }), 'CORRUPT_FILE');
  await rejects(buildEpub({ 'one.xhtml': '<div>'.repeat(20_000) }), 'TOO_LARGE');
});
