import createClient from 'openapi-fetch';
import { beforeAll, expect, test, vi } from 'vitest';
import type { components, paths } from '../../packages/client/src/generated/openapi-types.ts';
import { updateProject } from '../../src/domain/organizations/projects.ts';
import { newId } from '../../src/platform/ids.ts';
import { findOperation, operations } from '../support/api/openapi-document.ts';
import { validateResponse } from '../support/api/openapi-response.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

type StreamedEvent = components['schemas']['StreamedEvent'];
type Client = ReturnType<typeof createClient<paths, 'application/json'>>;

let service: TestService;
let tenant: Tenant;
let client: Client;
/** Operations that a test has called with the type-checked client. */
const called = new Set<string>();

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  client = clientOf(await tenant.key());
});

test('documents are created, uploaded, listed, searched, retried and deleted', async () => {
  const created = requireData(
    await client.POST('/knowledge/documents', {
      body: { name: 'Visiting', content: 'The lighthouse opens at nine. Dogs stay outside.' },
    }),
  );
  expect(created.status).toBe('PROCESSING');
  const { chunkCount } = await ready(created.id);
  expect(chunkCount).toBe(1);

  const file = new File(['The boat leaves at ten.'], 'Boats.txt');
  const uploaded = requireData(
    await client.POST('/knowledge/documents/upload', { body: { file }, bodySerializer: formOf }),
  );
  expect(uploaded).toMatchObject({ name: 'Boats.txt', sourceType: 'FILE' });
  await ready(uploaded.id);

  const page = requireData(
    await client.GET('/knowledge/documents', { params: { query: { limit: 1, search: 'boat' } } }),
  );
  expect(page.data.map(({ id }) => id)).toEqual([uploaded.id]);
  expect(page.hasMore).toBe(false);

  const { results } = requireData(
    await client.POST('/knowledge/search', { body: { query: 'When does the lighthouse open?' } }),
  );
  expect(results[0]).toMatchObject({ documentId: created.id, documentName: 'Visiting' });

  await service.system.db.document.update({
    where: { id: uploaded.id },
    data: { status: 'FAILED', errorCode: 'EMBEDDING_ERROR', errorMessage: 'Not reached' },
  });
  const params = { path: { documentId: uploaded.id } };
  const retried = requireData(
    await client.POST('/knowledge/documents/{documentId}/retry', { params }),
  );
  expect(retried.status).toBe('PROCESSING');
  await ready(uploaded.id);
  const { response } = await client.DELETE('/knowledge/documents/{documentId}', { params });
  expect(response.status).toBe(204);
});

test('a document is replaced, changed, read and deleted with others', async () => {
  const body = { name: 'Hours', content: 'The tower opens at ten.', tags: ['visit'] };
  const { id } = requireData(await client.POST('/knowledge/documents', { body }));
  await ready(id);
  const params = { path: { documentId: id } };
  const replacement = { name: 'Hours', content: 'The tower opens at eleven.' };
  const replaced = requireData(
    await client.PUT('/knowledge/documents/{documentId}', { params, body: replacement }),
  );
  expect(replaced).toMatchObject({ id, version: 2, tags: ['visit'] });
  const changed = requireData(
    await client.PATCH('/knowledge/documents/{documentId}', {
      params,
      body: { externalId: 'hours', metadata: { floor: 2 } },
    }),
  );
  expect(changed).toMatchObject({ externalId: 'hours', metadata: { floor: 2 } });
  await ready(id);
  const { text } = requireData(
    await client.GET('/knowledge/documents/{documentId}/content', { params }),
  );
  expect(text).toContain('eleven');
  const original = await client.GET('/knowledge/documents/{documentId}/original', {
    params,
    parseAs: 'text',
  });
  expect(original.data).toBe(replacement.content);
  const ids = { body: { documentIds: [id] } };
  expect(requireData(await client.POST('/knowledge/documents/retry', ids)).count).toBe(0);
  expect(requireData(await client.POST('/knowledge/documents/delete', ids)).count).toBe(1);
});

