import { SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimHandoff } from '../../src/domain/handoff/claim-handoff.ts';
import { replyToConversation } from '../../src/domain/handoff/reply-to-conversation.ts';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { updateProject } from '../../src/domain/organizations/projects.ts';
import { visitorPointsPerMinute } from '../../src/domain/widget/visitor-rate-limit.ts';
import { rotateWidgetKey, updateWidget } from '../../src/domain/widget/widgets.ts';
import { newId } from '../../src/platform/ids.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { expectErrorBody, restClient } from '../support/api/rest-client.ts';
import {
  eventReader,
  makeWidget,
  siteOrigin,
  type VisitorClient,
  visitorClient,
} from '../support/api/visitor-client.ts';
import { addConversation } from '../support/conversations.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let key: string;
const question = 'When is breakfast served?';

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  key = await makeWidget(service, tenant.projectId);
  const documents = {
    'Guest guide': 'Breakfast is served from seven to ten in the winter garden.',
    'Price list (internal)': 'Staff pay four euros for a parking space in the yard.',
  };
  await addDocuments(service, tenant.projectId, documents);
});
// All requests come from the same IP address and share its rate limit, so each test resets the limit.
beforeEach(resetLimits);

async function visitor(ofKey = key): Promise<VisitorClient> {
  const page = visitorClient(service, ofKey);
  await page.visit();
  return page;
}

async function asked(page: VisitorClient, message = question): Promise<string> {
  const [meta] = await page.ask(message);
  return meta?.conversationId;
}

const operations = [
  'visit',
  'messages',
  'stop',
  'conversation',
  'conversations',
  'updates',
  'typing',
  'handoff',
  'feedback',
  'satisfaction',
];

describe('a page', () => {
  test.each(operations)(
    'of an allowed site may use %s, and the CORS header names its origin',
    async (operation) => {
      const page = visitorClient(service, key);
      const { status, headers } = await page.preflight(operation);
      expect(status).toBe(204);
      expect(Object.fromEntries(headers)).toMatchObject({
        'access-control-allow-origin': siteOrigin,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization, content-type',
        vary: 'Origin',
      });
      expect(headers.has('Access-Control-Allow-Credentials')).toBe(false);
      const answer = await page.post(operation);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(siteOrigin);
      expect(answer.headers.get('Vary')).toBe('Origin');
      expect(answer.headers.get('Set-Cookie')).toBeNull();
    },
  );

  test('of a subdomain of a wildcard may, and of its parent domain may not', async () => {
    const { projectId } = await service.createTenant();
    const page = visitorClient(
      service,
      await makeWidget(service, projectId, ['*.harbour.example']),
    );
    page.origin = 'https://shop.harbour.example';
    expect((await page.post('visit')).headers.get('Access-Control-Allow-Origin')).toBe(page.origin);
    page.origin = 'https://harbour.example';
    expect((await page.post('visit')).status).toBe(403);
  });

  const refusedOrigins = {
    'another site': 'https://evil.example',
    'the same host without TLS': 'http://www.harbour.example',
    'a host that ends like it': 'https://www.harbour.example.evil.example',
    'a sandbox, whose origin is null': 'null',
    nowhere: undefined,
  };
  test.each(Object.entries(refusedOrigins))(
    'of %s is rejected for every request',
    async (_, origin) => {
      const page = await visitor();
      page.origin = origin;
      for (const operation of operations) {
        for (const answer of [await page.preflight(operation), await page.post(operation)]) {
          expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false);
          expect(answer.headers.get('Vary')).toBe('Origin');
          expect(await expectErrorBody(Promise.resolve(answer))).toMatchObject({ statusCode: 403 });
        }
      }
    },
  );

  test('cannot distinguish an unknown key, a disabled key and a foreign site', async () => {
    const { projectId } = await service.createTenant();
    const offKey = await makeWidget(service, projectId);
    await updateWidget(service.system, { projectId, isEnabled: false });
    const nobodys = await makeWidget(service, (await service.createTenant()).projectId, []);
    const unknown = (await rotatedKey()).old;
    const pages = [offKey, nobodys, unknown, 'pk_x', 'sk_x'].map((each) =>
      visitorClient(service, each),
    );
    const foreign = visitorClient(service, key);
    foreign.origin = 'https://evil.example';
    const answers = await Promise.all(
      [...pages, foreign].map(async (page) => {
        const { message, code, statusCode } = await expectErrorBody(page.post('visit'));
        return { message, code, statusCode };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ statusCode: 403, code: 'FORBIDDEN' });
  });

  test('is checked against the current list at each request', async () => {
    const { projectId } = await service.createTenant();
    const page = visitorClient(service, await makeWidget(service, projectId, []));
    const statuses = [];
    for (const allowedOrigins of [[], [siteOrigin], []]) {
      await updateWidget(service.system, { projectId, allowedOrigins });
      statuses.push((await page.post('visit')).status);
    }
    expect(statuses).toEqual([403, 200, 403]);
  });
});

