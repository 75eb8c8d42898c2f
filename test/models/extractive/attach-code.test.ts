import { expect, test } from 'vitest';
import { attachCode } from '../../../src/models/extractive/attach-code.ts';
import { readBlockSpans } from '../../../src/text/block-spans.ts';
import { sentencesIn } from '../../../src/text/sentences.ts';

function attach(text: string, blocks: string): string[] {
  return attachCode(sentencesIn(text, readBlockSpans(blocks))).map((one) => one.text);
}

test('code belongs to the sentence before it, or else to the heading above it', () => {
  expect(attach('Run this:\n$ ls -l', 'p0,9 c1,7')).toEqual(['Run this: ls -l']);
  expect(attach('Forgot the password\npasswd ann\npasswd ben', 'h0,19 c1,10 c1,10')).toEqual([
    'Forgot the password',
    'Forgot the password: passwd ann passwd ben',
  ]);
  expect(attach('ls -l', 'c0,5')).toEqual(['ls -l']);
});

test('long code is cut between its lines', () => {
  const code = Array.from({ length: 40 }, (_, line) => `step number ${line}`).join('\n');
  const [text = ''] = attach(code, `c0,${code.length}`);
  expect(text).toMatch(/^step number 0 step number 1 .* step number 19 …$/);
});
