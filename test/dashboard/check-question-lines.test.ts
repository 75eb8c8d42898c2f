import { describe, expect, test } from 'vitest';
import { checkQuestionLines } from '../../src/dashboard/evaluation/sets/check-question-lines.ts';
import { parseExpectedTexts } from '../../src/dashboard/evaluation/sets/expected-texts.ts';

const messagesOf = (...lines: string[]) =>
  checkQuestionLines(lines.join('\n')).problems.map(({ line, message }) => `${line}: ${message}`);

describe('the check of questions as JSON Lines', () => {
  test('reads one question per line, and keeps the numbers of the lines', () => {
    const text = [
      '\uFEFF{"question":"When?","expected":["noon"],"documentName":"sauna.md"}',
      '',
      '{"id":"q-2","question":"How much?","expected":[["12 euros","€12"],"hour"],"tags":["prices"]}',
      '{"question":"Who?","mustRefuse":true,"language":"en","documentId":null,"expected":null}',
      '',
    ].join('\r\n');
    expect(checkQuestionLines(text)).toEqual({
      questions: [
        { question: 'When?', expected: [['noon']], documentName: 'sauna.md' },
        { question: 'How much?', expected: [['12 euros', '€12'], ['hour']], tags: ['prices'] },
        { question: 'Who?', expected: [], mustRefuse: true, language: 'en' },
      ],
      lines: [1, 3, 4],
      problems: [],
    });
  });

  test('reports the first problem of each wrong line', () => {
    const problems = messagesOf(
      '{"question":"Right?"}',
      'no JSON',
      '["a list"]',
      '{"question":" "}',
      '{"question":"Q?","expected":"noon"}',
      '{"question":"Q?","expected":[[]]}',
      '{"question":"Q?","documentId":"x"}',
      '{"question":"Q?","mustRefuse":"yes"}',
      '{"question":"Q?","tags":[""]}',
      '{"question":"Q?","mustRefuse":true,"expected":["no"]}',
      '{"question":"Q?","mustrefuse":true}',
      '{"question":"Q?","constructor":1}',
    );
    expect(problems).toEqual([
      '2: The line must be a JSON object',
      '3: The line must be a JSON object',
      '4: question must be a text of 1 to 4,000 characters',
      '5: expected must be a list of at most 20 texts',
      '6: expected must contain texts of 1 to 1,000 characters, or lists of 1 to 20 such texts',
      '7: documentId must be the id of a document',
      '8: mustRefuse must be true or false',
      '9: tags must be a list of at most 20 texts of 1 to 64 characters',
      '10: A question with mustRefuse must not have expected texts',
      '11: mustrefuse is not a field of a question',
      '12: constructor is not a field of a question',
    ]);
  });

  test('counts characters as the service does', () => {
    expect(messagesOf(JSON.stringify({ question: '😀'.repeat(4_000) }))).toEqual([]);
    expect(messagesOf(JSON.stringify({ question: '😀'.repeat(4_001) }))).toHaveLength(1);
  });
});

test('expected texts of the form are lines with alternatives', () => {
  expect(parseExpectedTexts(' noon \n\n12 euros | €12 |\n|')).toEqual([
    ['noon'],
    ['12 euros', '€12'],
  ]);
});
