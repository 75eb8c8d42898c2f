import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/command.ts';
import { evaluationCommands } from '../../../src/cli/evaluation-commands.ts';
import { questionCommands } from '../../../src/cli/question-commands.ts';
import { createQuestionSet } from '../../../src/domain/evaluation/question-sets.ts';
import { deleteDocument } from '../../../src/domain/knowledge/delete-documents.ts';
import type { DomainError } from '../../../src/platform/errors.ts';
import { newId } from '../../../src/platform/ids.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { invokeCommand } from '../../support/programs/invoke-command.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

const documents = {
  'sauna.md': '# Sauna\n\nThe sauna opens at noon and closes at nine in the evening.',
  'parking.md': '# Parking\n\nParking in the garage costs twelve euros per night.',
  'pets.md': '# Pets\n\nDogs are welcome in all rooms of the second floor.',
};
const questions = [
  'question,expected,documentName,mustRefuse',
  'When does the sauna open?,noon,sauna.md,',
  'How much does parking in the garage cost?,twelve | euros || EUR,parking.md,',
  'Are dogs welcome in the rooms?,second floor,pets.md,',
  'Who invented the telephone?,,,yes',
].join('\n');
const bounds = 'recall5=.99,containsExpected=.99,firstCitationRight=.99,refusedRight=1';

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await sharedService();
  folder = await mkdtemp(join(tmpdir(), 'grounded-chat-evaluate-'));
  await writeFile(join(folder, 'questions.csv'), questions);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a run passes its bounds, and fails them after a document was deleted', async () => {
  const { tenant, access } = await createProject();
  const [sauna] = await addDocuments(service, tenant.projectId, documents);
  await importQuestions(access);
  const junit = join(folder, 'report.xml');
  const call = { ...access, set: 'Front desk', 'fail-under': bounds, junit };

  const green = await invokeCommand(evaluationCommands.evaluate, call);
  expect(green.result?.text).toContain('recallAt5           1.0000      3 questions');
  expect(green.result?.json).toMatchObject({ status: 'DONE', failedQuestions: [] });
  expect(green.result?.isFailure).toBe(false);
  expect(green.progress).toEqual([expect.stringMatching(/^Run \S+: 4 questions$/)]);
  expect(await readFile(junit, 'utf8')).toContain('tests="4" failures="0" errors="0"');

  await deleteDocument(service.system, { id: sauna?.id ?? '', projectId: tenant.projectId });
  const { result } = await invokeCommand(evaluationCommands.evaluate, call);
  expect(result?.isFailure).toBe(true);
  expect(result?.text).toMatch(/^containsExpected is 0\.6\d+, below its bound 0\.99\.$/m);
  expect(result?.text).toContain('1 question not counted in recall and citations');
  expect(result?.text).toContain('1 of 4 questions failed:');
  expect(result?.json).toMatchObject({
    failedQuestions: [
      {
        question: 'When does the sauna open?',
        problems: expect.arrayContaining([expect.stringContaining('sauna.md does not exist')]),
      },
    ],
  });
  expect(await readFile(junit, 'utf8')).toContain('tests="4" failures="1" errors="0"');
});

test('a candidate without a document fails, and a figure without questions too', async () => {
  const { tenant, access } = await createProject();
  const [sauna] = await addDocuments(service, tenant.projectId, documents);
  await writeFile(
    join(folder, 'sauna.jsonl'),
    JSON.stringify({ question: 'When does the sauna open?', documentName: 'sauna.md' }),
  );
  await importQuestions(access, 'sauna.jsonl');
  const candidate = JSON.stringify({ withoutDocumentIds: [sauna?.id], instructions: null });
  const call = { ...access, set: 'Front desk', candidate, 'fail-under': 'recall1=.9' };
  const { result } = await invokeCommand(evaluationCommands.evaluate, call);
  expect(result?.text).toContain('recallAt1 has no value, because no question of the set asks');
  expect(result?.json).toMatchObject({ candidate: { withoutDocumentIds: [sauna?.id] } });
  expect(result?.isFailure).toBe(true);
});

test('questions are added, replaced and exported', async () => {
  const { access } = await createProject();
  await importQuestions(access);
  const repeated = await importQuestions(access);
  expect(repeated.text).toBe(
    '0 questions imported, 4 already there. The set "Front desk" has 4 questions, version 1.',
  );
  await writeFile(
    join(folder, 'more.csv'),
    'sep=;\nquestion;expected;;\n when does the  SAUNA open?;noon;;\nIs there a lift?;yes;;\nIs there a lift?;yes;;\n;;;\n',
  );
  expect((await importQuestions(access, 'more.csv')).json).toMatchObject({
    ...{ imported: 1, alreadyThere: 2, questionCount: 5, version: 2 },
  });
  const replaced = await importQuestions(access, 'questions.csv', ['replace']);
  expect(replaced.json).toMatchObject({ questionCount: 4, version: 3, imported: 4 });
  const call = { ...access, set: 'Front desk' };
  const { printed } = await invokeCommand(questionCommands['questions export'], call);
  expect(
    printed
      .join('\n')
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { question: 'When does the sauna open?', expected: ['noon'], documentName: 'sauna.md' },
    {
      question: 'How much does parking in the garage cost?',
      ...{ expected: ['twelve', ['euros', 'EUR']], documentName: 'parking.md' },
    },
    expect.anything(),
    { question: 'Who invented the telephone?', mustRefuse: true },
  ]);
  await writeFile(join(folder, 'exported.jsonl'), printed.join('\n'));
  const again = await importQuestions(access, 'exported.jsonl', ['replace']);
  expect(again.json).toMatchObject({ questionCount: 4, version: 4 });
});

