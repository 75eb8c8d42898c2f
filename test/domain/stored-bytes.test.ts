import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import type { Context } from '../../src/domain/context.ts';
import { eraseEndUser } from '../../src/domain/end-users/erase-end-user.ts';
import {
  cancelEvaluation,
  getEvaluation,
  startEvaluation,
} from '../../src/domain/evaluation/evaluation-runs.ts';
import { createQuestionSet, deleteQuestionSet } from '../../src/domain/evaluation/question-sets.ts';
import {
  listSetQuestions,
  replaceSetQuestions,
  updateSetQuestion,
} from '../../src/domain/evaluation/set-questions.ts';
import { claimHandoff } from '../../src/domain/handoff/claim-handoff.ts';
import { addConversationNote } from '../../src/domain/handoff/conversation-notes.ts';
import { replyToConversation } from '../../src/domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { deleteDocument } from '../../src/domain/knowledge/delete-documents.ts';
import { updateOrganization } from '../../src/domain/organizations/organizations.ts';
import { addDocuments } from '../support/knowledge.ts';

import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let system: Context;
let tenant: Tenant;
let projectId: string;

beforeAll(async () => {
  service = await startTestService();
  system = service.system;
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  projectId = tenant.projectId;
});

/** Returns the used storage, after checking that it is the sum of what the tables contain. */
async function usedBytes(): Promise<number> {
  const { rows: tables } = await service.ownerPool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'grounded' and column_name = 'stored_bytes' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(5);
  const sums = tables.map(
    ({ name }) => `select sum(stored_bytes) as bytes from grounded.${name} where project_id = $1`,
  );
  const { rows } = await service.ownerPool.query<{ stored: number; used: number }>(
    `select coalesce(sum(bytes), 0)::int as stored, (select coalesce(sum(used_bytes), 0)::int
       from grounded.storage_usage where organization_id = $2) as used
     from (${[
       ...sums,
       'select sum(size_bytes) from grounded.documents where project_id = $1 and deleted_at is null',
     ].join(' union all ')}) one`,
    [projectId, tenant.organizationId],
  );
  const [{ stored, used } = { stored: 0, used: -1 }] = rows;
  expect(used).toBe(stored);
  return used;
}

const limitStorage = (storageBytes: number) =>
  updateOrganization(system, { id: tenant.organizationId, limits: { storageBytes } });

const questions = (count: number, length = 1_000) =>
  Array.from({ length: count }, (_, n) => ({
    question: `When does sauna ${n} open?`,
    expected: [['x'.repeat(length)]],
    tags: ['opening', 'hours'],
  }));

async function runToEnd(setId: string) {
  const { id } = await startEvaluation(system, { projectId, setId });
  await waitUntil(async () => (await getEvaluation(system, { id })).finishedAt !== null);
  return getEvaluation(system, { id });
}

const exceeded = { code: 'QUOTA_EXCEEDED', message: expect.stringContaining('storage is used up') };

