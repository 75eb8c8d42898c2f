import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiError, type Client, createClient } from '../../packages/client/src/index.ts';
import { updateProject } from '../../src/domain/organizations/projects.ts';
import { errorCodes } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { findOperation, operations } from '../support/api/openapi-document.ts';
import { validateResponse } from '../support/api/openapi-response.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
/** Operations that a test has called with the client. */
const called = new Set<string>();

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  client = clientOf(await tenant.key());
});

function clientOf(apiKey: string, projectId?: string): Client {
  return createClient({ baseUrl: service.url, apiKey, projectId, fetch: checkedFetch });
}

/** Checks that each response matches the OpenAPI document. */
const checkedFetch: typeof fetch = async (input, init) => {
  const method = init?.method ?? 'GET';
  const path = new URL(String(input)).pathname.replace('/api/v1', '');
  called.add(findOperation(method, path)?.id ?? `${method} ${path}`);
  return validateResponse(method, await fetch(input, init));
};

describe('every operation is a method', () => {
  test('documents', async () => {
    const { documents } = client;
    const { id } = await documents.create({ name: 'Hours', content: 'The tower opens at ten.' });
    expect(await documents.waitUntilProcessed(id)).toMatchObject({ status: 'READY' });
    const file = new File(['The boat leaves at eleven.'], 'Boats.txt');
    const details = { externalId: 'boats', tags: ['sea', 'sky'], metadata: { deck: 2 } };
    const uploaded = await documents.upload(file, details);
    expect(uploaded).toMatchObject({ name: 'Boats.txt', sourceType: 'FILE', ...details });
    await documents.waitUntilProcessed(uploaded.id);
    const replaced = await documents.replace(id, { name: 'Hours', content: 'It opens at nine.' });
    expect(replaced).toMatchObject({ id, version: 2 });
    const text = new Blob(['# Boats\n\nThe boat leaves at noon.']);
    const again = await documents.replaceFile(uploaded.id, text, { name: 'Boats.md' });
    expect(again).toMatchObject({ version: 2, name: 'Boats.md' });
    await documents.waitUntilProcessed(uploaded.id);
    expect(await (await documents.original(uploaded.id)).text()).toContain('noon');
    expect((await documents.content(uploaded.id)).text).toContain('noon');
    expect((await documents.update(id, { tags: ['visit'] })).tags).toEqual(['visit']);
    expect((await documents.get(id)).name).toBe('Hours');
    expect((await documents.list({ tag: 'visit' })).data).toMatchObject([{ id }]);
    await documents.waitUntilProcessed(id);
    const { results } = await client.knowledge.search({ query: 'When does the boat leave?' });
    expect(results[0]?.documentId).toBe(uploaded.id);

    const failed = { status: 'FAILED', errorCode: 'EMBEDDING_ERROR', errorMessage: 'x' } as const;
    await service.system.db.document.update({ where: { id }, data: failed });
    expect((await documents.retry(id)).status).toBe('PROCESSING');
    expect(await documents.retryMany({ documentIds: [newId()] })).toEqual({ count: 0 });
    expect(await documents.deleteMany({ documentIds: [uploaded.id] })).toEqual({ count: 1 });
    expect(await documents.delete(id)).toBeUndefined();
  });

  test('sources', async () => {
    const { sources } = client;
    const config = { startUrls: ['http://127.0.0.1:9/'] };
    const { id } = await sources.create({ kind: 'WEBSITE', name: 'Site', config });
    expect((await sources.update(id, { name: 'Website' })).name).toBe('Website');
    expect((await sources.get(id)).config.startUrls).toEqual(config.startUrls);
    expect((await sources.list()).data).toHaveLength(1);
    await sources.sync(id);
    expect((await sources.listRuns(id)).data).toHaveLength(1);
    await sources.delete(id);
  });

  test('question sets and evaluation runs', async () => {
    const { sets, runs } = client.evaluation;
    const { id } = await sets.create({ name: 'Front desk' });
    expect((await sets.update(id, { name: 'Reception' })).name).toBe('Reception');
    const questions = [{ question: 'Is there tea?', expected: ['tea', ['yes', 'sure']] }];
    expect((await sets.replaceQuestions(id, { questions })).version).toBe(2);
    expect((await sets.addQuestions(id, { questions })).questionCount).toBe(2);
    expect((await sets.listQuestions(id)).data[0]?.expected).toEqual(questions[0]?.expected);
    const { id: firstId } = (await sets.listQuestions(id)).data[0] ?? { id: '' };
    expect((await sets.updateQuestion(firstId, { tags: ['tea'] })).tags).toEqual(['tea']);
    await sets.deleteQuestion(firstId);
    expect((await sets.addQuestions(id, { questions })).questionCount).toBe(2);
    expect((await sets.listProposals(id, { reason: 'RESOLVED' })).data).toEqual([]);
    expect((await sets.list()).data).toHaveLength(1);
    const { id: runId } = await runs.start({ setId: id });
    await waitUntil(async () => (await runs.get(runId)).status === 'DONE');
    const { data: results } = await runs.listResults(runId);
    expect(results).toHaveLength(2);
    const questionId = results[0]?.questionId ?? '';
    expect((await runs.mark(runId, questionId, { mark: 'WRONG' })).mark).toBe('WRONG');
    expect((await runs.compare(runId, runId)).changed).toEqual([]);
    const { promises } = await client.evaluation.confidence({ maxWrong: 0.05 });
    expect(promises).toMatchObject([{ maxWrong: 0.05, kept: null }]);
    await expect(runs.cancel(runId)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await runs.list({ setId: id })).data).toHaveLength(1);
    expect((await sets.get(id)).version).toBe(6);
    await sets.delete(id);
  });

  test('chat, conversations, handoffs, feedback and insights', async () => {
    const { conversations, handoffs } = client;
    const email = 'grace@example.com';
    const { organizationId } = tenant;
    const member = { id: newId(), organizationId, email, role: 'AGENT' } as const;
    await service.system.db.member.create({ data: member });
    const endUserId = 'customer-4711';
    const { conversationId, messageId } = await client.chat({ message: 'A question', endUserId });
    const stream = client.chat.stream({ message: 'Another question', conversationId });
    const answer = await stream.result();
    const resumed = client.chat.resume(answer.messageId, { after: 0 });
    expect(await resumed.result()).toEqual(answer);
    expect(await client.chat.stop(answer.messageId)).toMatchObject({ status: 'COMPLETED' });
    expect((await conversations.list({ endUserId })).data).toMatchObject([{ messageCount: 4 }]);

    const { handoffId } = await handoffs.request({ conversationId, email: 'ada@example.com' });
    expect((await handoffs.list({ status: 'REQUESTED' })).data[0]?.id).toBe(handoffId);
    expect(await handoffs.claim(handoffId)).toMatchObject({ status: 'CLAIMED' });
    expect(await handoffs.release(handoffId, { note: 'Later' })).toMatchObject({ claimedBy: null });
    await handoffs.claim(handoffId);
    const reply = await conversations.reply(conversationId, { content: 'An answer' });
    expect(reply.role).toBe('AGENT');
    const note = await conversations.addNote(conversationId, { content: 'Asked twice' });
    expect(await conversations.notes(conversationId)).toMatchObject({
      data: [{ content: 'Later' }, note],
    });
    expect((await handoffs.transfer(handoffId, { to: email })).claimedBy).toBe(email);
    const { projectId: id } = tenant;
    await updateProject(service.system, { id, asksForSatisfaction: true });
    expect((await handoffs.resolve(handoffId)).status).toBe('RESOLVED');
    expect(await handoffs.rate(handoffId, { rating: 4 })).toMatchObject({ rating: 4 });
    expect((await handoffs.return(handoffId)).status).toBe('RESOLVED');
    expect((await conversations.get(conversationId)).handoff?.email).toBe('ada@example.com');

    expect((await client.trace(messageId)).question.asked).toBe('A question');
    expect(await client.feedback(messageId, { rating: 'DOWN' })).toMatchObject({ rating: 'DOWN' });
    expect((await client.insights.unanswered()).data[0]?.question).toContain('question');
    expect((await client.usage()).organizationId).toBe(organizationId);
  });

  test('webhooks and keys', async () => {
    const { webhooks, keys } = client;
    const { id, secret } = await webhooks.create({ url: 'https://webhooks.invalid/' });
    expect((await webhooks.get(id)).url).toBe('https://webhooks.invalid/');
    expect((await webhooks.list()).total).toBe(1);
    const delivery = await webhooks.test(id);
    expect((await webhooks.redeliver(delivery.id)).id).toBe(delivery.id);
    expect((await webhooks.listDeliveries(id)).data[0]?.id).toBe(delivery.id);
    expect((await webhooks.update(id, { isEnabled: false })).isEnabled).toBe(false);
    expect((await webhooks.rotateSecret(id)).secret).not.toBe(secret);
    await webhooks.delete(id);

    const key = await keys.create({ name: 'Website', scopes: ['chat'] });
    expect((await keys.list()).data[0]?.id).toBe(key.id);
    expect((await keys.rotate(key.id, { overlapSeconds: 60 })).secret).toMatch(/^sk_/);
    expect((await keys.revoke(key.id)).revokedAt).not.toBeNull();
  });

  test('all of them', () => {
    expect([...called].sort()).toEqual(operations.map(({ id }) => id).sort());
  });
});

