import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { exportConversations } from '../../src/domain/conversations/export-conversations.ts';
import { newId } from '../../src/platform/ids.ts';
import { addConversation } from '../support/conversations.ts';
import { eventually } from '../support/pages/browser.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;
const controllers: AbortController[] = [];

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  ({ projectId } = tenant);
});
afterEach(() => {
  for (const controller of controllers.splice(0)) controller.abort();
});

function send(token: string | null, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${service.url}/dashboard/export`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token !== null && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ projectId, format: 'ndjson', ...body }),
    ...(signal !== undefined && { signal }),
  });
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const countExports = () =>
  service.system.db.auditEntry.count({
    where: { organizationId: tenant.organizationId, action: 'CONVERSATIONS_EXPORTED' },
  });

/** Adds a conversation with a label, a note, and an answer that has a citation and a rating. */
async function addReviewed(): Promise<string> {
  const { db } = service.system;
  const conversationId = await addConversation(service, projectId, {
    messages: ['=1+1', 'At nine, said "the" guide.\n[1]'],
    endUserId: '@guest',
    channel: 'WIDGET',
  });
  const answer = await db.message.findFirstOrThrow({
    where: { conversationId, role: 'ASSISTANT' },
  });
  const citation = { documentId: newId(), documentName: 'Guide', chunkId: newId(), score: 1 };
  const place = { quote: 'Nine o’clock.', page: 3, startOffset: 0, endOffset: 9, sourceUrl: null };
  await db.message.update({
    where: { id: answer.id, projectId },
    data: { confidence: 0.75, citations: [{ ...citation, ...place }] },
  });
  await db.messageFeedback.create({
    data: { messageId: answer.id, projectId, rating: 'DOWN', comment: 'Wrong' },
  });
  const visitorAttributes = { plan: 'pro', '-seats': '=1+1' };
  await db.conversation.update({
    where: { id: conversationId, projectId },
    data: { visitorAttributes },
  });
  const label = await db.label.create({ data: { id: newId(), projectId, name: 'Urgent' } });
  await db.conversationLabel.create({ data: { projectId, conversationId, labelId: label.id } });
  await db.conversationNote.create({
    data: { id: newId(), projectId, conversationId, author: 'a@example.com', content: 'Secret' },
  });
  return conversationId;
}

test('NDJSON has a line for each message, with confidence, rating, citations and labels, without notes', async () => {
  const conversationId = await addReviewed();
  const response = await send(await tenant.memberToken('ADMIN'), {});
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Disposition')).toContain('conversations.ndjson');
  const text = await response.text();
  expect(text).not.toContain('Secret');
  const [question, answer] = linesOf(text);
  expect(question).toMatchObject({
    ...{ conversationId, role: 'USER', position: 1, content: '=1+1', confidence: null },
    ...{ channel: 'WIDGET', endUserId: '@guest', labels: ['Urgent'], citations: [] },
    visitorAttributes: { plan: 'pro', '-seats': '=1+1' },
  });
  expect(answer).toMatchObject({
    ...{ role: 'ASSISTANT', confidence: 0.75, rating: 'DOWN', ratingComment: 'Wrong' },
    citations: [{ documentName: 'Guide', page: 3, quote: 'Nine o’clock.' }],
  });
});

test('a spreadsheet calculates nothing of a CSV file', async () => {
  await addReviewed();
  const hostile = {
    '+1': "'+1",
    '-1': "'-1",
    '@SUM(A1)': "'@SUM(A1)",
    '\t=1': "'\t'=1",
    '\r=1': "'\r'=1",
    ' =1': "' =1",
    '＝1': "'＝1",
    // In other languages, a spreadsheet may split a cell at a semicolon or a line break.
    'a,"b"\n=2': `a,"b"\n'=2`,
    'hello; =cmd|calc!A0;': "hello;' =cmd|calc!A0;",
    'a - b; c = d': 'a - b; c = d',
  };
  await addConversation(service, projectId, { title: '=cmd', messages: Object.keys(hostile) });
  const response = await send(await tenant.memberToken('OWNER'), { format: 'csv' });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const cells = [...bytes.toString('utf8').matchAll(/"((?:[^"]|"")*)"[,\r]/g)].map(([, cell]) =>
    String(cell).replaceAll('""', '"'),
  );
  expect(cells.length % 22).toBe(0);
  expect(cells.filter((cell) => /^[\s]*[=+\-@＝]|^[\t\r\n]/.test(cell))).toEqual([]);
  for (const text of ["'=1+1", "'@guest", "'=cmd", ...Object.values(hostile)]) {
    expect(cells).toContain(text);
  }
  const attributes = cells.filter((cell) => cell.includes('"plan"'));
  expect(attributes.map((cell) => JSON.parse(cell))).toEqual([
    { plan: 'pro', '-seats': '=1+1' },
    { plan: 'pro', '-seats': '=1+1' },
  ]);
  expect(cells).toContain('[1] Guide, page 3: “Nine o’clock.”');
});

