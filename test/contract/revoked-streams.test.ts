import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey, revokeApiKey } from '../../src/domain/api-keys/api-keys.ts';
import {
  inviteMember,
  removeMember,
  updateMember,
} from '../../src/domain/organizations/manage-members.ts';
import { createSignInSecret } from '../../src/domain/sign-in/sign-in-links.ts';
import { rotateWidgetKey, updateWidget } from '../../src/domain/widget/widgets.ts';
import { newId } from '../../src/platform/ids.ts';
import { ApiKeyScope } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { operatorClaims } from '../../src/server/token.ts';
import { type ChatStreamReader, resumeAnswer, streamChat } from '../support/api/chat-stream.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { restClient } from '../support/api/rest-client.ts';
import { subscribe } from '../support/api/subscription.ts';
import {
  eventReader,
  makeWidget,
  siteOrigin,
  visitorClient,
} from '../support/api/visitor-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';

/** Without a notification, the service checks an idle stream only every 30 s, and these tests would time out. */
const timeoutMs = 15_000;

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  tenant = await service.createTenant();
  await addDocuments(service, tenant.projectId, {
    'Check-out.md': '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros.',
  });
});
afterAll(() => service?.stop());

const message = 'Until when is check-out?';
const restAt = (secret: string) => restClient(`${service.url}/api/v1`, secret);

async function newKey() {
  const { organizationId, projectId } = tenant;
  const scopes = Object.values(ApiKeyScope);
  const { secret, apiKey } = await createApiKey(service.system, {
    ...{ organizationId, projectId, name: 'Key', scopes },
  });
  return { secret, revoke: () => revokeApiKey(service.system, { id: apiKey.id }) };
}

/** Requests an answer that the model never finishes, and reads its first words. */
async function startAnswer(secret: string, options: object = {}) {
  models.script({ deltas: ['Until ', '11:00 '], end: 'stall' });
  const asked = models.request(models.requests.length);
  const stream = await streamChat(restAt(secret), { message, ...options });
  return { stream, messageId: await readToFirstDelta(stream), modelCall: await asked };
}

async function readToFirstDelta(stream: ChatStreamReader): Promise<string> {
  let messageId = '';
  for (;;) {
    const event = await stream.next();
    if (event?.type === 'meta') messageId = event.messageId ?? '';
    if (event?.type === 'delta') return messageId;
    if (event === null) throw new Error('The stream ended early');
  }
}

describe('revoking a key', { timeout: timeoutMs }, () => {
  test('ends its streamed answers with UNAUTHENTICATED, and the call of the model', async () => {
    const { secret, revoke } = await newKey();
    const { stream, modelCall } = await startAnswer(secret);
    await revoke();
    expect((await stream.readToEnd()).at(-1)).toMatchObject({
      type: 'error',
      code: 'UNAUTHENTICATED',
    });
    await modelCall.closed;
  });

  test('ends the streams of a resumable answer that it reads, and no stream of another key', async () => {
    const [revoked, valid] = [await newKey(), await newKey()];
    const { stream, messageId } = await startAnswer(revoked.secret, { resumable: true });
    const resumed = await resumeAnswer(restAt(revoked.secret), messageId);
    const other = await resumeAnswer(restAt(valid.secret), messageId);
    await revoked.revoke();
    for (const reader of [stream, resumed]) {
      const last = (await reader.readToEnd()).at(-1);
      expect(last).toMatchObject({ type: 'error', code: 'UNAUTHENTICATED' });
    }
    await readToFirstDelta(other);
    expect((await restAt(valid.secret).post(`/chat/${messageId}/stop`, {})).status).toBe(200);
    expect((await other.readToEnd()).at(-1)).toMatchObject({ type: 'done' });
  });

  test.each([
    'subscription ($projectId: ID!) { conversationUpdated(projectId: $projectId) { id } }',
    'subscription ($projectId: ID!) { documentUpdated(projectId: $projectId) { id } }',
    'subscription ($projectId: ID!) { handoffInbox(projectId: $projectId) { cursor } }',
  ])('ends its idle %s with UNAUTHENTICATED', async (query) => {
    const { secret, revoke } = await newKey();
    const results = await open(secret, query);
    await revoke();
    expect(codeOf(await results.next())).toBe('UNAUTHENTICATED');
    expect(await results.next()).toBeNull();
  });
});

