import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { detectFileType } from '../../src/extract/detect/detect-file-type.ts';
import { defaultExtractLimits } from '../../src/extract/extract-limits.ts';
import { readDocx } from '../../src/extract/office/docx.ts';
import { unpackArchive } from '../../src/extract/unpack-archive.ts';

const blank = new Uint8Array(30_000_000);

test.each(['word\\document.xml', '/word/document.xml', './word/document.xml'])(
  'a document whose parts are named like %s is read',
  async (name) => {
    const xml = strToU8(
      '<w:document><w:body><w:p><w:r><w:t>Pool</w:t></w:r></w:p></w:body></w:document>',
    );
    const bytes = zipSync({ '[Content_Types].xml': strToU8('<Types/>'), [name]: xml });
    expect(detectFileType(bytes, 'rules.docx')).toBe('docx');
    expect((await readDocx(bytes, defaultExtractLimits)).text).toBe('Pool');
  },
);

test('a name in UTF-8 without its flag is decoded', () => {
  const bytes = Buffer.from(zipSync({ 'größe.xml': strToU8('<x/>') }));
  const withoutFlag = (signature: string, at: number) => {
    const flags = bytes.indexOf(Buffer.from(signature, 'latin1')) + at;
    bytes.writeUInt16LE(bytes.readUInt16LE(flags) & ~0x800, flags);
  };
  withoutFlag('PK\x03\x04', 6);
  withoutFlag('PK\x01\x02', 8);
  expect([...unpackArchive(bytes, 1_000, /\.xml$/).keys()]).toEqual(['größe.xml']);
});

test('the ratio of sizes is checked for entries that are read, the total size for all', () => {
  const bytes = zipSync({ 'word/document.xml': strToU8('<x/>'), 'word/media/blank.bmp': blank });
  const names = [...unpackArchive(bytes, 100_000_000, /\.xml$/).keys()];
  expect(names).toEqual(['word/document.xml']);
  const tooLarge = expect.objectContaining({ code: 'TOO_LARGE' });
  expect(() => unpackArchive(bytes, 20_000_000, /\.xml$/)).toThrow(tooLarge);
  expect(() => unpackArchive(bytes, 100_000_000, /\.bmp$/)).toThrow(tooLarge);
});
