import { describe, expect, test } from 'vitest';
import { parseQuestions } from '../../../src/domain/evaluation/parse-questions.ts';
import { DomainError } from '../../../src/platform/errors.ts';

const documentId = '01980a3d-5a77-7c1e-9f6b-2b1d4e8a6c35';

describe('CSV', () => {
  test('all columns, in any order, with quotes, a BOM and CRLF', () => {
    const text = [
      '\ufefflanguage,question,expected,documentId,documentName,mustRefuse,tags',
      `en,"When, exactly,\r\ndoes the ""sauna"" open?",noon || 12:00 | Saturday,${documentId},rules.md,,hours| spa`,
      ',Who won?,,,,YES,',
      '',
    ].join('\r\n');
    expect(parseQuestions(text, 'csv')).toEqual([
      {
        question: 'When, exactly,\ndoes the "sauna" open?',
        expected: [['noon', '12:00'], ['Saturday']],
        ...{ documentId, documentName: 'rules.md', tags: ['hours', 'spa'], language: 'en' },
      },
      { question: 'Who won?', mustRefuse: true },
    ]);
  });

  test.each([';', '\t'])('the delimiter %j, as spreadsheets write it', (delimiter) => {
    const text = `question${delimiter}tags\nA, b?${delimiter}x`;
    expect(parseQuestions(text, 'csv')).toEqual([{ question: 'A, b?', tags: ['x'] }]);
  });

  test('`sep=`, and empty rows and columns of spreadsheets', () => {
    const text = 'sep=;\r\nquestion;tags;;\r\n A? ; x ;;\r\n;;;\r\n\r\n"";;;\r\n" B? ";;;';
    expect(parseQuestions(text, 'csv')).toEqual([
      { question: 'A?', tags: ['x'] },
      { question: ' B? ' },
    ]);
    expect(messagesOf(`${text}\r\n;x;;`, 'csv')).toEqual(['Line 8: question must not be blank']);
  });

  test('titles of columns in another case', () => {
    expect(parseQuestions('Question;MUSTREFUSE\nA?;yes', 'csv')).toEqual([
      { question: 'A?', mustRefuse: true },
    ]);
    expect(messagesOf('question,Question\nA?,B?', 'csv')).toEqual([
      'Line 1: the column question occurs twice',
    ]);
  });

  test('more expected texts, alternatives or tags than a question may have are refused', () => {
    const many = (separator: string) => Array.from({ length: 21 }, () => 'x').join(separator);
    const text = `question,expected,tags\nA?,${many('|')},\nB?,${many('||')},\nC?,,${many('|')}`;
    expect(messagesOf(text, 'csv')).toEqual([
      'Line 2: expected must have at most 20 texts',
      'Line 3: expected must have at most 20 alternatives',
      'Line 4: tags must have at most 20 tags',
    ]);
  });

  test.each([
    ['true', true],
    ['1', true],
    ['False', false],
    ['no', false],
    ['0', false],
  ])('mustRefuse %s', (cell, mustRefuse) => {
    const text = `question,mustRefuse\nA?,${cell}`;
    expect(parseQuestions(text, 'csv')).toEqual([{ question: 'A?', mustRefuse }]);
  });

  test('each wrong line has one message with the number of its first line', () => {
    const text = [
      'question,expected,documentId,mustRefuse',
      '"A',
      'question?",fine,,',
      '',
      ',no question,,',
      'B?,one||| two,,',
      'C?,,rules.md,perhaps',
      'E?,1,2,3,4',
      'F?,a | | b,,',
    ].join('\n');
    expect(messagesOf(text, 'csv')).toEqual([
      'Line 5: question must not be blank',
      'Line 6: expected must not be blank',
      'Line 7: documentId must be a UUID, mustRefuse must be true or false',
      'Line 8: has 5 values for 4 columns',
      'Line 9: expected must not be blank',
    ]);
  });

  test.each([
    ['question,must_refuse\nA?,1', 'Line 1: unknown column "must_refuse". The columns are'],
    ['question,tags,tags\nA?,1,2', 'Line 1: the column tags occurs twice'],
    ['expected\nnoon', 'Line 1: the column question is missing'],
    ['question\nA?\n"B?\nC?\n', 'Line 3: a quotation mark is not closed'],
    ['question\nWhat is "it"?', 'Line 2: a value with quotation marks must be in quotation marks'],
    ['question\n"Why" not?', 'Line 2: a value with quotation marks must be in quotation marks'],
    ['question,tags\nA?,"x\ny" z', 'Line 3: a value with quotation marks must be in'],
    [`question\nA?${','.repeat(20_000)}`, 'Line 2: has more than 20000 values'],
    [`question,${'x'.repeat(1_000)}`, `Line 1: unknown column "${'x'.repeat(79)}…"`],
    ['question\n', 'The file has no questions'],
    ['', 'The file has no questions'],
  ])('the file %j is refused', (text, message) => {
    expect(messagesOf(text, 'csv')).toEqual([expect.stringContaining(message)]);
  });
});