async function rotatedKey() {
  const { projectId } = await service.createTenant();
  const old = await makeWidget(service, projectId);
  const page = await visitor(old);
  const conversationId = await asked(page, 'Hello?');
  const { publishableKey } = await rotateWidgetKey(service.system, { projectId });
  return { old, page, conversationId, publishableKey };
}

describe('the notice that an AI system answers', () => {
  const update = `mutation ($input: UpdateWidgetInput!) { updateWidget(input: $input) { aiNotice } }`;

  test('has a default in each language of the script, can be worded, and cannot be removed', async () => {
    const { projectId } = await service.createTenant();
    const own = await makeWidget(service, projectId);
    const root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
    const set = async (aiNotice: string | null) => {
      const input = { projectId, aiNotice };
      const changed = await root.data<{ updateWidget: { aiNotice: string } }>(update, { input });
      const visited = await (await visitorClient(service, own).post('visit')).json();
      return [changed.updateWidget.aiNotice, visited.aiNotice];
    };
    const byDefault = 'You are chatting with an AI assistant.';
    expect(await set('Harbour Bot, an AI, answers.')).toEqual(
      Array.from({ length: 2 }, () => 'Harbour Bot, an AI, answers.'),
    );
    expect(await set(null)).toEqual([byDefault, null]);
    expect(await set(byDefault)).toEqual([byDefault, null]);
    for (const aiNotice of ['', ' \n', 'x'.repeat(201)]) {
      const { errors } = await root.send(update, { input: { projectId, aiNotice } });
      expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
      expect(errors?.[0]?.message).toMatch(
        /^aiNotice must (not be blank|be at most 200 characters)$/,
      );
    }
  });
});

describe('the look', () => {
  const get = (ofKey: string) => fetch(`${service.url}/widget/v1/${ofKey}/look`);

  test('is public and cacheable, and of enabled widgets only', async () => {
    const { projectId } = await service.createTenant();
    const own = await makeWidget(service, projectId);
    const look = { title: 'Ask the harbour', starterQuestions: [question], agentNames: false };
    await updateWidget(service.system, { projectId, look });
    const response = await get(own);
    expect(await response.json()).toEqual({
      title: 'Ask the harbour',
      greeting: null,
      color: null,
      position: 'RIGHT',
      logoUrl: null,
      starterQuestions: [question],
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=60',
    });
    expect(response.headers.has('Vary')).toBe(false);
    await updateWidget(service.system, { projectId, isEnabled: false });
    for (const refused of [own, (await rotatedKey()).old, 'pk_x']) {
      const answer = await get(refused);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(await expectErrorBody(Promise.resolve(answer))).toMatchObject({ statusCode: 403 });
    }
  });

  test('counts against the limit of the address', async () => {
    await get(key);
    await service.adapters.pool.query('update grounded.request_windows set counted = 600');
    const { status, headers } = await get(key);
    expect(status).toBe(429);
    expect(headers.has('Retry-After')).toBe(true);
  });
});