describe('question sets and runs', () => {
  test('count in the used storage to the byte, and free it when they are deleted', async () => {
    await addDocuments(service, projectId, { 'sauna.md': 'The sauna opens at noon.' });
    const before = await usedBytes();
    const set = await createQuestionSet(system, { projectId, name: 'A', questions: questions(3) });
    const withSet = await usedBytes();
    expect(withSet - before).toBeGreaterThan(3 * 1_000);
    expect(await runToEnd(set.id)).toMatchObject({ status: 'DONE', done: 3 });
    const withRun = await usedBytes();
    expect(withRun).toBeGreaterThan(withSet);

    const { data } = await listSetQuestions(system, { id: set.id, page: 1, limit: 10 });
    await updateSetQuestion(system, { id: data[0]?.id ?? '', question: 'Does it open?' });
    // The run refers to the earlier wording, so both are stored.
    expect((await usedBytes()) - withRun).toBeGreaterThan(1_000);
    await replaceSetQuestions(system, { id: set.id, questions: questions(1) });
    await usedBytes();
    await deleteQuestionSet(system, { id: set.id });
    expect(await usedBytes()).toBe(before);
  });

  test('a set that does not fit is refused, and nothing of it is stored', async () => {
    await limitStorage(100_000);
    const set = await createQuestionSet(system, { projectId, name: 'A', questions: questions(9) });
    const before = await usedBytes();
    const large = { projectId, name: 'B', questions: questions(90) };
    await expect(createQuestionSet(system, large)).rejects.toThrow('storage is used up');
    const client = await tenant.rest();
    const replaced = await client.put(`/evaluation/sets/${set.id}/questions`, questions(90));
    expect(replaced.status).toBe(402);
    expect(await replaced.json()).toMatchObject(exceeded);
    expect(await usedBytes()).toBe(before);
    expect((await listSetQuestions(system, { id: set.id, page: 1, limit: 10 })).total).toBe(9);
  });

  test('starting and cancelling a run again and again stores no copy of the questions', async () => {
    const set = await createQuestionSet(system, { projectId, name: 'A', questions: questions(50) });
    const before = await usedBytes();
    const cancel = async () => {
      const { id } = await startEvaluation(system, { projectId, setId: set.id });
      return cancelEvaluation(system, { id });
    };
    await cancel();
    const once = await usedBytes();
    for (let n = 0; n < 8; n += 1) await cancel();
    const where = { setId: set.id, projectId };
    expect(await system.db.evaluationRun.count({ where })).toBe(1);
    expect((await usedBytes()) - before).toBeLessThan(2 * (once - before) + 10_000);
  });

  test('a run whose answers do not fit fails with the reason, and keeps what fits', async () => {
    await addDocuments(service, projectId, { 'sauna.md': 'The sauna opens at noon.' });
    const set = await createQuestionSet(system, { projectId, name: 'A', questions: questions(20) });
    await limitStorage((await usedBytes()) + 4_500 + 2_000);
    const run = await runToEnd(set.id);
    expect(run).toMatchObject({ status: 'FAILED', error: exceeded.message });
    expect(run.done).toBeGreaterThan(0);
    expect(run.done).toBeLessThan(20);
    await usedBytes();
  });

  test('a change keeps the wording that a run asks, and deletes it with the run', async () => {
    const set = await createQuestionSet(system, { projectId, name: 'A', questions: questions(2) });
    const rows = () => system.db.setQuestion.count({ where: { setId: set.id, projectId } });
    await replaceSetQuestions(system, { id: set.id, questions: questions(2) });
    expect(await rows()).toBe(2);
    const run = await runToEnd(set.id);
    await replaceSetQuestions(system, { id: set.id, questions: questions(3) });
    expect(await rows()).toBe(2 + 3);
    const results = await system.db.evaluationResult.findMany({
      where: { runId: run.id },
      include: { asked: true },
    });
    expect(results.map(({ asked }) => asked.question)).toHaveLength(2);
    await system.db.evaluationRun.deleteMany({ where: { id: run.id } });
    const cancelled = await startEvaluation(system, { projectId, setId: set.id });
    await cancelEvaluation(system, { id: cancelled.id });
    expect(await rows()).toBe(3);
  });
});

describe('conversations that a person has', () => {
  /** Returns a conversation that an agent owns. Its end user is `guest`. */
  async function claimedConversation(): Promise<string> {
    const asked = await sendMessage(system, { projectId, message: 'Hello', endUserId: 'guest' });
    const { conversationId } = asked;
    const reason = 'I need help.'.repeat(20);
    const { id: handoffId } = await requestHandoff(system, { projectId, conversationId, reason });
    await claimHandoff(system, { handoffId });
    return conversationId;
  }

  test('replies, notes, handoffs and questions without an answer count, and free their bytes when they are erased', async () => {
    const before = await usedBytes();
    const conversationId = await claimedConversation();
    const claimed = await usedBytes();
    expect(claimed - before).toBeGreaterThan(240);
    await replyToConversation(system, { conversationId, content: 'Zwölf Uhr.' });
    const replied = await usedBytes();
    expect(replied - claimed).toBe(200 + 'Zwölf Uhr.'.length + 1);
    await addConversationNote(system, { conversationId, content: 'A good guest.' });
    const noted = await usedBytes();
    expect(noted - replied).toBe(200 + 'A good guest.'.length);
    await sendMessage(system, { projectId, conversationId, message: 'Thank you!' });
    expect((await usedBytes()) - noted).toBe(200 + 'Thank you!'.length);
    await eraseEndUser(system, { projectId, endUserId: 'guest' });
    expect(await usedBytes()).toBe(before);
  });

  test('answers of the assistant count in the message allowance only', async () => {
    const before = await usedBytes();
    await sendMessage(system, { projectId, message: 'Hello' });
    expect(await usedBytes()).toBe(before);
  });

  test('documents that fill the storage do not stop replies', async () => {
    const conversationId = await claimedConversation();
    await limitStorage((await usedBytes()) + 10_000);
    const content = 'The sauna opens at noon. '.repeat(396);
    await addDocuments(service, projectId, { 'sauna.md': content });
    await replyToConversation(system, { conversationId, content: 'x'.repeat(500) });
    await usedBytes();
  });

  test('a reply that does not fit is refused, and documents can still be deleted', async () => {
    const conversationId = await claimedConversation();
    const [document] = await addDocuments(service, projectId, {
      'sauna.md': 'The sauna opens at noon.',
    });
    await limitStorage(1);
    const client = await tenant.rest();
    const content = 'At noon.';
    const refused = await client.post(`/conversations/${conversationId}/replies`, { content });
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject(exceeded);
    await deleteDocument(system, { projectId, id: document?.id ?? '' });
    await usedBytes();
  });
});
