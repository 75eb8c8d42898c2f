import { beforeAll, describe, expect, test } from 'vitest';
import { importSetQuestions } from '../../../src/domain/evaluation/import-set-questions.ts';
import { createQuestionSet, getQuestionSet } from '../../../src/domain/evaluation/question-sets.ts';
import { listSetQuestions } from '../../../src/domain/evaluation/set-questions.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  ({ projectId } = await service.createTenant());
});

const create = (...questions: string[]) =>
  createQuestionSet(service.system, {
    ...{ projectId, name: 'Front desk' },
    questions: questions.map((question) => ({ question })),
  });

const run = (id: string, text: string, { replaces = false, format = 'csv' as const } = {}) =>
  importSetQuestions(service.system, { id, projectId, text, format, replaces });

async function questionsOf(id: string): Promise<string[]> {
  const page = { page: 1, limit: 100 };
  const { data } = await listSetQuestions(service.system, { id, projectId, ...page });
  return data.map(({ question }) => question);
}

describe('an import of questions', () => {
  test('reads what a spreadsheet writes, and stores all fields', async () => {
    const { id } = await create();
    const text =
      '\ufeffsep=;\r\nquestion;expected;mustRefuse;;\r\n"When; ""exactly""?";noon || 12:00;FALSE;;\r\n;;;;\r\n';
    expect(await run(id, text)).toMatchObject({
      ...{ imported: 1, alreadyThere: 0, set: { id, version: 2, questionCount: 1 } },
    });
    const { data } = await listSetQuestions(service.system, { id, projectId, page: 1, limit: 9 });
    expect(data).toMatchObject([
      { question: 'When; "exactly"?', expected: [['noon', '12:00']], mustRefuse: false },
    ]);
  });

  test('skips the questions that the set has, and what the file repeats', async () => {
    const { id } = await create('When does it open?', 'Who won?');
    const text = 'question\n WHEN  does it open?\nHow much?\nhow much?\n';
    expect(await run(id, text)).toMatchObject({
      ...{ imported: 1, alreadyThere: 2, set: { version: 2, questionCount: 3 } },
    });
    expect(await questionsOf(id)).toEqual(['When does it open?', 'Who won?', 'How much?']);
  });

  test('that adds nothing keeps the version of the set', async () => {
    const { id } = await create('Who won?');
    expect(await run(id, 'question\nWho won?')).toMatchObject({
      ...{ imported: 0, alreadyThere: 1, set: { version: 1, questionCount: 1 } },
    });
  });

  test('of the same text, twice at the same time, adds the questions once', async () => {
    const { id } = await create();
    const results = await Promise.all([run(id, 'question\nA?\nB?'), run(id, 'question\nA?\nB?')]);
    expect(results.map(({ imported }) => imported).sort()).toEqual([0, 2]);
    expect(await questionsOf(id)).toEqual(['A?', 'B?']);
  });

  test('replaces the questions of the set', async () => {
    const { id } = await create('Who won?', 'Why?');
    expect(await run(id, 'question\nHow?\nWho won?\n', { replaces: true })).toMatchObject({
      ...{ imported: 2, alreadyThere: 0, set: { version: 2, questionCount: 2 } },
    });
    expect(await questionsOf(id)).toEqual(['How?', 'Who won?']);
  });

  test.each([
    ['question,language\nA?,en\n,de\n', 'Line 3: question must not be blank'],
    ['question\n"A?', 'Line 2: a quotation mark is not closed'],
    [`question\n${'A?\n'.repeat(10_001)}`, 'more than 10000 questions'],
    [`question\n${'ä'.repeat(3_000_000)}`, 'text must be at most 6000000 bytes'],
    ['', 'The file has no questions'],
  ])('stores nothing of a wrong file, also if it replaces: %#', async (text, message) => {
    const { id } = await create('Who won?');
    await expect(run(id, text, { replaces: true })).rejects.toMatchObject({
      ...{ code: 'VALIDATION_FAILED', message: expect.stringContaining(message) },
    });
    expect(await questionsOf(id)).toEqual(['Who won?']);
  });

  test('finds a question anywhere in a full set, and adds no more than 10,000', async () => {
    const lines = (count: number, word: string) =>
      `question\n${Array.from({ length: count }, (_, n) => `${word} ${n}?`).join('\n')}`;
    const { id } = await create('Who won?');
    expect(await run(id, lines(9_998, 'When'))).toMatchObject({ imported: 9_998 });
    expect(await run(id, lines(9_998, 'WHEN'))).toMatchObject({ imported: 0, alreadyThere: 9_998 });
    await expect(run(id, lines(2, 'Why'))).rejects.toMatchObject({
      ...{ code: 'VALIDATION_FAILED', message: expect.stringContaining('it would have 10001') },
    });
    expect(await run(id, lines(1, 'Why'))).toMatchObject({ set: { questionCount: 10_000 } });
  });

  test('of a conversation that does not exist stores nothing', async () => {
    const { id } = await create();
    const text = `question,conversationId\nA?,\nB?,${newId()}`;
    await expect(run(id, text)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await getQuestionSet(service.system, { id })).toMatchObject({ version: 1 });
  });
});
