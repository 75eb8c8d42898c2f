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
    ['question\nA?\n"B?\nC?\n', 'Line 4: a quotation mark is not closed'],
    ['question\nWhat is "it"?', 'Line 2: a value with quotation marks must be in quotation marks'],
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
    ]);
  });

  test('10,000 questions are read, and 10,001 are refused', () => {
    const lines = (count: number) => '{"question":"A?"}\n'.repeat(count);
    expect(parseQuestions(lines(10_000), 'jsonl')).toHaveLength(10_000);
    expect(messagesOf(lines(10_001), 'jsonl')).toEqual([
      'The file has 10001 questions. A set has at most 10000 questions',
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