describe('a visitor', () => {
  test('receives a streamed answer, with only the names, quotes and addresses of the citations', async () => {
    const page = await visitor();
    const frames = await page.ask(question);
    expect(frames.map(({ type }) => type)).toEqual([
      'meta',
      ...frames.slice(1, -1).map(() => 'delta'),
      'done',
    ]);
    const done = frames.at(-1);
    expect(done?.content).toContain('from seven to ten');
    expect(done?.citations).toEqual([
      {
        number: 1,
        documentName: 'Guest guide',
        quote: 'Breakfast is served from seven to ten in the winter garden.',
        sourceUrl: null,
      },
    ]);
    expect(Object.keys(done ?? {}).sort()).toEqual(
      ['citations', 'content', 'conversationStatus', 'messageId', 'seq', 'type'].sort(),
    );
    expect(JSON.stringify(frames)).not.toMatch(/documentId|chunkId|score|confidence|internal/);
  });

  test('tells the team its page, browser and time zone, without query, and nothing that is no page', async () => {
    const page = await visitor();
    page.headers = { 'User-Agent': `Mozilla/5.0 ${'x'.repeat(400)}` };
    const ask = async (surroundings: object, conversationId?: string) => {
      const body = { message: 'When is breakfast?', conversationId, ...surroundings };
      const text = await (await page.post('messages', body)).text();
      const id = conversationId ?? /"conversationId":"([^"]+)"/.exec(text)?.[1] ?? '';
      const where = { id };
      const select = { visitorPage: true, visitorBrowser: true, visitorTimeZone: true } as const;
      return { id, ...(await service.system.db.conversation.findUniqueOrThrow({ where, select })) };
    };
    const told = await ask({
      page: 'https://www.harbour.example/rooms?token=secret#x',
      timeZone: 'Europe/Berlin',
    });
    expect(told).toEqual({
      id: told.id,
      visitorPage: 'https://www.harbour.example/rooms',
      visitorBrowser: `Mozilla/5.0 ${'x'.repeat(288)}`,
      visitorTimeZone: 'Europe/Berlin',
    });
    expect(await ask({ page: 'javascript:alert(1)', timeZone: 'x' }, told.id)).toEqual(told);
    const later = { page: 'https://www.harbour.example/spa', timeZone: 'Mars/Olympus' };
    expect(await ask(later, told.id)).toMatchObject({
      visitorPage: 'https://www.harbour.example/spa',
      visitorTimeZone: null,
    });
    const silent = await ask({});
    expect([silent.visitorPage, silent.visitorBrowser]).toEqual([null, null]);
    const long = { message: 'When is breakfast?', page: `https://a.example/${'x'.repeat(500)}` };
    expect((await page.post('messages', long)).status).toBe(400);
  });

  test('learns from the answer that its request for a person started a handoff', async () => {
    const { projectId } = await service.createTenant();
    const page = await visitor(await makeWidget(service, projectId));
    const ask = async () => (await page.ask('I want to talk to a human')).at(-1);
    expect(await ask()).toMatchObject({
      content: expect.stringContaining('Talk to a human'),
      conversationStatus: 'OPEN',
    });
    const assistant = { humanRequest: 'START' } as const;
    await updateProject(service.system, { id: projectId, assistant });
    expect(await ask()).toMatchObject({ conversationStatus: 'HANDOFF_REQUESTED' });
  });

  test('continues its conversation, and finds it again with a new token', async () => {
    const page = await visitor();
    const conversationId = await asked(page);
    const frames = await page.ask('And where?', conversationId);
    expect(frames[0]?.conversationId).toBe(conversationId);
    const before = page.token;
    expect(await page.visit()).toMatchObject({ isKnown: true });
    expect(before).toBeDefined();
    const conversation = await (await page.post('conversation', { conversationId })).json();
    expect(conversation).toMatchObject({ id: conversationId, status: 'OPEN' });
    const { messages } = conversation;
    expect(messages.map(({ role }: { role: string }) => role)).toEqual([
      'USER',
      'ASSISTANT',
      'USER',
      'ASSISTANT',
    ]);
    expect(Object.keys(messages[1]).sort()).toEqual([
      'authorName',
      'citations',
      'content',
      'createdAt',
      'id',
      'position',
      'rating',
      'role',
      'status',
    ]);
  });

  test('has no access to resources of others, from any page', async () => {
    const { projectId } = tenant;
    const other = await visitor();
    const others = await asked(other);
    const ofNobody = await addConversation(service, projectId, { messages: ['Secret', 'words'] });
    const ofCustomer = await addConversation(service, projectId, {
      messages: ['Secret', 'words'],
      endUserId: 'customer-1',
    });
    const elsewhere = await visitor(
      await makeWidget(service, (await service.createTenant()).projectId),
    );
    const foreign = await asked(elsewhere, 'Anybody there?');
    const page = await visitor();
    for (const conversationId of [others, ofNobody, ofCustomer, foreign, newId(), 'x'.repeat(36)]) {
      await resetLimits();
      for (const [operation, body] of [
        ['messages', { message: 'Let me in', conversationId }],
        ['conversation', { conversationId }],
        ['updates', { conversationId }],
        ['handoff', { conversationId }],
      ] as const) {
        const refused = await expectErrorBody(page.post(operation, body));
        expect([operation, refused.code]).toEqual([operation, 'NOT_FOUND']);
      }
    }
    const { rows } = await service.adapters.pool.query<{ id: string }>(
      `select id from grounded.messages where role = 'ASSISTANT' and conversation_id = any($1)`,
      [[others, ofNobody, ofCustomer, foreign]],
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { id: messageId } of rows) {
      const rating = expectErrorBody(page.post('feedback', { messageId, rating: 'DOWN' }));
      expect((await rating).code).toBe('NOT_FOUND');
      const stop = expectErrorBody(page.post('stop', { messageId }));
      expect((await stop).code).toBe('NOT_FOUND');
    }
    const stored = await service.system.db.message.count({
      where: { conversationId: { in: [others, ofNobody, ofCustomer, foreign] }, role: 'USER' },
    });
    expect(stored).toBe(4);
  });

  test('may stop a completed answer, which stays unchanged', async () => {
    const page = await visitor();
    const frames = await page.ask(question);
    const messageId = frames.at(-1)?.messageId;
    const stop = await page.post('stop', { messageId });
    expect(await stop.json()).toEqual({ status: 'COMPLETED' });
    const conversationId = frames[0]?.conversationId;
    const { messages } = await (await page.post('conversation', { conversationId })).json();
    const content = frames.at(-1)?.content;
    expect(messages.at(-1)).toMatchObject({ id: messageId, status: 'COMPLETED', content });
  });

  test('rates its own answer', async () => {
    const page = await visitor();
    const frames = await page.ask(question);
    const messageId = frames.at(-1)?.messageId;
    const rated = await (await page.post('feedback', { messageId, rating: 'DOWN' })).json();
    expect(rated).toEqual({ rating: 'DOWN' });
    const conversationId = frames[0]?.conversationId;
    const { messages } = await (await page.post('conversation', { conversationId })).json();
    expect(messages[1].rating).toBe('DOWN');
  });

  test("counts against the organization's plan, and learns when the allowance is exhausted", async () => {
    const poor = await service.createTenant();
    await service.system.db.organization.update({
      where: { id: poor.organizationId },
      data: { monthlyMessages: 1 },
    });
    const page = await visitor(await makeWidget(service, poor.projectId));
    await page.ask('One');
    expect(await expectErrorBody(page.post('messages', { message: 'Two' }))).toMatchObject({
      statusCode: 402,
      code: 'QUOTA_EXCEEDED',
    });
    const usage = await restClient(`${service.url}/api/v1`, await poor.key()).get('/usage');
    expect((await usage.json()).messages.used).toBe(1);
  });

  test('keeps its conversations when the publishable key is replaced', async () => {
    const { old, page, conversationId, publishableKey } = await rotatedKey();
    expect((await page.post('conversation', { conversationId })).status).toBe(403);
    const again = visitorClient(service, publishableKey);
    again.token = page.token;
    expect(publishableKey).not.toBe(old);
    expect((await again.post('conversation', { conversationId })).status).toBe(200);
  });

  test('that leaves finds the complete answer on return', async () => {
    const page = await visitor();
    const stream = eventReader(await page.post('messages', { message: question }));
    const conversationId = (await stream.readUntil('meta'))[0]?.conversationId;
    await stream.close();
    await expect
      .poll(
        async () =>
          (await (await page.post('conversation', { conversationId })).json()).messages[1],
        {
          timeout: 15_000,
          // Each poll costs the visitor one point of the rate limit.
          interval: 300,
        },
      )
      .toMatchObject({ status: 'COMPLETED', content: expect.stringContaining('seven to ten') });
  });
});

