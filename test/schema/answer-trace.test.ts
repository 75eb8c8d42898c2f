import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { eraseEndUser } from '../../src/domain/end-users/erase-end-user.ts';
import { exportEndUser } from '../../src/domain/end-users/export-end-user.ts';
import { getEvaluation, startEvaluation } from '../../src/domain/evaluation/evaluation-runs.ts';
import { createQuestionSet } from '../../src/domain/evaluation/question-sets.ts';
import { deleteDocument } from '../../src/domain/knowledge/delete-documents.ts';
import { newId } from '../../src/platform/ids.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { readUntil } from '../support/api/read-until.ts';
import { addDocuments } from '../support/knowledge.ts';
import { claimedConversation } from '../support/pages/reply-drafts.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';
import { sharedService } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const traceFields = `
  question { asked rewritten corrected translated }
  hits { documentId documentName chunkId score similarity lexical rank used reason }
  decision { confidence threshold reasons features { name value } }
  modelCalls { model purpose inputTokens outputTokens firstTokenMs totalMs tries }
  filtered { kind count }
  timings { step ms }`;

const traceQuery = `query ($messageId: ID!, $projectId: ID) {
  answerTrace(messageId: $messageId, projectId: $projectId) { ${traceFields} }
}`;

interface Reply {
  readonly messageId: string;
  readonly conversationId: string;
}

interface Trace {
  readonly question: Readonly<Record<string, string | null>>;
  readonly hits: readonly {
    readonly documentId: string;
    readonly rank: number | null;
    readonly used: boolean;
    readonly reason: string | null;
  }[];
  readonly decision: {
    readonly confidence: number | null;
    readonly threshold: number | null;
    readonly reasons: readonly string[];
    readonly features: readonly { readonly name: string; readonly value: number }[];
  };
  readonly modelCalls: readonly {
    readonly purpose: string;
    readonly outputTokens: number;
    readonly firstTokenMs: number | null;
    readonly totalMs: number;
    readonly tries: number;
  }[];
  readonly filtered: readonly { readonly kind: string; readonly count: number }[];
  readonly timings: readonly { readonly step: string; readonly ms: number }[];
}

async function ask(tenant: Tenant, message: string, fields: object = {}): Promise<Reply> {
  const response = await (await tenant.rest()).post('/chat', { message, ...fields });
  return response.json() as Promise<Reply>;
}

async function traceOf(tenant: Tenant, messageId: string): Promise<Trace> {
  const { data, errors } = await (await tenant.graphql()).send(traceQuery, { messageId });
  expect(errors).toBeUndefined();
  return data?.answerTrace as Trace;
}

const stepsOf = ({ timings }: Trace) => timings.map(({ step }) => step);
const question = 'How long is the warranty of a tent?';
const documents = {
  'Tents.md': '# Warranty\n\nThe warranty of a tent is five years.',
  'Copy of tents.md': '# Warranty\n\nThe warranty of a tent is five years.',
  'Kayaks.md': '# Rental\n\nA kayak costs 30 euros per day at the lake.',
};