test('a question set is created, changed, asked and deleted', async () => {
  const body = { name: 'Front desk' };
  const { id: setId } = requireData(await client.POST('/evaluation/sets', { body }));
  const params = { path: { setId } };
  const questions = { questions: [{ question: 'Is there tea?' }] };
  const path = '/evaluation/sets/{setId}/questions';
  requireData(await client.PUT(path, { params, body: questions }));
  requireData(await client.POST(path, { params, body: questions }));
  const [first, second] = requireData(await client.GET(path, { params })).data;
  const one = '/evaluation/questions/{questionId}';
  const edited = {
    params: { path: { questionId: first?.id ?? '' } },
    body: { tags: ['x'] },
  };
  expect(requireData(await client.PATCH(one, edited)).tags).toEqual(['x']);
  requireData(await client.POST(path, { params, body: questions }));
  const removed = { params: { path: { questionId: second?.id ?? '' } } };
  expect((await client.DELETE(one, removed)).response.status).toBe(204);
  expect(requireData(await client.GET(path, { params })).data).toHaveLength(2);
  requireData(await client.PATCH('/evaluation/sets/{setId}', { params, body: { name: 'Bar' } }));
  expect(requireData(await client.GET('/evaluation/sets/{setId}', { params })).name).toBe('Bar');
  const proposals = await client.GET('/evaluation/sets/{setId}/proposals', { params });
  expect(requireData(proposals).data).toEqual([]);
  expect(requireData(await client.GET('/evaluation/sets')).data).toHaveLength(1);
  const { id: runId } = requireData(await client.POST('/evaluation/runs', { body: { setId } }));
  const run = { params: { path: { runId } } };
  await expect
    .poll(async () => requireData(await client.GET('/evaluation/runs/{runId}', run)).status)
    .toBe('DONE');
  const { data: results } = requireData(await client.GET('/evaluation/runs/{runId}/results', run));
  expect(results).toHaveLength(2);
  const marked = { path: { runId, questionId: results[0]?.questionId ?? '' } };
  const markPath = '/evaluation/runs/{runId}/results/{questionId}/mark';
  const mark = { params: marked, body: { mark: 'RIGHT' } } as const;
  expect(requireData(await client.PUT(markPath, mark)).mark).toBe('RIGHT');
  const pair = { params: { path: { runId, otherRunId: runId } } };
  const compared = await client.GET('/evaluation/runs/{runId}/compare/{otherRunId}', pair);
  expect(requireData(compared).changed).toEqual([]);
  const confidence = requireData(await client.GET('/evaluation/confidence'));
  expect(confidence.promises).toHaveLength(5);
  expect((await client.POST('/evaluation/runs/{runId}/cancel', run)).response.status).toBe(409);
  expect(requireData(await client.GET('/evaluation/runs')).data).toHaveLength(1);
  const { response } = await client.DELETE('/evaluation/sets/{setId}', { params });
  expect(response.status).toBe(204);
});

test('a source is created, listed, changed, read and deleted', async () => {
  const created = requireData(
    await client.POST('/knowledge/sources', {
      body: { kind: 'WEBSITE', name: 'Site', config: { startUrls: ['http://127.0.0.1:9/'] } },
    }),
  );
  const params = { path: { sourceId: created.id } };
  const body = { name: 'Website' };
  const changed = requireData(
    await client.PATCH('/knowledge/sources/{sourceId}', { params, body }),
  );
  expect(changed.name).toBe('Website');
  const found = requireData(await client.GET('/knowledge/sources/{sourceId}', { params }));
  expect(found.config.startUrls).toEqual(['http://127.0.0.1:9/']);
  expect(requireData(await client.GET('/knowledge/sources')).data).toHaveLength(1);
  requireData(await client.POST('/knowledge/sources/{sourceId}/sync', { params }));
  const runs = requireData(await client.GET('/knowledge/sources/{sourceId}/runs', { params }));
  expect(runs.data).toHaveLength(1);
  const { response } = await client.DELETE('/knowledge/sources/{sourceId}', { params });
  expect(response.status).toBe(204);
});

test('a conversation is created, read and handed off', async () => {
  const endUserId = 'customer-4711';
  const reply = requireData(
    await client.POST('/chat', { body: { message: 'When does the lighthouse open?', endUserId } }),
  );
  expect(reply.citations[0]?.documentName).toBe('Visiting');
  expect(reply.confidence).toBeGreaterThan(0.5);
  const { conversationId } = reply;
  await client.POST('/chat', { body: { message: 'And dogs?', conversationId } });

  const listed = requireData(
    await client.GET('/conversations', { params: { query: { endUserId, status: 'OPEN' } } }),
  );
  expect(listed.data).toMatchObject([{ id: conversationId, messageCount: 4 }]);

  const handoff = requireData(
    await client.POST('/handoff', {
      body: { conversationId, email: 'ada@example.com', reason: 'Asks for a person' },
    }),
  );
  expect(handoff).toMatchObject({ conversationId, status: 'HANDOFF_REQUESTED' });

  const transcript = requireData(
    await client.GET('/conversations/{conversationId}', { params: { path: { conversationId } } }),
  );
  expect(transcript.status).toBe('HANDOFF_REQUESTED');
  expect(transcript.handoff?.email).toBe('ada@example.com');
  expect(transcript.messages.map(({ role }) => role)).toEqual([
    'USER',
    'ASSISTANT',
    'USER',
    'ASSISTANT',
  ]);

  const usage = requireData(await client.GET('/usage'));
  expect(usage.messages.used).toBe(2);
  expect(usage.organizationId).toBe(tenant.organizationId);
});