describe('a token', () => {
  const claims = () => new SignJWT({}).setIssuer('grounded-chat/widget').setSubject(newId());
  const secretOf = async (projectId: string) =>
    (await service.system.db.widget.findUniqueOrThrow({ where: { projectId } })).visitorSecret;
  const sign = (token: SignJWT, secret: Uint8Array) =>
    token.setProtectedHeader({ alg: 'HS256' }).sign(secret);

  test('that is missing, forged, expired, unsigned or of another project is invalid', async () => {
    const secret = await secretOf(tenant.projectId);
    const other = await service.createTenant();
    const ofOther = await visitor(await makeWidget(service, other.projectId));
    const page = await visitor();
    const [head, , signature] = String(page.token).split('.');
    const body = Buffer.from(
      JSON.stringify({ iss: 'grounded-chat/widget', sub: newId(), exp: 4_000_000_000 }),
    ).toString('base64url');
    const forged = {
      missing: undefined,
      nonsense: 'x',
      'another payload': `${head}.${body}.${signature}`,
      unsigned: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
      'of another project': ofOther.token,
      'of another secret': await sign(claims().setExpirationTime('1h'), new Uint8Array(32)),
      expired: await sign(claims().setExpirationTime(new Date(Date.now() - 60_000)), secret),
      'without an end': await sign(claims(), secret),
      'of another issuer': await sign(
        new SignJWT({}).setIssuer('grounded-chat').setSubject(newId()).setExpirationTime('1h'),
        secret,
      ),
      'of no visitor': await sign(claims().setSubject('admin').setExpirationTime('1h'), secret),
      'of an operator': await service.token({ role: 'service_role' }),
      'an API key': await tenant.key(),
    };
    for (const [name, token] of Object.entries(forged)) {
      await resetLimits();
      page.token = token;
      const refused = await expectErrorBody(page.post('messages', { message: question }));
      expect([name, refused.statusCode]).toEqual([name, 401]);
      const fresh = await (await page.post('visit')).json();
      expect([name, fresh.isKnown]).toEqual([name, false]);
    }
    expect(await sign(claims().setExpirationTime('1h'), secret)).toBeDefined();
  });

  test('grants access only to the widget', async () => {
    const page = await visitor();
    const rest = restClient(`${service.url}/api/v1`, String(page.token));
    expect((await rest.get('/conversations')).status).toBe(401);
    const graphql = graphqlClient(service.url, String(page.token));
    expect((await graphql.send('{ me { type: __typename } }')).errors?.[0]?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
    expect((await restClient(`${service.url}/api/v1`, key).get('/conversations')).status).toBe(401);
  });
});

describe('an agent', () => {
  const contact = { name: 'Ada <b>Lovelace</b>', email: 'ada@example.com', reason: 'A lost bag' };

  test('is requested, answers live, and returns the conversation to the assistant', async () => {
    const page = await visitor();
    const conversationId = await asked(page);
    const stream = await page.post('updates', { conversationId });
    expect(stream.headers.get('Content-Type')).toBe('text/event-stream');
    expect(stream.headers.get('Access-Control-Allow-Origin')).toBe(siteOrigin);
    const updates = eventReader(stream);
    const [whole] = await updates.readUntil('conversation');
    expect(whole).toMatchObject({ type: 'conversation', status: 'OPEN' });
    expect(whole?.messages).toHaveLength(2);

    const answer = await page.post('handoff', { conversationId, ...contact });
    expect(await answer.json()).toMatchObject({
      status: 'HANDOFF_REQUESTED',
      outOfHoursText: null,
      messages: [{ role: 'USER' }, { role: 'ASSISTANT' }],
    });
    const [asked_] = await updates.readUntil('HANDOFF_REQUESTED');
    expect(asked_?.messages).toEqual([]);

    const { token, send } = await agent();
    expect(token).toBeDefined();
    const { db } = service.system;
    const handoff = await db.handoff.findFirstOrThrow({ where: { conversationId } });
    expect(handoff).toMatchObject(contact);
    await send('mutation ($id: ID!) { claimHandoff(input: { handoffId: $id }) { id } }', {
      id: handoff.id,
    });
    await updates.readUntil('"HUMAN"');
    await service.system.db.member.updateMany({
      where: { email: 'agent@harbour.example' },
      data: { displayName: 'Grace' },
    });
    await send(
      'mutation ($id: ID!) { replyToConversation(input: { conversationId: $id, content: "Hello Ada" }) { id } }',
      { id: conversationId },
    );
    const told = (await updates.readUntil('Hello Ada')).at(-1);
    const reply = { role: 'AGENT', authorName: 'Grace', content: 'Hello Ada', position: 3 };
    expect(told?.messages).toMatchObject([reply]);
    expect(JSON.stringify(told)).not.toContain('agent@harbour.example');
    const namesOf = async (): Promise<(string | null)[]> => {
      const { messages } = await (await page.post('conversation', { conversationId })).json();
      return messages.map(({ authorName }: { authorName: string | null }) => authorName);
    };
    expect(await namesOf()).toEqual([null, null, 'Grace']);
    await updateWidget(service.system, {
      projectId: tenant.projectId,
      look: { agentNames: false },
    });
    expect(await namesOf()).toEqual([null, null, null]);

    const held = await page.ask('It is red', conversationId);
    expect(held.at(-1)?.content).toContain('will answer you here');
    expect(JSON.stringify(await updates.readUntil('It is red'))).not.toContain('Hello Ada');
    await send('mutation ($id: ID!) { returnToAssistant(input: { handoffId: $id }) { id } }', {
      id: handoff.id,
    });
    await updates.readUntil('"OPEN"');
    await updates.close();
  });

  test('who replies in a conversation that the visitor has left is noticed, with and without a newer one', async () => {
    const page = await visitor();
    const left = await asked(page);
    await page.post('handoff', { conversationId: left });
    const handoff = await service.system.db.handoff.findFirstOrThrow({
      where: { conversationId: left },
    });
    await claimHandoff(service.system, { handoffId: handoff.id });
    const newer = await asked(page, 'Is there a lift?');
    const onlyTeam = eventReader(await page.post('updates'));
    const onNewer = eventReader(await page.post('updates', { conversationId: newer }));
    const byOther = eventReader(await (await visitor()).post('updates'));
    const none = { id: left, status: 'HUMAN', teamPositions: [] };
    expect(await onlyTeam.readUntil('teamConversations')).toMatchObject([
      { type: 'teamConversations', teamConversations: [none] },
    ]);
    const [whole] = await onNewer.readUntil('teamConversations');
    expect(whole).toMatchObject({ type: 'conversation', id: newer, teamConversations: [none] });

    const reply = (content: string) =>
      replyToConversation(service.system, { conversationId: left, content });
    await reply('It is at the pier');
    await reply('Ask for Ann');
    expect((await onlyTeam.readUntil('[4,3]')).at(-1)?.teamConversations).toEqual([
      { ...none, teamPositions: [4, 3] },
    ]);
    expect((await onNewer.readUntil('[4,3]')).at(-1)).toMatchObject({ id: newer, messages: [] });
    const { conversations } = await (await page.post('conversations')).json();
    expect(conversations).toMatchObject([
      { id: left, teamPositions: [4, 3] },
      { id: newer, teamPositions: [] },
    ]);
    expect((await byOther.readUntil('teamConversations'))[0]?.teamConversations).toEqual([]);

    await resolveHandoff(service.system, { handoffId: handoff.id });
    await onlyTeam.readUntil('"RESOLVED"');
    await service.system.db.conversation.update({
      where: { id: left },
      data: { lastMessageAt: new Date(Date.now() - 15 * 86_400_000) },
    });
    const later = eventReader(await page.post('updates'));
    expect((await later.readUntil('teamConversations'))[0]?.teamConversations).toEqual([]);
    for (const reader of [onlyTeam, onNewer, byOther, later]) await reader.close();
  });

  test('who resolves the handoff is rated by the visitor, once the project asks, and by no other', async () => {
    const { projectId } = await service.createTenant();
    await updateProject(service.system, { id: projectId, asksForSatisfaction: true });
    const ofKey = await makeWidget(service, projectId);
    const page = await visitor(ofKey);
    const conversationId = await asked(page);
    const updates = eventReader(await page.post('updates', { conversationId }));
    await page.post('handoff', { conversationId });
    const { id: handoffId } = await service.system.db.handoff.findFirstOrThrow({
      where: { conversationId },
    });
    await claimHandoff(service.system, { handoffId });
    const early = await expectErrorBody(page.post('satisfaction', { handoffId, rating: 5 }));
    expect(early.code).toBe('CONFLICT');
    await resolveHandoff(service.system, { handoffId });
    const update = (await updates.readUntil('RESOLVED')).at(-1);
    const satisfaction = { handoffId, rating: null, comment: null };
    expect(update).toMatchObject({ status: 'RESOLVED', satisfaction });

    const stranger = await visitor(ofKey);
    const refused = await expectErrorBody(stranger.post('satisfaction', { handoffId, rating: 1 }));
    expect(refused.code).toBe('NOT_FOUND');
    const rating = { handoffId, rating: 4, comment: '<img src=x onerror=alert(1)>' };
    expect(await (await page.post('satisfaction', rating)).json()).toEqual(rating);
    await page.ask('Thank you', conversationId);
    const read = async () => (await page.post('conversation', { conversationId })).json();
    const reopened = await read();
    expect(reopened).toMatchObject({ status: 'OPEN', satisfaction: rating });
    expect(JSON.stringify(reopened.messages)).not.toContain('onerror');
    await page.post('handoff', { conversationId });
    expect((await read()).satisfaction).toBeNull();
    await updates.close();
  });

  test('who is out of hours causes the out-of-hours message', async () => {
    const { projectId } = await service.createTenant();
    const outOfHoursText = 'We are back on Monday.';
    const businessHours = { timeZone: 'Europe/Berlin', weekly: [] };
    await updateProject(service.system, {
      id: projectId,
      assistant: { outOfHoursText, businessHours },
    });
    const page = await visitor(await makeWidget(service, projectId));
    const visit = await (await page.post('visit')).json();
    expect(visit.teamHours).toEqual({ businessHours, outOfHoursText });
    const conversationId = await asked(page);
    const answer = await page.post('handoff', { conversationId });
    expect(await answer.json()).toMatchObject({ outOfHoursText });
    const read = async () => (await page.post('conversation', { conversationId })).json();
    expect(await read()).toMatchObject({ status: 'HANDOFF_REQUESTED', outOfHoursText });
    await updateProject(service.system, { id: projectId, assistant: { businessHours: null } });
    expect(await read()).toMatchObject({ status: 'HANDOFF_REQUESTED', outOfHoursText: null });
  });

  test('is no longer forwarded once the widget is disabled', async () => {
    const { projectId } = await service.createTenant();
    const page = await visitor(await makeWidget(service, projectId));
    const conversationId = await asked(page);
    const updates = eventReader(await page.post('updates', { conversationId }));
    await updates.readUntil('conversation');
    await updateWidget(service.system, { projectId, isEnabled: false });
    await service.system.db.conversation.update({
      where: { id: conversationId },
      data: { status: 'RESOLVED' },
    });
    const [last] = await updates.readUntil('"type":"error"');
    expect(last).toMatchObject({ type: 'error', code: 'FORBIDDEN' });
  });

  async function agent() {
    const token = await tenant.memberToken('AGENT', { email: 'agent@harbour.example' });
    const client = graphqlClient(service.url, token);
    return { token, send: (text: string, variables: object) => client.data(text, variables) };
  }
});

describe('request input', () => {
  const id = newId();
  test.each([
    ['messages', { message: 'x'.repeat(4_001) }, 'message must be at most 4000 characters'],
    ['messages', { message: ' ' }, 'message must not be blank'],
    ['messages', {}, 'message is required'],
    ['messages', { message: 'a\0b' }, 'message must not contain NUL characters'],
    ['messages', { message: 'a', endUserId: 'customer-1' }, 'endUserId is not a known field'],
    ['messages', { message: 'a', projectId: id }, 'projectId is not a known field'],
    ['messages', { message: ['a'] }, 'message must be a string'],
    ['handoff', { conversationId: id, email: 'nobody' }, 'email must be an e-mail address'],
    [
      'handoff',
      { conversationId: id, reason: 'x'.repeat(2_001) },
      'reason must be at most 2000 characters',
    ],
    ['feedback', { messageId: id, rating: 'FINE' }, 'rating must be one of UP, DOWN'],
    ['satisfaction', { handoffId: id, rating: 6 }, 'rating must be an integer between 1 and 5'],
    ['conversation', {}, 'conversationId is required'],
  ])('to %s is validated: %j', async (operation, body, message) => {
    const page = await visitor();
    expect(await expectErrorBody(page.post(operation, body))).toMatchObject({
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: [message],
    });
  });

  test('is read only up to its maximum valid size, and only as JSON', async () => {
    const page = await visitor();
    const huge = JSON.stringify({ message: 'x'.repeat(2_000_000) });
    expect((await page.post('messages', huge)).status).toBe(413);
    expect((await page.post('messages', '{')).status).toBe(400);
    page.headers = { 'Content-Type': 'text/plain' };
    expect((await page.post('messages', { message: question })).status).toBe(400);
  });

  test('to an unknown path, or with another method, returns 404', async () => {
    const page = visitorClient(service, key);
    expect((await page.post('documents')).status).toBe(404);
    const got = await fetch(`${service.url}/widget/v1/${key}/visit`, {
      headers: { Origin: siteOrigin },
    });
    expect(got.status).toBe(404);
  });
});

describe('the rate limit', () => {
  test('applies per visitor and returns Retry-After', async () => {
    const page = await visitor();
    const conversationId = newId();
    const spent = await Promise.all(
      Array.from({ length: visitorPointsPerMinute + 10 }, () =>
        page.post('conversation', { conversationId }),
      ),
    );
    const statuses = spent.map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(visitorPointsPerMinute);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const refused = spent.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(refused?.headers.get('Access-Control-Allow-Origin')).toBe(siteOrigin);
    await backdateVisitorWindows();
    expect((await page.post('conversation', { conversationId })).status).toBe(404);
  });

  test('of questions is fifteen a minute, or twelve with stops', async () => {
    const page = await visitor();
    const statuses = [];
    for (let n = 0; n < 16; n += 1) {
      const response = await page.post('messages', { message: ' ' });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 15 }, () => 400), 429]);
  });

  test('per address applies to all visitors that it creates', async () => {
    const visits = await Promise.all(
      Array.from({ length: 70 }, () => visitorClient(service, key).post('visit')),
    );
    expect(visits.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(visits.filter(({ status }) => status === 429)).toHaveLength(10);
    const elsewhere = await makeWidget(service, (await service.createTenant()).projectId);
    expect((await visitorClient(service, elsewhere).post('visit')).status).toBe(200);
  });

  test('ignores addresses claimed by the client and stores none', async () => {
    const page = visitorClient(service, key);
    page.headers = { 'X-Forwarded-For': '203.0.113.7' };
    await page.visit();
    const { rows } = await service.adapters.pool.query<{ name: string }>(
      'select name from grounded.request_windows',
    );
    expect(rows.filter(({ name }) => name.startsWith('address '))).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/127\.0\.0\.1|203\.0/);
  });

  test('leaves no expired windows behind', async () => {
    await Promise.all(
      Array.from({ length: 5 }, async () => (await visitor()).post('conversation')),
    );
    await backdateVisitorWindows();
    await (await visitor()).post('conversation');
    const { rows } = await service.adapters.pool.query(
      'select from grounded.request_windows where ends_at < now()',
    );
    expect(rows).toEqual([]);
  });
});