const inbox = 'subscription ($projectId: ID!) { handoffInbox(projectId: $projectId) { cursor } }';
const open = (token: string, query = inbox) =>
  subscribe(`${service.url}/graphql`, token, query, { projectId: tenant.projectId });
const codeOf = (result: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['next']>>) =>
  result?.errors?.[0]?.extensions.code;

async function newMember() {
  const email = `${newId()}@example.com`;
  const ref = { organizationId: tenant.organizationId, email };
  await inviteMember(service.system, { ...ref, role: 'AGENT' });
  return { email, ref };
}

describe('the open inbox of an operator', { timeout: timeoutMs }, () => {
  test('ends with FORBIDDEN when the membership is removed, and stays open for others', async () => {
    const [removed, other] = [await newMember(), await newMember()];
    const closing = await open(await service.token(operatorClaims(removed.email)));
    const staying = await open(await service.token(operatorClaims(other.email)));
    await removeMember(service.system, removed.ref);
    expect(codeOf(await closing.next())).toBe('FORBIDDEN');
    expect(await closing.next()).toBeNull();

    await updateMember(service.system, { ...other.ref, role: 'VIEWER' });
    const { secret } = await newKey();
    const { conversationId } = await (await restAt(secret).post('/chat', { message })).json();
    expect((await restAt(secret).post('/handoff', { conversationId })).status).toBe(201);
    expect((await staying.take(1)).length).toBe(1);
    staying.disconnect();
  });

  test('ends with UNAUTHENTICATED when its session is signed out, and stays open in other sessions', async () => {
    const { email } = await newMember();
    const [first, second] = [await signIn(email), await signIn(email)];
    const [closing, staying] = [await open(first.accessToken), await open(second.accessToken)];
    await signOut(first.cookie);
    expect(codeOf(await closing.next())).toBe('UNAUTHENTICATED');
    const isOpen = graphqlClient(service.url, second.accessToken).data('{ me { id } }');
    expect(await isOpen).toBeDefined();
    await signOut(second.cookie, '/all');
    expect(codeOf(await staying.next())).toBe('UNAUTHENTICATED');
  });
});

async function signIn(email: string) {
  const secret = await createSignInSecret(service.adapters, email);
  const response = await session('POST', '', { body: JSON.stringify({ secret }) });
  const cookie = response.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const { accessToken }: { accessToken: string } = await response.json();
  return { cookie, accessToken };
}

const signOut = (Cookie: string, path = '') => session('DELETE', path, { headers: { Cookie } });
const session = (method: string, path: string, { body, headers }: RequestInit) =>
  fetch(`${service.url}/dashboard/session${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body && { body }),
  });

describe('a visitor', { timeout: timeoutMs }, () => {
  const endings = {
    'the widget is turned off': (projectId: string) =>
      updateWidget(service.system, { projectId, isEnabled: false }),
    'the site is removed': (projectId: string) =>
      updateWidget(service.system, { projectId, allowedOrigins: ['https://other.example'] }),
    'its key is replaced': (projectId: string) => rotateWidgetKey(service.system, { projectId }),
  };

  test.each(Object.entries(endings))('loses open streams when %s', async (_what, end) => {
    const { projectId } = tenant;
    const key = await makeWidget(service, projectId, [siteOrigin]);
    await updateWidget(service.system, { projectId, isEnabled: true });
    const page = visitorClient(service, key);
    await page.visit();
    models.script({ deltas: ['Until ', '11:00 '], end: 'stall' });
    const answer = eventReader(await page.post('messages', { message }));
    const [meta] = await answer.readUntil('"delta"');
    const conversation = eventReader(
      await page.post('updates', { conversationId: meta?.conversationId }),
    );
    await conversation.readUntil('"messages"');

    await end(projectId);
    for (const reader of [answer, conversation]) {
      const last = (await reader.readUntil('"error"')).at(-1);
      expect(last).toMatchObject({ type: 'error', code: 'FORBIDDEN' });
    }
  });
});
