import { beforeAll, expect, test } from 'vitest';
import { createQuestionSet } from '../../src/domain/evaluation/question-sets.ts';

import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let setId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  const { projectId } = tenant;
  ({ id: setId } = await createQuestionSet(service.system, { projectId, name: 'Front desk' }));
});

const mutation = `mutation ($input: ImportSetQuestionsInput!) {
  importSetQuestions(input: $input) { imported alreadyThere set { version questionCount } }
}`;
const csv = { format: 'CSV', text: 'question,expected\nWhen does it open?,noon\n' };

test('an admin imports questions as CSV and as JSON Lines', async () => {
  const admin = await tenant.member('ADMIN');
  const text = '{"question":"when does it open?"}\n{"question":"Who won?"}';
  const run = (input: object) => admin.data(mutation, { input: { id: setId, ...input } });
  expect(await run(csv)).toEqual({
    importSetQuestions: { imported: 1, alreadyThere: 0, set: { version: 2, questionCount: 1 } },
  });
  expect(await run({ format: 'JSONL', text })).toEqual({
    importSetQuestions: { imported: 1, alreadyThere: 1, set: { version: 3, questionCount: 2 } },
  });
  expect(await run({ ...csv, replaces: true })).toEqual({
    importSetQuestions: { imported: 1, alreadyThere: 0, set: { version: 4, questionCount: 1 } },
  });
});

test('each wrong line has a message', async () => {
  const admin = await tenant.member('ADMIN');
  const text = 'question,mustRefuse\n,no\nA?,perhaps\n';
  const { errors } = await admin.send(mutation, { input: { id: setId, format: 'CSV', text } });
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'VALIDATION_FAILED',
    messages: ['Line 2: question must not be blank', 'Line 3: mustRefuse must be true or false'],
  });
});

test('an agent may not import, and a set of another tenant is not found, also with a wrong file', async () => {
  const agent = await tenant.member('AGENT');
  const stranger = await (await service.createTenant()).member('OWNER');
  const reader = await tenant.graphql({ scopes: ['EVALUATION_READ'] });
  const codeOf = async (client: typeof agent, text: string) => {
    const { errors } = await client.send(mutation, { input: { id: setId, format: 'CSV', text } });
    return errors?.[0]?.extensions.code;
  };
  for (const text of [csv.text, 'no column']) {
    expect(await codeOf(agent, text)).toBe('FORBIDDEN');
    expect(await codeOf(reader, text)).toBe('SCOPE_MISSING');
    expect(await codeOf(stranger, text)).toBe('NOT_FOUND');
  }
});