async function resetLimits(): Promise<void> {
  await service.adapters.pool.query('delete from grounded.request_windows');
}

async function backdateVisitorWindows(): Promise<void> {
  await service.adapters.pool.query(
    `update grounded.request_windows set ends_at = ends_at - interval '61 seconds'`,
  );
}

test('the script is small, and is sent again only after a change', async () => {
  const first = await fetch(`${service.url}/widget.js`, { headers: { 'Accept-Encoding': 'gzip' } });
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
    'content-encoding': 'gzip',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  });
  const etag = String(first.headers.get('ETag'));
  const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': `W/"other", ${etag}` };
  expect((await fetch(`${service.url}/widget.js`, { headers })).status).toBe(304);
  const text = await first.text();
  const plain = await fetch(`${service.url}/widget.js`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
  expect(plain.headers.get('ETag')).not.toBe(etag);
  expect(await plain.text()).toBe(text);
});

test('the preview is a separate page, for well-formed keys', async () => {
  const page = await fetch(`${service.url}/widget/preview/${key}`);
  expect(await page.text()).toContain(`data-key="${key}"`);
  const policy = page.headers.get('Content-Security-Policy');
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect((await fetch(`${service.url}/widget/preview/%22%3E%3Cscript%3E`)).status).toBe(404);
});