test('a stream is read by event, resumed and stopped', async () => {
  const message = 'When does the lighthouse open?';
  const { data } = await client.POST('/chat', {
    body: { message, stream: true, resumable: true },
    parseAs: 'stream',
  });
  const events = await eventsOf(data);
  const [meta, ...rest] = events;
  const last = events.at(-1);
  if (meta?.type !== 'meta' || last?.type !== 'done') throw new Error('It has no beginning or end');
  const deltas = events.map((event) => (event.type === 'delta' ? event.text : ''));
  expect(deltas.join('')).toBe(last.content);

  const path = { messageId: meta.messageId };
  const resumed = await client.GET('/chat/{messageId}/stream', {
    params: { path, query: { after: meta.seq } },
    parseAs: 'stream',
  });
  expect(await eventsOf(resumed.data)).toEqual(rest);
  const stopped = requireData(await client.POST('/chat/{messageId}/stop', { params: { path } }));
  expect(stopped).toMatchObject({ id: meta.messageId, status: 'COMPLETED' });
});

test('handoffs are listed, claimed, answered, transferred, resolved and returned', async () => {
  const { organizationId } = tenant;
  const email = 'grace@example.com';
  const member = { id: newId(), organizationId, email, role: 'AGENT' } as const;
  await service.system.db.member.create({ data: member });
  const reply = requireData(await client.POST('/chat', { body: { message: 'A question' } }));
  const { conversationId, messageId } = reply;
  await client.POST('/handoff', { body: { conversationId } });
  const [handoff] = requireData(await client.GET('/handoffs')).data;
  const params = { path: { handoffId: handoff?.id ?? '' } };
  const claimed = requireData(await client.POST('/handoffs/{handoffId}/claim', { params }));
  expect(claimed).toMatchObject({ status: 'CLAIMED', conversationId });
  const sent = await client.POST('/conversations/{conversationId}/replies', {
    params: { path: { conversationId } },
    body: { content: 'An answer' },
  });
  expect(requireData(sent).role).toBe('AGENT');
  const path = { conversationId };
  const noted = await client.POST('/conversations/{conversationId}/notes', {
    params: { path },
    body: { content: 'Asked twice' },
  });
  const { data: notes } = requireData(
    await client.GET('/conversations/{conversationId}/notes', { params: { path } }),
  );
  expect(notes).toEqual([requireData(noted)]);
  const released = await client.POST('/handoffs/{handoffId}/release', { params });
  expect(requireData(released).status).toBe('REQUESTED');
  const body = { to: email };
  const moved = requireData(await client.POST('/handoffs/{handoffId}/transfer', { params, body }));
  expect(moved.claimedBy).toBe(email);
  await updateProject(service.system, { id: tenant.projectId, asksForSatisfaction: true });
  const resolved = requireData(await client.POST('/handoffs/{handoffId}/resolve', { params }));
  expect(resolved).toMatchObject({ status: 'RESOLVED', satisfaction: { rating: null } });
  const returned = requireData(await client.POST('/handoffs/{handoffId}/return', { params }));
  expect(returned).toEqual(resolved);
  const satisfaction = { rating: 5, comment: 'Quick' };
  const scored = await client.PUT('/handoffs/{handoffId}/satisfaction', {
    params,
    body: satisfaction,
  });
  expect(requireData(scored)).toMatchObject({ ...params.path, ...satisfaction });

  const rated = await client.PUT('/messages/{messageId}/feedback', {
    params: { path: { messageId } },
    body: { rating: 'DOWN' },
  });
  expect(requireData(rated)).toMatchObject({ messageId, rating: 'DOWN' });
  const traced = await client.GET('/messages/{messageId}/trace', {
    params: { path: { messageId } },
  });
  expect(requireData(traced).question.asked).toBe('A question');
  const { data } = requireData(await client.GET('/insights/unanswered'));
  expect(data.map(({ question }) => question)).toContain('A question');
});

