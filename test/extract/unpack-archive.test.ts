import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { unpackArchive } from '../../src/extract/unpack-archive.ts';

const blank = new Uint8Array(30_000_000);

test('the ratio of sizes is checked for entries that are read, the total size for all', () => {
  const bytes = zipSync({ 'word/document.xml': strToU8('<x/>'), 'word/media/blank.bmp': blank });
  const names = [...unpackArchive(bytes, 100_000_000, /\.xml$/).keys()];
  expect(names).toEqual(['word/document.xml']);
  const tooLarge = expect.objectContaining({ code: 'TOO_LARGE' });
  expect(() => unpackArchive(bytes, 20_000_000, /\.xml$/)).toThrow(tooLarge);
  expect(() => unpackArchive(bytes, 100_000_000, /\.bmp$/)).toThrow(tooLarge);
});
