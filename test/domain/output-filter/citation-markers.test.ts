import { describe, expect, it } from 'vitest';
import { citedSources } from '../../../src/domain/chat/evidence/cited-statements.ts';
import {
  type AnswerSegment,
  textSegment,
} from '../../../src/domain/output-filter/answer-segment.ts';
import { createCitationMarkerFilter } from '../../../src/domain/output-filter/citation-marker-filter.ts';

function filtered(pieces: readonly string[], sourceCount = 5): string {
  const filter = createCitationMarkerFilter(sourceCount);
  return textOf([
    ...pieces.flatMap((piece) => filter.push([textSegment(piece)])),
    ...filter.flush(),
  ]);
}

function textOf(pieces: readonly AnswerSegment[]): string {
  return pieces.map(({ text }) => text).join('');
}

const cases: readonly (readonly [title: string, written: string, read: string])[] = [
  ['keeps a marker in range', 'Two years [1]. Or three [5].', 'Two years [1]. Or three [5].'],
  ['removes a marker out of range with its space', 'Two [9] years [0].', 'Two years.'],
  ['removes a marker with three digits', 'Two years [100].', 'Two years.'],
  ['removes it from the start of a line', '[9] Two.\n[0] Three.', 'Two.\nThree.'],
  ['keeps what is in range of a list', 'Two years [1, 9, 3].', 'Two years [1][3].'],
  ['removes a list that is out of range', 'Two years [6; 7].', 'Two years.'],
  ['keeps what is in range of neighbours', 'Two years [1][9][2].', 'Two years [1][2].'],
  ['writes a range as markers', 'Two years [1-3] or [4–7].', 'Two years [1][2][3] or [4][5].'],
  ['bounds a huge range', 'Two years [1-999].', 'Two years [1][2][3][4][5].'],
  ['reads a range that runs backwards', 'Two years [3-1].', 'Two years [3][1].'],
  ['reads full-width brackets', '二年です【1】。三年［２］。', '二年です[1]。三年[2]。'],
  ['reads what OpenAI writes', 'Two years 【1†source】【8†a.pdf】.', 'Two years [1].'],
  ['reads footnotes', 'Two years [^1] or [^9].', 'Two years [1] or.'],
  ['reads a label', 'Two [source 2] or [Sources 1, 9] or [doc. 3].', 'Two [2] or [1] or [3].'],
  ['reads a label in other languages', 'Zwei [Quelle 1]. 二 [来源 2]。', 'Zwei [1]. 二 [2]。'],
  ['reads number signs', 'Two years [#1].', 'Two years [1].'],
  ['reads doubled brackets', 'Two years [[1]], [[9]].', 'Two years [1],.'],
  ['reads words between numbers', 'Two years [1 and 2], [1 to 3].', 'Two years [1][2], [1][2][3].'],
  ['reads digits of other scripts', 'عامان [١] दो [२].', 'عامان [1] दो [2].'],
  ['reads leading zeros and inner spaces', 'Two years [01], [ 2 ].', 'Two years [1], [2].'],
  ['reads a marker behind a word', 'Paris[1] and Rome[9].', 'Paris[1] and Rome.'],
  ['reads a marker at the very end', 'Two years [1]', 'Two years [1]'],
  ['puts a year in round brackets', 'The law of [2024] says [1].', 'The law of (2024) says [1].'],
  ['leaves a list in code alone', 'Use `list[0]` or `[9]` [1].', 'Use `list[0]` or `[9]` [1].'],
  ['leaves ``code`` alone', '``a ` [9]`` [9].', '``a ` [9]``.'],
  [
    'leaves a block of code alone',
    'Use:\n```js\nx = [7, 8];\n```\nDone [7].',
    'Use:\n```js\nx = [7, 8];\n```\nDone.',
  ],
  ['treats one line at most as code for a lone backtick', 'a ` b [9]\nc [9].', 'a ` b [9]\nc.'],
  [
    'leaves other brackets alone',
    'He [sic] said [x] [ ] [a1] [1.5].',
    'He [sic] said [x] [ ] [a1] [1.5].',
  ],
  ['leaves formulas alone', String.raw`So \[ x = 1 \] holds.`, String.raw`So \[ x = 1 \] holds.`],
  ['leaves unfinished brackets alone', 'See [1 and that [', 'See [1 and that ['],
  ['keeps white space', 'a  b\n\n  c [1]  \n', 'a  b\n\n  c [1]  \n'],
  ['bounds what it takes for a marker', `[${'1,'.repeat(200)}1]`, `[${'1,'.repeat(200)}1]`],
];

describe('the markers of an answer', () => {
  it.each(cases)('%s', (_, written, read) => {
    expect(filtered([written])).toBe(read);
  });

  it.each(cases)('%s, regardless of the stream parts', (_, written, read) => {
    expect(filtered([...written])).toBe(read);
    for (let cut = 1; cut < written.length; cut += 1) {
      expect(filtered([written.slice(0, cut), written.slice(cut)])).toBe(read);
    }
  });

  it('are never emitted in parts, and delay at most a few characters', () => {
    const written = 'The warranty [see below] is two years [1, 2] (really) [source 3].';
    const filter = createCitationMarkerFilter(5);
    let read = '';
    for (const [index, character] of [...written].entries()) {
      const text = textOf(filter.push([textSegment(character)]));
      expect(text).not.toMatch(/\[\d*$/);
      read += text;
      expect(index + 1 - read.length).toBeLessThan(20);
    }
    expect(read + textOf(filter.flush())).toBe(
      'The warranty [see below] is two years [1][2] (really) [3].',
    );
  });

  it('are recognized on both sides of a link', () => {
    const filter = createCitationMarkerFilter(1);
    const link = { type: 'link', text: 'https://a.example', otherwise: '', sources: [1] } as const;
    const pieces = [textSegment('[1] '), link, textSegment(' [9] is [1')];
    expect(textOf([...filter.push(pieces), ...filter.flush()])).toBe('[1] https://a.example is [1');
  });

  it('are all removed if there are no sources', () => {
    expect(filtered(['I do not know [1].'], 0)).toBe('I do not know.');
  });

  it('take linear time on hostile text', () => {
    const hostile = [
      '['.repeat(400_000),
      `[${'1'.repeat(400_000)}`,
      '[1,'.repeat(140_000),
      '`'.repeat(400_000),
    ];
    // If the time grew quadratically, this would exceed the time limit of the test.
    for (const text of hostile) filtered([text]);
  });
});

describe('the sources cited by an answer', () => {
  it('are returned once each, in the order of the answer', () => {
    expect(citedSources('Two [3][1]. Three [3, 2]. `list[4]`')).toEqual([3, 1, 2]);
  });

  it('are empty for an answer without markers', () => {
    expect(citedSources('I do not know.')).toEqual([]);
  });
});