test('contains each message of the matching conversations once, in pages, and is recorded', async () => {
  const long = Array.from({ length: 1_201 }, (_, n) => `Message ${n}`);
  await addConversation(service, projectId, { messages: long });
  const { db } = service.system;
  const ids = Array.from({ length: 120 }, () => newId());
  await db.conversation.createMany({ data: ids.map((id) => ({ id, projectId, title: 't' })) });
  await db.message.createMany({
    data: ids.map((conversationId) => ({
      ...{ id: newId(), conversationId, projectId, position: 1, role: 'USER', content: 'x' },
    })),
  });
  await addConversation(service, (await service.createTenant()).projectId, { messages: ['other'] });
  const sizes: number[] = [];
  const seen = new Set<string>();
  for await (const page of exportConversations(service.system, { projectId })) {
    sizes.push(page.length);
    for (const { messageId } of page) seen.add(messageId);
  }
  expect(Math.max(...sizes)).toBe(500);
  expect(seen.size).toBe(1_321);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(1_321);
  expect(await countExports()).toBe(1);

  const search = linesOf(
    await (await send(await tenant.memberToken('OWNER'), { search: 'message 7' })).text(),
  );
  expect(search.length).toBe(1_201);
  const entry = await db.auditEntry.findFirstOrThrow({
    where: { organizationId: tenant.organizationId, action: 'CONVERSATIONS_EXPORTED' },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  expect(entry).toMatchObject({ targetId: projectId, change: { hasSearch: true } });
  expect(JSON.stringify(entry.change)).not.toContain('message 7');
});

test('only owners and admins of the organization export', async () => {
  for (const role of ['AGENT', 'VIEWER'] as const) {
    expect((await send(await tenant.memberToken(role), {})).status).toBe(403);
  }
  expect((await send(null, {})).status).toBe(401);
  expect((await send(await tenant.key(), {})).status).toBe(403);
  const stranger = await (await service.createTenant()).memberToken('OWNER');
  expect((await send(stranger, {})).status).toBe(404);
  expect(await countExports()).toBe(0);
});

test('refuses a filter that does not exist with a message for each field, and records nothing', async () => {
  const token = await tenant.memberToken('OWNER');
  const wrong = { format: 'xls', confidenceBelow: 2, from: 'yesterday', channel: 'FAX' };
  const response = await send(token, wrong);
  expect(response.status).toBe(400);
  const { message } = await response.json();
  expect(message.map((text: string) => text.split(' ')[0]).sort()).toEqual(
    Object.keys(wrong).sort(),
  );
  expect((await send(token, { unknown: 1 })).status).toBe(400);
  expect(await countExports()).toBe(0);
});

test('an export stops when its operator leaves, and frees the place of one of two', async () => {
  const token = await tenant.memberToken('OWNER');
  const text = 'x'.repeat(20_000);
  for (let n = 0; n < 4; n++) {
    await addConversation(service, projectId, { messages: Array(600).fill(text) });
  }
  const open = async () => {
    const controller = new AbortController();
    controllers.push(controller);
    return { controller, response: await send(token, {}, controller.signal) };
  };
  const [first, second] = [await open(), await open()];
  expect([first.response.status, second.response.status]).toEqual([200, 200]);
  expect((await send(token, {})).status).toBe(429);
  first.controller.abort();
  await eventually(async () => {
    const response = await send(token, { search: 'nothing' });
    await response.body?.cancel();
    return response.status;
  }).toBe(200);
});
