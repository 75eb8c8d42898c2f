import { expect, test } from 'vitest';
import { type BlockSpan, readBlockSpans, writeBlockSpans } from '../../src/text/block-spans.ts';

test('blocks are written as a short text and read again', () => {
  const blocks: BlockSpan[] = [
    { kind: 'heading', start: 0, end: 7, continuesItem: false },
    { kind: 'list-item', start: 9, end: 30, continuesItem: false },
    { kind: 'code', start: 31, end: 50, continuesItem: true },
    { kind: 'table-row', start: 52, end: 60, continuesItem: false },
  ];
  const written = writeBlockSpans(blocks);
  expect(written).toBe('h0,7 i2,21 c+1,19 r2,8');
  expect(readBlockSpans(written)).toEqual(blocks);
  expect(readBlockSpans('')).toEqual([]);
});