describe('JSONL', () => {
  test('all fields, as the API writes them', () => {
    const question = {
      ...{ question: 'When?', documentId, documentName: null, mustRefuse: false },
      ...{ tags: ['a'], language: 'en' },
    };
    const line = JSON.stringify({ id: 'x', ...question, expected: ['noon', ['a', 'b']] });
    expect(parseQuestions(`\ufeff${line}\r\n\r\n{"question":"B?"}`, 'jsonl')).toEqual([
      { ...question, expected: [['noon'], ['a', 'b']] },
      { question: 'B?' },
    ]);
  });

  test('each wrong line has one message with its number', () => {
    const lines = [
      '{"question": "A?"}',
      'nonsense',
      '[]',
      '{"question": "B?", "must_refuse": true}',
      '{"question": "C?", "mustRefuse": "yes", "tags": "x"}',
      `{"question": "${'x'.repeat(4_001)}"}`,
      '{"question": "D?", "expected": [[]]}',
      '{"expected": ["noon"]}',
      '{"question": 5, "language": "\\u0000"}',
      '{"question": "E?", "constructor": 1}',
      '{"question": "F?", "expected": ["", ""]}',
      `{"question": "G?", ${'abcdefg'.split('').map((key) => `"${key}": 1`)}}`,
      `{"question": "H?", "id": "${'x'.repeat(400_000)}"}`,
    ];
    expect(messagesOf(lines.join('\n'), 'jsonl')).toEqual([
      'Line 2: is not a JSON object',
      'Line 3: is not a JSON object',
      expect.stringContaining('Line 4: unknown field must_refuse. The fields are question,'),
      'Line 5: mustRefuse must be true or false, tags must be a list of tags',
      'Line 6: question must be at most 4000 characters',
      'Line 7: expected must not be empty',
      'Line 8: question must not be blank',
      'Line 9: question must be a text, language must not contain NUL characters',
      expect.stringContaining('Line 10: unknown field constructor. The fields are question,'),
      'Line 11: expected must not be blank',
      expect.stringContaining('Line 12: unknown field a, b, c, d, e and 2 more. The fields'),
      'Line 13: is longer than 400000 characters',
    ]);
  });

  test('characters are counted as code points', () => {
    const line = (count: number) => JSON.stringify({ question: '😀'.repeat(count) });
    expect(parseQuestions(line(4_000), 'jsonl')).toHaveLength(1);
    expect(messagesOf(line(4_001), 'jsonl')).toHaveLength(1);
  });

  test('the longest question is read, also if each character is escaped', () => {
    const text = '\\ud83d\\ude00';
    const expected = `[${Array.from({ length: 20 }, () => `"${text.repeat(1_000)}"`)}]`;
    const line = `{"question": "${text.repeat(4_000)}", "expected": ${expected}}`;
    expect(parseQuestions(line, 'jsonl')).toHaveLength(1);
  });

  test('of many wrong lines, the first 50 have a message, and the rest is counted', () => {
    const wrong = (count: number) => messagesOf('{}\n'.repeat(count), 'jsonl');
    expect(wrong(50)).toHaveLength(50);
    expect(wrong(51).slice(49)).toEqual([
      'Line 50: question must not be blank',
      '1 more line is wrong',
    ]);
    expect(wrong(10_000).at(-1)).toBe('9950 more lines are wrong');
  });

  test('10,000 questions are read, and 10,001 are refused', () => {
    const lines = (count: number) => '{"question":"A?"}\n'.repeat(count);
    expect(parseQuestions(lines(10_000), 'jsonl')).toHaveLength(10_000);
    expect(messagesOf(lines(10_001), 'jsonl')).toEqual([
      'The file has more than 10000 questions. A set has at most 10000',
    ]);
  });
});

function messagesOf(text: string, format: 'csv' | 'jsonl'): readonly string[] {
  try {
    parseQuestions(text, format);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'VALIDATION_FAILED') return error.messages;
    throw error;
  }
  throw new Error('The file was accepted.');
}
