import { describe, expect, test } from 'vitest';
import { formatOf, readQuestionFile } from '../../src/dashboard/evaluation/sets/question-file.ts';

const read = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  readQuestionFile(new File([content], name));

describe('the format of an import', () => {
  test.each([
    ['a.csv', 'no column', 'CSV'],
    ['A.TSV', 'question', 'CSV'],
    ['a.b.jsonl', 'no JSON', 'JSONL'],
    ['a.ndjson', '', 'JSONL'],
    ['a.json', '[', 'JSONL'],
    ['a.txt', '\ufeff\n {"question":"Why?"}', 'JSONL'],
    ['a.txt', 'question;tags', 'CSV'],
    ['questions', 'question', 'CSV'],
  ])('of the file %s with the text %j is %s', async (name, content, format) => {
    const file = await read(name, content);
    expect(formatOf(file?.text ?? '', file)).toBe(format);
  });

  test('of another text than that of the chosen file follows from the text', async () => {
    const lines = await read('a.jsonl', 'no JSON\n{}');
    expect(formatOf('no JSON\n{"question":"Why?"}', lines)).toBe('JSONL');
    expect(formatOf('question\nWhy?', lines)).toBe('CSV');
    expect(formatOf(' {"question":"Why?"}', await read('a.csv', 'question\nWhy?'))).toBe('JSONL');
    expect(formatOf('{"question":"Why?"}', null)).toBe('JSONL');
  });
});

test('files in UTF-16 and Windows-1252 are not read, and a byte order mark is removed', async () => {
  expect(await read('a.csv', new Uint8Array(Buffer.from('\ufeffquestion', 'utf16le')))).toBeNull();
  expect(await read('a.csv', new Uint8Array(Buffer.from('question\nCafé?', 'latin1')))).toBeNull();
  expect((await read('a.csv', '\ufeffquestion\r\nCafé?'))?.text).toBe('question\r\nCafé?');
});
