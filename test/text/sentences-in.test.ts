import { expect, test } from 'vitest';
import { type BlockSpan, readBlockSpans } from '../../src/text/block-spans.ts';
import { sentencesIn } from '../../src/text/sentences.ts';

/** Reads the kinds and texts of a text. Each of its lines is a block of the kind that the line begins with. */
function read(...lines: readonly (readonly [kind: string, text: string])[]) {
  let at = 0;
  const blocks: BlockSpan[] = lines.flatMap(([kind, text]) => {
    const [block] = readBlockSpans(`${kind}${at},${text.length}`);
    at += text.length + 1;
    return block === undefined ? [] : [block];
  });
  const text = lines.map(([, line]) => line).join('\n');
  return sentencesIn(text, blocks).map((sentence) => {
    expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text);
    return `${sentence.kind}: ${sentence.text}`;
  });
}

test('kinds are those of the blocks, whatever the lines look like', () => {
  expect(
    read(
      ['h', '3. Fees and charges.'],
      ['p', '8. September is the first day. It is early.'],
      ['i', 'Adults'],
      ['r', 'Seats | 6'],
      ['c', 'npm install'],
    ),
  ).toEqual([
    'heading: 3. Fees and charges.',
    'sentence: 8. September is the first day.',
    'sentence: It is early.',
    'list-item: Adults',
    'table-row: Seats | 6',
    'code: npm install',
  ]);
});

test('what belongs to an item has no bullet, but an item of a list that began earlier does', () => {
  expect(read(['i', '1. Stop the server.'], ['c+', 'docker stop'], ['i+', '- or kill it'])).toEqual(
    ['list-item: 1. Stop the server.', 'list-item: docker stop', 'list-item: or kill it'],
  );
  expect(read(['i+', '2. Start it.'])).toEqual(['list-item: 2. Start it.']);
});

test('a long item is read as a paragraph, and a question of two sentences as one', () => {
  const long = `${'The rule applies to all members of the club. '.repeat(6)}It ends today.`;
  const parts = read(['i', `- ${long}`]);
  expect(parts).toHaveLength(7);
  expect(parts[0]).toBe('sentence: The rule applies to all members of the club.');
  expect(read(['p', 'The dock is full. What now?'])).toEqual([
    'sentence: The dock is full. What now?',
  ]);
});