describe('with the built-in model', () => {
  let service: TestService;
  let tenant: Tenant;
  let tents: string;

  beforeAll(async () => {
    service = await sharedService();
    tenant = await service.createTenant();
    const added = await addDocuments(service, tenant.projectId, documents);
    tents = added.find(({ name }) => name === 'Tents.md')?.id ?? '';
  }, 120_000);

  test('the trace of an answer explains the search, the decision and the steps', async () => {
    const trace = await traceOf(tenant, (await ask(tenant, question)).messageId);
    expect(trace.question).toEqual({
      ...{ asked: question, rewritten: null, corrected: null, translated: null },
    });
    expect(trace.hits[0]).toMatchObject({ rank: 1, used: true, reason: null });
    expect(trace.hits.map(({ reason }) => reason)).toContain('DUPLICATE');
    expect(trace.decision.reasons).toEqual(['ANSWERED']);
    const { confidence, threshold } = trace.decision;
    expect(confidence).toBeGreaterThan(threshold ?? 1);
    const features = trace.decision.features.map(({ name }) => name);
    expect(features).toEqual(expect.arrayContaining(['similarity', 'coverage', 'answerability']));
    expect(trace.modelCalls.map(({ purpose }) => purpose)).toContain('EMBED');
    expect(trace.modelCalls.at(-1)).toMatchObject({ purpose: 'ANSWER', tries: 1 });
    expect(stepsOf(trace)).toEqual([
      ...['START', 'UNDERSTAND', 'RETRIEVE', 'READ', 'DECIDE', 'WRITE', 'JUDGE'],
    ]);
  });

  test('a refused answer has used no hit', async () => {
    const trace = await traceOf(tenant, (await ask(tenant, 'Who won the regatta?')).messageId);
    expect(trace.decision.reasons).toEqual(['BELOW_THRESHOLD']);
    expect(trace.hits.some(({ used }) => used)).toBe(false);
    expect(trace.hits.map(({ reason }) => reason)).not.toContain(null);
    expect(trace.modelCalls.map(({ purpose }) => purpose)).not.toContain('ANSWER');
    expect(stepsOf(trace).at(-1)).toBe('DECIDE');
  });

  test('small talk has no search, and an empty project no hits', async () => {
    const trace = await traceOf(tenant, (await ask(tenant, 'Hello!')).messageId);
    expect(trace).toMatchObject({ hits: [], decision: { reasons: ['SMALL_TALK'] } });
    expect(stepsOf(trace)).toEqual(['START', 'REPLY']);
    const human = await ask(tenant, 'I want to talk to a person');
    const { decision } = await traceOf(tenant, human.messageId);
    expect(decision.reasons).toEqual(['HUMAN_REQUEST']);
    const empty = await service.createTenant();
    const none = await traceOf(empty, (await ask(empty, question)).messageId);
    expect(none).toMatchObject({ hits: [], decision: { reasons: ['NO_HITS'] } });
  });

  test('a follow-up has the rewritten question, and a misspelled one the corrected question', async () => {
    const { conversationId } = await ask(tenant, question);
    const follow = await ask(tenant, 'And of a kayak?', { conversationId });
    const { question: traced } = await traceOf(tenant, follow.messageId);
    expect(traced.asked).toBe('And of a kayak?');
    expect(traced.rewritten).toContain('warranty');
    const misspelled = await ask(tenant, 'How long is the waranty of a tent?');
    expect((await traceOf(tenant, misspelled.messageId)).question.corrected).toContain('warranty');
  });

  test('only agents and above, and keys with both scopes, read traces', async () => {
    const { messageId } = await ask(tenant, question);
    const codeOf = async (client: Awaited<ReturnType<Tenant['graphql']>>) =>
      (await client.send(traceQuery, { messageId })).errors?.[0]?.extensions.code ?? null;
    expect(await codeOf(await tenant.member('AGENT'))).toBeNull();
    expect(await codeOf(await tenant.member('VIEWER'))).toBe('FORBIDDEN');
    const both = ['ANALYTICS_READ', 'CONVERSATIONS_READ'] as const;
    expect(await codeOf(await tenant.graphql({ scopes: both }))).toBeNull();
    for (const scope of both) {
      expect(await codeOf(await tenant.graphql({ scopes: [scope] }))).toBe('SCOPE_MISSING');
    }
    const stranger = await service.createTenant();
    expect(await codeOf(await stranger.graphql())).toBe('NOT_FOUND');
    expect(await codeOf(await stranger.member('OWNER'))).toBe('NOT_FOUND');
  });

  test('the messages of a conversation have their traces', async () => {
    const { conversationId } = await ask(tenant, question);
    const { data } = await (await tenant.graphql()).send(
      `query ($id: ID!) { conversation(id: $id) { messages { edges { node {
        role trace { decision { reasons } }
      } } } } }`,
      { id: conversationId },
    );
    expect(data?.conversation).toEqual({
      messages: {
        edges: [
          { node: { role: 'USER', trace: null } },
          { node: { role: 'ASSISTANT', trace: { decision: { reasons: ['ANSWERED'] } } } },
        ],
      },
    });
  });

  test('a key with a filter sees only hits of its documents', async () => {
    const { messageId } = await ask(tenant, question);
    const { organizationId, projectId } = tenant;
    await service.system.db.document.update({ where: { id: tents }, data: { tags: ['public'] } });
    const { secret } = await createApiKey(service.system, {
      ...{ organizationId, projectId, name: 'Public' },
      scopes: ['ANALYTICS_READ', 'CONVERSATIONS_READ'],
      filter: { tags: { in: ['public'] } },
    });
    const { data } = await graphqlClient(service.url, secret).send(traceQuery, { messageId });
    const { hits } = (data?.answerTrace ?? { hits: [] }) as Trace;
    expect(hits.map(({ documentId }) => documentId)).toEqual([tents]);
  });

  test('hits of deleted documents stay, and the trace is deleted with its conversation', async () => {
    const other = await service.createTenant();
    const [document] = await addDocuments(service, other.projectId, {
      'Tents.md': documents['Tents.md'],
    });
    const { messageId, conversationId } = await ask(other, question);
    const id = document?.id ?? '';
    await deleteDocument(service.system, { projectId: other.projectId, id });
    expect((await traceOf(other, messageId)).hits[0]?.documentId).toBe(id);
    const { db } = service.system;
    await db.conversation.delete({ where: { id: conversationId } });
    expect(await db.answerTrace.count({ where: { messageId } })).toBe(0);
  });

  test('REST returns the same trace, and 404 without one', async () => {
    const { messageId, conversationId } = await ask(tenant, question);
    const rest = await tenant.rest();
    const response = await rest.get(`/messages/${messageId}/trace`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(await traceOf(tenant, messageId));
    const asked = await service.system.db.message.findFirst({
      where: { conversationId, role: 'USER' },
    });
    const idsWithoutTrace = [asked?.id, newId()];
    for (const id of idsWithoutTrace) {
      expect((await rest.get(`/messages/${id}/trace`)).status).toBe(404);
    }
    const stranger = await (await service.createTenant()).rest();
    expect((await stranger.get(`/messages/${messageId}/trace`)).status).toBe(404);
    const oneScope = await tenant.rest({ scopes: ['ANALYTICS_READ'] });
    expect((await oneScope.get(`/messages/${messageId}/trace`)).status).toBe(403);
  });

  test('drafts and previews have a trace, which is not stored', async () => {
    const { db } = service.system;
    const { conversationId, handoffId } = await claimedConversation(service, tenant.projectId);
    await sendMessage(service.system, {
      ...{ projectId: tenant.projectId, conversationId, message: question },
    });
    const count = await db.answerTrace.count();
    const agent = await tenant.member('AGENT');
    const { data } = await agent.send(
      `query ($handoffId: ID!, $projectId: ID!, $question: String!) {
        draftReply(handoffId: $handoffId) { trace { ${traceFields} } }
        previewAnswer(projectId: $projectId, question: $question) { trace { ${traceFields} } }
      }`,
      { handoffId, projectId: tenant.projectId, question },
    );
    for (const answer of Object.values(data ?? {}) as { trace: Trace }[]) {
      expect(answer.trace.question.asked).toBe(question);
      expect(answer.trace.decision.reasons).toEqual(['ANSWERED']);
      expect(answer.trace.hits[0]?.used).toBe(true);
    }
    expect(await db.answerTrace.count()).toBe(count);
    const key = await tenant.graphql({ scopes: ['HANDOFF_WRITE'] });
    const refused = await key.send(
      'query ($handoffId: ID!) { draftReply(handoffId: $handoffId) { trace { timings { ms } } } }',
      { handoffId },
    );
    expect(refused.errors?.[0]?.extensions.code).toBe('SCOPE_MISSING');
  });

  test('a question of a run has a trace with at most 15 hits, deleted with the run', async () => {
    const { projectId } = tenant;
    const { system } = service;
    const questions = [{ question }, { question: 'Who won the regatta?' }];
    const set = await createQuestionSet(system, { projectId, name: 'Set', questions });
    const { id: runId } = await startEvaluation(system, { projectId, setId: set.id });
    await waitUntil(async () => (await getEvaluation(system, { id: runId })).finishedAt !== null);
    const agent = await tenant.member('AGENT');
    const { data } = await agent.send(
      `query ($id: ID!) { evaluationResultPage(id: $id) { data { trace { ${traceFields} } } } }`,
      { id: runId },
    );
    const page = data?.evaluationResultPage as { data: { trace: Trace }[] };
    const reasons = page.data.map(({ trace }) => trace.decision.reasons);
    expect(reasons).toEqual([['ANSWERED'], ['BELOW_THRESHOLD']]);
    await system.db.evaluationRun.delete({ where: { id: runId } });
    expect(await system.db.evaluationTrace.count({ where: { runId } })).toBe(0);
  });

  test("the end user's export has the trace without scores, and the erasure deletes it", async () => {
    const other = await service.createTenant();
    const { projectId } = other;
    const { messageId } = await ask(other, 'Hello!', { endUserId: 'ada' });
    const report = await exportEndUser(service.system, { projectId, endUserId: 'ada' });
    expect(report.conversations[0]?.messages.map(({ trace }) => trace)).toEqual([
      null,
      {
        question: { asked: 'Hello!', rewritten: null, corrected: null, translated: null },
        ...{ reasons: ['SMALL_TALK'], models: [], filtered: [] },
      },
    ]);
    await eraseEndUser(service.system, { projectId, endUserId: 'ada' });
    expect(await service.system.db.answerTrace.count({ where: { messageId } })).toBe(0);
  });

  test('an unknown message has no trace', async () => {
    const { errors } = await (await tenant.graphql()).send(traceQuery, { messageId: newId() });
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});

describe('with a language model', () => {
  let service: TestService;
  let models: OpenAiServer;
  let tenant: Tenant;

  beforeAll(async () => {
    ({ service, models } = await startServiceWithModel());
    tenant = await service.createTenant();
    await addDocuments(service, tenant.projectId, documents);
  }, 120_000);
  afterAll(() => service?.stop());

  test('the call has tokens, times and retries, and removed parts are counted', async () => {
    const deltas = ['Five years [1]. ', 'See https://evil.example/x and [9].'];
    models.script({ status: 503, headers: { 'retry-after': '0' } }, { deltas });
    const trace = await traceOf(tenant, (await ask(tenant, question)).messageId);
    expect(trace.decision).toMatchObject({ threshold: null, reasons: ['ANSWERED'] });
    const call = trace.modelCalls.find(({ purpose }) => purpose === 'ANSWER');
    expect(call?.tries).toBe(2);
    expect(call?.outputTokens).toBeGreaterThan(0);
    expect(call?.firstTokenMs).toBeLessThanOrEqual(call?.totalMs ?? 0);
    expect(trace.filtered).toContainEqual({ kind: 'LINK', count: 1 });
    expect(trace.filtered).toContainEqual({ kind: 'CITATION_MARKER', count: 1 });
  });

  test('a question in another language has the translation', async () => {
    models.script(
      { deltas: ['How long is the warranty of a tent?'] },
      { deltas: ['Fünf Jahre [1].'] },
    );
    const asked = 'Wie lange ist die Garantie auf ein Zelt, das ich bei Ihnen gekauft habe?';
    const trace = await traceOf(tenant, (await ask(tenant, asked)).messageId);
    expect(trace.question).toMatchObject({ asked, translated: question, rewritten: null });
    expect(trace.modelCalls.map(({ purpose }) => purpose)).toContain('REWRITE');
  });

  test('a stopped answer, and a stream that was resumed, have a trace', async () => {
    const rest = await tenant.rest();
    const start = async (fields: object) => {
      const response = await rest.post('/chat', { message: question, stream: true, ...fields });
      const frames = await readUntil(response, 'Five');
      return JSON.parse(frames.split('\n')[0]?.slice('data: '.length) ?? '') as Reply;
    };
    models.script({ deltas: ['Five ', 'years '], end: 'stall' });
    const stopped = await start({ resumable: true });
    await rest.post(`/chat/${stopped.messageId}/stop`);
    await waitUntil(async () => {
      const { reasons } = (await traceOf(tenant, stopped.messageId)).decision;
      return reasons.includes('STOPPED');
    });
    models.script({ deltas: ['Five ', 'years ', '[1].'], delayMs: 50 });
    const resumed = await start({ resumable: true });
    const rest2 = await rest.get(`/chat/${resumed.messageId}/stream`);
    expect(await rest2.text()).toContain('"done"');
    expect((await traceOf(tenant, resumed.messageId)).decision.reasons).toEqual(['ANSWERED']);
  });

  test('a model that fails is the reason, and its question is rewritten by a call', async () => {
    models.script({ deltas: ['Five years [1].'] });
    const { conversationId } = await ask(tenant, question);
    models.script({ deltas: ['What is the warranty of a kayak?'] }, { status: 400, body: '{}' });
    await ask(tenant, 'And of a kayak?', { conversationId });
    const failed = await service.system.db.message.findFirst({
      where: { conversationId, status: 'FAILED' },
    });
    const trace = await traceOf(tenant, failed?.id ?? '');
    expect(trace.decision.reasons).toEqual(['MODEL_FAILED']);
    expect(trace.modelCalls.map(({ purpose }) => purpose)).toEqual(
      expect.arrayContaining(['REWRITE', 'EMBED', 'ANSWER']),
    );
    expect(trace.question.rewritten).not.toBeNull();
  });
});

test('without traces, nothing is stored', async () => {
  const service = await startTestService({ answerTraceShare: 0 });
  try {
    const tenant = await service.createTenant();
    const { messageId } = await ask(tenant, 'Hello!');
    expect(await service.system.db.message.count({ where: { id: messageId } })).toBe(1);
    expect(await service.system.db.answerTrace.count()).toBe(0);
  } finally {
    await service.stop();
  }
});