test('a list that is iterated reads all pages, each entry once', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const other = await service.createTenant();
  const { documents } = clientOf(await other.key());
  for (const name of names) await documents.create({ name, content: `Text of ${name}` });
  const page = await documents.list({ limit: 2 });
  expect(page).toMatchObject({ total: 5, totalPages: 3, hasMore: true });
  const seen: string[] = [];
  for await (const { name } of documents.list({ limit: 2 })) {
    if (seen.length === 0) await documents.create({ name: 'later', content: 'Moves the others' });
    seen.push(name);
  }
  expect(seen).toEqual(names.toReversed());
  for await (const { name } of documents.list({ limit: 2, page: 3 })) expect(name).toMatch(/[ab]/);
});

test('an org-wide key acts on the project of the client or of the call', async () => {
  const key = await tenant.key({ isOrgWide: true });
  await expect(clientOf(key).usage()).rejects.toMatchObject({ code: 'PROJECT_REQUIRED' });
  const scoped = clientOf(key, tenant.projectId);
  await scoped.usage();
  await scoped.documents.upload(new File(['A text'], 'a.txt'));
  const { messageId } = await scoped.chat.stream({ message: 'A question' }).result();
  await scoped.chat.resume(messageId).result();
  const { total } = await clientOf(key).documents.list({}, { projectId: tenant.projectId });
  expect(total).toBe(1);
});

test('an error has status, code, request id and one detail per invalid field', async () => {
  const failed = client.knowledge.search({ query: ' ', limit: 0 });
  const error = await failed.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw error;
  expect(error).toMatchObject({
    status: 400,
    code: 'VALIDATION_FAILED',
    details: ['query must not be blank', 'limit must be an integer between 1 and 50'],
    requestId: expect.stringMatching(/^[\w.-]+$/),
    isRetryable: false,
  });
});

test('an id that would lead to another operation is refused', () => {
  for (const id of ['', '.', '..']) expect(() => client.documents.get(id)).toThrow(TypeError);
});

test('the codes of errors are those of the service', async () => {
  const onlyGraphql: readonly string[] = ['CURSOR_EXPIRED', 'QUERY_TOO_COMPLEX'];
  const source = await readFile('packages/client/src/errors.ts', 'utf8');
  const listed = [...source.matchAll(/^ {2}\| '([A-Z_]+)'$/gm)].map(([, code]) => code);
  const ofRest = errorCodes.filter((code) => !onlyGraphql.includes(code));
  expect(listed.sort()).toEqual(ofRest.sort());
});
