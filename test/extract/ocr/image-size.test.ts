import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readImageSize } from '../../../src/extract/ocr/image-size.ts';

const jpeg = readFileSync(new URL('../../fixtures/scans/turned.jpg', import.meta.url));
const hugeFrame = Buffer.from('ffc0001108ffffffff', 'hex');

test('data after the end of a JPEG, such as the video of a motion photo, do not count towards its size', () => {
  const size = readImageSize(jpeg, 'jpeg');
  expect(size).not.toBeNull();
  expect(readImageSize(Buffer.concat([jpeg, hugeFrame]), 'jpeg')).toEqual(size);
});

test('a second frame before the end of a JPEG counts', () => {
  const hostile = Buffer.concat([
    jpeg.subarray(0, 2),
    hugeFrame,
    Buffer.alloc(10),
    jpeg.subarray(2),
  ]);
  expect(readImageSize(hostile, 'jpeg')).toEqual({ width: 65_535, height: 65_535 });
});