test('a file with a wrong line stores nothing', async () => {
  const { tenant, access } = await createProject();
  const { projectId } = tenant;
  await writeFile(join(folder, 'wrong.csv'), 'question,documentId\nFine?,\nWrong?,rules.md');
  await expect(importQuestions(access, 'wrong.csv')).rejects.toMatchObject({
    ...{ code: 'VALIDATION_FAILED', messages: ['Line 3: documentId must be a UUID'] },
  });
  expect(await service.system.db.questionSet.count({ where: { projectId } })).toBe(0);
});

describe('a call that cannot work', () => {
  test('an unknown set is not found', async () => {
    const { access } = await createProject();
    const error = await failure({ ...access, set: 'Back office' });
    expect((error as DomainError).code).toBe('NOT_FOUND');
    expect(error.message).toBe('The project has no question set "Back office"');
  });

  test('a name that several sets have is a conflict, and an id is not', async () => {
    const { tenant, access } = await createProject();
    const input = { projectId: tenant.projectId, name: 'Front desk' };
    const { id } = await createQuestionSet(service.system, input);
    const other = await createQuestionSet(service.system, input);
    const error = await failure({ ...access, set: 'Front desk' });
    expect((error as DomainError).code).toBe('CONFLICT');
    expect(error.message).toBe(
      `The project has 2 question sets "Front desk". Choose one by its id: ${other.id}, ${id}`,
    );
    const call = { ...access, set: id, argument: join(folder, 'questions.csv') };
    const { result } = await invokeCommand(questionCommands['questions import'], call);
    expect(result?.json).toMatchObject({ id, questionCount: 4 });
  });

  test('a second run at the same time is a conflict', async () => {
    const { tenant, access } = await createProject();
    const { json } = await importQuestions(access);
    const run = { id: newId(), setId: (json as { id: string }).id, setVersion: 1, total: 4 };
    const { projectId } = tenant;
    await service.system.db.evaluationRun.create({ data: { ...run, projectId } });
    const error = await failure({ ...access, set: 'Front desk' });
    expect((error as DomainError).code).toBe('CONFLICT');
    expect(error.message).toBe('Another run of the set has not finished');
  });

  test.each([
    [{}, '--set is required'],
    [{ set: 'A', 'fail-under': 'speed=1' }, 'unknown figure "speed"'],
    [{ set: 'A', candidate: '{' }, '--candidate must be a JSON object'],
    [{ set: 'A', candidate: '{"threshold": 1}' }, '--candidate has wrong settings'],
    [{ set: 'A', candidate: '{"answerThreshold": 2}' }, 'answerThreshold'],
    [{ set: 'A', junit: '/no/such/folder/report.xml' }, '--junit cannot be written'],
    [{ set: 'A', url: 'http://localhost' }, '--url needs --key or --key-file'],
  ])('%j is wrong usage', async (options, message) => {
    const error = await failure(options);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain(message);
  });

  test.each([
    ['questions.xlsx', 'The file must end with .csv or .jsonl'],
    ['missing.csv', 'The file cannot be read: ENOENT'],
    ['latin1.csv', 'The file must be UTF-8'],
  ])('the file %s is wrong usage', async (name, message) => {
    await writeFile(join(folder, 'latin1.csv'), Buffer.from('question\nWie heißt es?', 'latin1'));
    const importing = importQuestions({}, name);
    await expect(importing).rejects.toThrow(UsageError);
    await expect(importing).rejects.toThrow(message);
  });
});

async function createProject() {
  const tenant = await service.createTenant();
  return { tenant, access: { url: service.url, key: await tenant.key() } };
}

async function importQuestions(
  access: Readonly<Record<string, string>>,
  file = 'questions.csv',
  flags: readonly string[] = [],
) {
  const argument = join(folder, file);
  const call = { ...access, set: 'Front desk', argument, flags };
  const { result } = await invokeCommand(questionCommands['questions import'], call);
  if (result === null) throw new Error('The command has no result.');
  return result;
}

function failure(options: Readonly<Record<string, string>>): Promise<Error> {
  return invokeCommand(evaluationCommands.evaluate, options).then(
    () => new Error('The command ended without an error.'),
    (error: Error) => error,
  );
}