test('webhooks are created, read, changed, tested, rotated and deleted', async () => {
  const url = 'https://webhooks.invalid/';
  const { id } = requireData(await client.POST('/webhooks', { body: { url } }));
  const params = { path: { webhookId: id } };
  expect(requireData(await client.GET('/webhooks')).total).toBe(1);
  expect(requireData(await client.GET('/webhooks/{webhookId}', { params })).url).toBe(url);
  const delivery = requireData(await client.POST('/webhooks/{webhookId}/test', { params }));
  const again = await client.POST('/webhooks/deliveries/{deliveryId}/redeliver', {
    params: { path: { deliveryId: delivery.id } },
  });
  expect(requireData(again).id).toBe(delivery.id);
  const list = requireData(await client.GET('/webhooks/{webhookId}/deliveries', { params }));
  expect(list.total).toBe(1);
  const body = { isEnabled: false };
  const changed = requireData(await client.PATCH('/webhooks/{webhookId}', { params, body }));
  expect(changed.isEnabled).toBe(false);
  const { secret } = requireData(
    await client.POST('/webhooks/{webhookId}/rotate-secret', { params }),
  );
  expect(secret).toMatch(/^whsec_/);
  const { response } = await client.DELETE('/webhooks/{webhookId}', { params });
  expect(response.status).toBe(204);
});

test('keys are created, listed, rotated and revoked', async () => {
  const created = requireData(
    await client.POST('/keys', { body: { name: 'Website', scopes: ['chat'] } }),
  );
  expect(created).toMatchObject({ scopes: ['chat'], secret: expect.stringMatching(/^sk_/) });
  expect(requireData(await client.GET('/keys')).data[0]?.id).toBe(created.id);
  const params = { path: { keyId: created.id } };
  expect(requireData(await client.POST('/keys/{keyId}/rotate', { params })).name).toBe('Website');
  const revoked = requireData(await client.POST('/keys/{keyId}/revoke', { params }));
  expect(revoked.revokedAt).not.toBeNull();
});

test('an org-wide key names its project, in the body and in the query', async () => {
  const orgWide = clientOf(await tenant.key({ isOrgWide: true }));
  const { projectId } = tenant;
  const search = await orgWide.POST('/knowledge/search', { body: { query: 'boat', projectId } });
  expect(search.response.status).toBe(200);
  const list = await orgWide.GET('/knowledge/documents', { params: { query: { projectId } } });
  expect(list.data?.total).toBe(1);
  const { error } = await orgWide.GET('/usage');
  expect(error).toMatchObject({ code: 'PROJECT_REQUIRED' });
});

test('an error has its own type, with a code for branching', async () => {
  const { data, error, response } = await client.POST('/chat', { body: { message: ' ' } });
  expect(data).toBeUndefined();
  expect(response.status).toBe(400);
  switch (error?.code) {
    case 'VALIDATION_FAILED':
      expect(error.message).toEqual(['message must not be blank']);
      break;
    default:
      throw new Error(`another code: ${error?.code}`);
  }
});

test('the compiler rejects what the interface rejects', async () => {
  const misspelt = await client.POST('/chat', {
    // @ts-expect-error because `message` is required
    body: { mesage: 'When does the lighthouse open?' },
  });
  expect(misspelt.error?.message).toEqual(['message is required', 'mesage is not a known field']);
  const wrong = await client.GET('/knowledge/documents', {
    // @ts-expect-error because `limit` is a number
    params: { query: { limit: 'all' } },
  });
  expect(wrong.error?.message).toEqual(['limit must be an integer between 1 and 100']);
  // @ts-expect-error because no such operation exists
  const nowhere = await client.GET('/nowhere');
  expect(nowhere.response.status).toBe(404);
  called.delete('GET /nowhere');
});

test('every operation has been called', () => {
  expect([...called].sort()).toEqual(operations.map(({ id }) => id).sort());
});

function clientOf(key: string): Client {
  return createClient<paths, 'application/json'>({
    baseUrl: `${service.url}/api/v1`,
    headers: { Authorization: `Bearer ${key}` },
    fetch: async (request) => {
      const path = new URL(request.url).pathname.replace('/api/v1', '');
      called.add(findOperation(request.method, path)?.id ?? `${request.method} ${path}`);
      return validateResponse(request.method, await fetch(request));
    },
  });
}

function requireData<Data>(answer: { readonly data?: Data; readonly error?: unknown }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

function ready(documentId: string) {
  return vi.waitFor(
    async () => {
      const params = { path: { documentId } };
      const answer = await client.GET('/knowledge/documents/{documentId}', { params });
      const document = requireData(answer);
      expect(document.status).toBe('READY');
      return document;
    },
    { timeout: 15_000, interval: 100 },
  );
}

function formOf({ file }: { readonly file: Blob }): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}

async function eventsOf(body: ReadableStream | null | undefined): Promise<StreamedEvent[]> {
  const frames = (await new Response(body).text()).split('\n\n').slice(0, -1);
  return frames.map((frame): StreamedEvent => JSON.parse(frame.slice('data: '.length)));
}
