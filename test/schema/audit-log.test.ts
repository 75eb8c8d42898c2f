import { randomUUID } from 'node:crypto';
import { getNamedType } from 'graphql';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeOldAuditEntriesJob } from '../../src/domain/audit/remove-old-audit-entries.ts';
import { exportAuditLog } from '../../src/domain/organizations/audit-log.ts';
import { createSignInSecret } from '../../src/domain/sign-in/sign-in-links.ts';
import { newId } from '../../src/platform/ids.ts';
import { schema } from '../../src/schema/schema.ts';
import { operatorClaims } from '../../src/server/token.ts';
import { storeExchanges } from '../support/api/exchanges.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { insertQuestionSet } from '../support/evaluation/evaluation.ts';
import { runRemoval } from '../support/run-removal.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** Mutations that write no audit entry, with the reason. Add each new mutation here or to `audited`. */
const exceptions: Readonly<Record<string, string>> = {
  sendMessage: 'content of conversations, which have transcripts',
  stopAnswer: 'content of conversations',
  giveFeedback: 'content of conversations',
  markEvaluationResult: 'ratings of answers, which are no setting',
  requestHandoff: 'handoffs, which the transcript shows with their agents',
  claimHandoff: 'handoffs',
  takeOverConversation: 'handoffs',
  markConversationRead: 'handoffs',
  signalTyping: 'handoffs, and nothing is stored',
  transferHandoff: 'handoffs',
  replyToConversation: 'handoffs',
  addConversationNote: 'content of conversations',
  resolveHandoff: 'handoffs',
  returnToAssistant: 'handoffs',
  rateHandoff: 'handoffs, which store the rating and its time',
  createDocument: 'documents, whose content is not a setting',
  uploadDocument: 'documents',
  replaceDocument: 'documents',
  replaceDocumentFile: 'documents',
  updateDocument: 'documents',
  retryDocument: 'documents',
  retryDocuments: 'documents',
  retryFailedDocuments: 'documents',
  tagDocuments: 'documents',
  keepDuplicate: 'documents',
  replaceDuplicate: 'documents',
  sendTestWebhook: 'changes no endpoint',
  redeliverWebhook: 'changes no endpoint',
};

type Input = Record<string, unknown>;

/** Adds a set with a question and a run that is done. */
const addQuestionSet = () => insertQuestionSet(service.system.db, tenant.projectId, 'DONE');

/** Mutations that write one audit entry, each with its input and the expected entry. */
const audited: Readonly<
  Record<string, { input(): Input | Promise<Input>; action: string; targetType: string }>
> = {
  createOrganization: {
    input: () => ({ name: 'Lighthouse' }),
    action: 'ORGANIZATION_CREATED',
    targetType: 'ORGANIZATION',
  },
  updateOrganization: {
    input: () => ({ id: tenant.organizationId, name: 'Lighthouse' }),
    action: 'ORGANIZATION_UPDATED',
    targetType: 'ORGANIZATION',
  },
  createProject: {
    input: () => ({ organizationId: tenant.organizationId, name: 'Kiosk' }),
    action: 'PROJECT_CREATED',
    targetType: 'PROJECT',
  },
  updateProject: {
    input: () => ({ id: tenant.projectId, assistant: { instructions: 'Be brief' } }),
    action: 'PROJECT_UPDATED',
    targetType: 'PROJECT',
  },
  updateWidget: {
    input: () => ({ projectId: tenant.projectId, allowedOrigins: ['https://example.com'] }),
    action: 'WIDGET_UPDATED',
    targetType: 'WIDGET',
  },
  rotateWidgetKey: {
    async input() {
      await run(owner, 'updateWidget', { projectId: tenant.projectId });
      return { projectId: tenant.projectId };
    },
    action: 'WIDGET_KEY_ROTATED',
    targetType: 'WIDGET',
  },
  rotateWidgetIdentitySecret: {
    async input() {
      await run(owner, 'updateWidget', { projectId: tenant.projectId });
      return { projectId: tenant.projectId };
    },
    action: 'WIDGET_IDENTITY_SECRET_ROTATED',
    targetType: 'WIDGET',
  },
  createApiKey: { input: () => newKey(), action: 'API_KEY_CREATED', targetType: 'API_KEY' },
  rotateApiKey: {
    input: async () => ({ id: await createKey() }),
    action: 'API_KEY_ROTATED',
    targetType: 'API_KEY',
  },
  revokeApiKey: {
    input: async () => ({ id: await createKey() }),
    action: 'API_KEY_REVOKED',
    targetType: 'API_KEY',
  },
  inviteMember: { input: () => newMember(), action: 'MEMBER_INVITED', targetType: 'MEMBER' },
  createInvitation: { input: () => newMember(), action: 'MEMBER_INVITED', targetType: 'MEMBER' },
  renewInvitation: {
    input: () => invitedMember(),
    action: 'INVITATION_RENEWED',
    targetType: 'MEMBER',
  },
  revokeInvitation: {
    input: () => invitedMember(),
    action: 'INVITATION_REVOKED',
    targetType: 'MEMBER',
  },
  createSignInLink: {
    async input() {
      const member = await invitedMember();
      const client = graphqlClient(
        service.url,
        await service.token(operatorClaims('lena@example.com')),
      );
      await client.data('{ me { memberships { role } } }');
      return member;
    },
    action: 'SIGN_IN_LINK_CREATED',
    targetType: 'MEMBER',
  },
  updateMember: {
    async input() {
      await run(owner, 'inviteMember', newMember());
      return { ...newMember(), role: 'ADMIN' };
    },
    action: 'MEMBER_UPDATED',
    targetType: 'MEMBER',
  },
  setDisplayName: {
    input: () => ({ organizationId: tenant.organizationId, displayName: 'Lena' }),
    action: 'MEMBER_UPDATED',
    targetType: 'MEMBER',
  },
  removeMember: {
    input: () => invitedMember(),
    action: 'MEMBER_REMOVED',
    targetType: 'MEMBER',
  },
  createWebhookEndpoint: {
    input: () => newEndpoint(),
    action: 'WEBHOOK_CREATED',
    targetType: 'WEBHOOK_ENDPOINT',
  },
  updateWebhookEndpoint: {
    input: async () => ({ id: await createEndpoint(), isEnabled: false }),
    action: 'WEBHOOK_UPDATED',
    targetType: 'WEBHOOK_ENDPOINT',
  },
  rotateWebhookSecret: {
    input: async () => ({ id: await createEndpoint() }),
    action: 'WEBHOOK_SECRET_ROTATED',
    targetType: 'WEBHOOK_ENDPOINT',
  },
  deleteWebhookEndpoint: {
    input: async () => ({ id: await createEndpoint() }),
    action: 'WEBHOOK_DELETED',
    targetType: 'WEBHOOK_ENDPOINT',
  },
  createSavedReply: {
    input: () => newReply(),
    action: 'SAVED_REPLY_CREATED',
    targetType: 'SAVED_REPLY',
  },
  updateSavedReply: {
    input: async () => ({ savedReplyId: await createReply(), content: 'Hello!' }),
    action: 'SAVED_REPLY_UPDATED',
    targetType: 'SAVED_REPLY',
  },
  deleteSavedReply: {
    input: async () => ({ savedReplyId: await createReply() }),
    action: 'SAVED_REPLY_DELETED',
    targetType: 'SAVED_REPLY',
  },
  setModelPrice: {
    input: () => newPrice('a'),
    action: 'MODEL_PRICES_UPDATED',
    targetType: 'ORGANIZATION',
  },
  importModelPrices: {
    input: () => ({ prices: [newPrice('b')] }),
    action: 'MODEL_PRICES_UPDATED',
    targetType: 'ORGANIZATION',
  },
  deleteModelPrice: {
    input: async () => {
      const { currency: _, perMillion: __, ...price } = newPrice('c');
      await run(owner, 'importModelPrices', { prices: [newPrice('c')] });
      return price;
    },
    action: 'MODEL_PRICES_UPDATED',
    targetType: 'ORGANIZATION',
  },
  createLabel: { input: () => newLabel(), action: 'LABEL_CREATED', targetType: 'LABEL' },
  updateLabel: {
    input: async () => ({ labelId: await createLabel(), color: 'RED' }),
    action: 'LABEL_UPDATED',
    targetType: 'LABEL',
  },
  deleteLabel: {
    input: async () => ({ labelId: await createLabel() }),
    action: 'LABEL_DELETED',
    targetType: 'LABEL',
  },
  addConversationLabel: {
    input: () => newConversationLabel(),
    action: 'CONVERSATION_LABEL_ADDED',
    targetType: 'LABEL',
  },
  removeConversationLabel: {
    async input() {
      const input = await newConversationLabel();
      await run(owner, 'addConversationLabel', input);
      return input;
    },
    action: 'CONVERSATION_LABEL_REMOVED',
    targetType: 'LABEL',
  },
  decideQuestion: {
    input: async () => ({ ...(await newQuestion()), status: 'DISMISSED' }),
    action: 'QUESTION_DECIDED',
    targetType: 'QUESTION',
  },
  mergeQuestions: {
    input: async () => ({
      ...(await newQuestion()),
      intoId: (await newQuestion()).questionId,
    }),
    action: 'QUESTIONS_MERGED',
    targetType: 'QUESTION',
  },
  releaseHandoff: {
    async input() {
      const { projectId } = tenant;
      const { conversationId } = await newConversationLabel();
      const handoff = { id: newId(), projectId, conversationId: String(conversationId) };
      await service.system.db.handoff.create({ data: handoff });
      await run(owner, 'claimHandoff', { handoffId: handoff.id });
      return { handoffId: handoff.id };
    },
    action: 'HANDOFF_RELEASED',
    targetType: 'HANDOFF',
  },
  createSource: { input: () => newSource(), action: 'SOURCE_CREATED', targetType: 'SOURCE' },
  updateSource: {
    input: async () => ({ id: await createSource(), isPaused: true }),
    action: 'SOURCE_UPDATED',
    targetType: 'SOURCE',
  },
  syncSource: {
    input: async () => ({ id: await createSource() }),
    action: 'SOURCE_SYNCED',
    targetType: 'SOURCE',
  },
  deleteSource: {
    input: async () => ({ id: await createSource() }),
    action: 'SOURCE_DELETED',
    targetType: 'SOURCE',
  },
  createQuestionSet: {
    input: () => ({ projectId: tenant.projectId, name: randomUUID() }),
    action: 'QUESTION_SET_CREATED',
    targetType: 'QUESTION_SET',
  },
  updateQuestionSet: {
    input: async () => ({ id: (await addQuestionSet()).setId, name: randomUUID() }),
    action: 'QUESTION_SET_UPDATED',
    targetType: 'QUESTION_SET',
  },
  replaceSetQuestions: {
    input: async () => ({ id: (await addQuestionSet()).setId, questions: [] }),
    action: 'QUESTION_SET_UPDATED',
    targetType: 'QUESTION_SET',
  },
  addSetQuestions: {
    input: async () => ({ id: (await addQuestionSet()).setId, questions: [{ question: 'Why?' }] }),
    action: 'QUESTION_SET_UPDATED',
    targetType: 'QUESTION_SET',
  },
  importSetQuestions: {
    input: async () => ({
      ...{ id: (await addQuestionSet()).setId, format: 'CSV', text: 'question\nWhy not?' },
    }),
    action: 'QUESTION_SET_UPDATED',
    targetType: 'QUESTION_SET',
  },
  updateSetQuestion: {
    input: async () => ({ id: (await addQuestionSet()).questionId, tags: ['prices'] }),
    action: 'QUESTION_SET_UPDATED',
    targetType: 'QUESTION_SET',
  },
  deleteSetQuestion: {
    input: async () => ({ id: (await addQuestionSet()).questionId }),
    action: 'QUESTION_SET_UPDATED',
    targetType: 'QUESTION_SET',
  },
  deleteQuestionSet: {
    input: async () => ({ id: (await addQuestionSet()).setId }),
    action: 'QUESTION_SET_DELETED',
    targetType: 'QUESTION_SET',
  },
  startEvaluation: {
    input: async () => ({ setId: (await addQuestionSet()).setId }),
    action: 'EVALUATION_STARTED',
    targetType: 'EVALUATION_RUN',
  },
  cancelEvaluation: {
    input: async () => ({
      id: (await insertQuestionSet(service.system.db, tenant.projectId, 'QUEUED')).runId,
    }),
    action: 'EVALUATION_CANCELLED',
    targetType: 'EVALUATION_RUN',
  },
  deleteDocument: {
    input: async () => ({ projectId: tenant.projectId, id: await createDocument() }),
    action: 'DOCUMENT_DELETED',
    targetType: 'DOCUMENT',
  },
  deleteDocuments: {
    input: async () => ({ projectId: tenant.projectId, documentIds: [await createDocument()] }),
    action: 'DOCUMENTS_DELETED',
    targetType: 'PROJECT',
  },
  eraseEndUser: {
    input: () => ({ projectId: tenant.projectId, endUserId: 'guest-1' }),
    action: 'END_USER_ERASED',
    targetType: 'END_USER',
  },
  exportEndUser: {
    input: () => ({ projectId: tenant.projectId, endUserId: 'guest-1' }),
    action: 'END_USER_EXPORTED',
    targetType: 'END_USER',
  },
};

let service: TestService;
let tenant: Tenant;
let owner: GraphqlClient;
let root: GraphqlClient;

const newKey = () => ({ organizationId: tenant.organizationId, name: 'Website', scopes: ['CHAT'] });
const newMember = () => ({
  organizationId: tenant.organizationId,
  email: 'lena@example.com',
  role: 'AGENT',
});
async function invitedMember(): Promise<Input> {
  const { role: _, ...member } = newMember();
  await run(owner, 'inviteMember', newMember());
  return member;
}

const newEndpoint = () => ({ projectId: tenant.projectId, url: 'https://example.com/hook' });

const newReply = () => ({ projectId: tenant.projectId, name: 'Greeting', content: 'Good day!' });

const selections: Readonly<Record<string, string>> = {
  NewInvitation: '{ mail }',
  SignInLink: '{ mail }',
  NewApiKey: '{ secret apiKey { id } }',
  NewWebhookSecret: '{ secret endpoint { id } }',
  QuestionImport: '{ set { id } }',
  NewIdentitySecret: '{ secret widget { publishableKey } }',
  Widget: '{ publishableKey }',
  EraseReport: '{ messages }',
  QuestionDecision: '{ questionId }',
  ModelPrice: '{ model }',
  Int: '',
  JSON: '',
};

function documentOf(mutation: string): string {
  const field = schema.getMutationType()?.getFields()[mutation];
  if (field === undefined) throw new Error(mutation);
  const selection = selections[getNamedType(field.type).name] ?? '{ id }';
  return `mutation ($input: ${field.args[0]?.type}) { ${mutation}(input: $input) ${selection} }`;
}

async function run(client: GraphqlClient, mutation: string, input: Input) {
  const data = await client.data<Record<string, Record<string, { id: string }>>>(
    documentOf(mutation),
    { input },
  );
  return data[mutation];
}
const createKey = async () => (await run(owner, 'createApiKey', newKey()))?.apiKey?.id;
const createEndpoint = async () =>
  (await run(owner, 'createWebhookEndpoint', newEndpoint()))?.endpoint?.id;

const createReply = async () => {
  const reply = await run(owner, 'createSavedReply', newReply());
  return reply === undefined ? undefined : String(reply.id);
};

const newSource = () => ({
  projectId: tenant.projectId,
  kind: 'GIT',
  name: 'Handbook',
  config: { url: 'https://git.invalid/handbook.git', token: 'glpat-secret' },
});
const createSource = async () => String((await run(owner, 'createSource', newSource()))?.id);
const createDocument = async () => {
  const input = { projectId: tenant.projectId, name: 'Menu.md', content: 'Soup.' };
  return String((await run(owner, 'createDocument', input))?.id);
};

const newLabel = () => ({ projectId: tenant.projectId, name: 'Urgent' });
const newPrice = (model: string) => {
  const validFrom = '2026-11-01T00:00:00Z';
  return { model, kind: 'INPUT', perMillion: 2, currency: 'EUR', validFrom };
};
const createLabel = async () => String((await run(owner, 'createLabel', newLabel()))?.id);
async function newConversationLabel(): Promise<Input> {
  const { projectId } = tenant;
  const conversation = { id: newId(), projectId, title: 't' };
  await service.system.db.conversation.create({ data: conversation });
  return { conversationId: conversation.id, labelId: await createLabel() };
}

async function newQuestion() {
  const { projectId } = tenant;
  const [asked] = await storeExchanges(service, projectId, [{ question: 'Are pets allowed?' }]);
  return { projectId, questionId: asked?.questionId };
}

const listRows = () =>
  service.system.db.auditEntry.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

async function readLog(client: GraphqlClient, args = 'first: 50'): Promise<{ action: string }[]> {
  const query = `query ($id: ID!) { organization(id: $id) { auditLog(${args}) {
    edges { node { action actorType actorId actorName targetId targetName change ipAddress userAgent requestId } }
  } } }`;
  const data = await client.data<{
    organization: { auditLog: { edges: { node: { action: string } }[] } };
  }>(query, { id: tenant.organizationId });
  return data.organization.auditLog.edges.map(({ node }) => node);
}

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  tenant = await service.createTenant();
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  const email = `owner-${tenant.organizationId}@example.com`;
  await run(root, 'inviteMember', { organizationId: tenant.organizationId, email, role: 'OWNER' });
  owner = graphqlClient(service.url, await service.token(operatorClaims(email)));
  await owner.data('{ me { memberships { role } } }');
});

test('an entry does not contain the secret of a source', async () => {
  const id = await createSource();
  await run(owner, 'updateSource', { id, config: { token: 'glpat-another' } });
  const entries = (await listRows()).filter(({ targetId }) => targetId === id);
  expect(entries.map(({ change }) => change)).toMatchObject([
    { config: { url: 'https://git.invalid/handbook.git', token: 'changed' } },
    { config: { token: 'changed' } },
  ]);
});

test('every mutation is audited, or is an exception with a reason', () => {
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect([...Object.keys(audited), ...Object.keys(exceptions)].sort()).toEqual(mutations.sort());
});

describe.each(Object.entries(audited))('%s', (mutation, { input, action, targetType }) => {
  test('writes one entry with the actor, the client and the target, without secrets', async () => {
    const values = await input();
    const before = new Set((await listRows()).map(({ id }) => id));
    const result = await run(mutation === 'createOrganization' ? root : owner, mutation, values);
    const added = (await listRows()).filter(({ id }) => !before.has(id));
    expect(added).toHaveLength(1);
    expect(added[0]).toMatchObject({
      action,
      targetType,
      targetId: expect.any(String),
      actorType: mutation === 'createOrganization' ? 'SERVICE' : 'OPERATOR',
      ipAddress: expect.stringMatching(/127\.0\.0\.1$/),
      requestId: expect.any(String),
    });
    const secret = (result as { secret?: string } | undefined)?.secret;
    if (secret !== undefined) expect(JSON.stringify(added)).not.toContain(secret.slice(10, 30));
  });
});

test('a failed change writes no entry', async () => {
  const before = (await listRows()).length;
  const { errors } = await owner.send(documentOf('updateMember'), {
    input: { ...newMember(), email: 'nobody@example.com' },
  });
  expect(errors).toHaveLength(1);
  expect((await listRows()).length).toBe(before);
});

test('accepting an invitation writes one entry, also when two requests of the operator arrive at once', async () => {
  const { email } = newMember();
  await run(owner, 'inviteMember', newMember());
  const lena = graphqlClient(service.url, await service.token(operatorClaims(email)));
  await Promise.all([1, 2].map(() => lena.data('{ me { memberships { role } } }')));
  await lena.data('{ me { memberships { role } } }');
  const { organizationId } = tenant;
  const joined = { organizationId, action: 'MEMBER_JOINED', actorName: email };
  const entries = (await listRows()).filter((row) => row.organizationId === organizationId);
  expect(entries.filter(({ actorName }) => actorName === email)).toMatchObject([
    { ...joined, actorType: 'OPERATOR', requestId: expect.any(String) },
  ]);
});

test('owners read the log newest first, filtered by action, actor and time', async () => {
  await run(owner, 'createApiKey', newKey());
  await run(owner, 'createProject', { organizationId: tenant.organizationId, name: 'Kiosk' });
  const log = await readLog(owner);
  expect(log.map(({ action }) => action)).toEqual([
    'PROJECT_CREATED',
    'API_KEY_CREATED',
    'MEMBER_JOINED',
    'MEMBER_INVITED',
    'PROJECT_CREATED',
    'ORGANIZATION_CREATED',
  ]);
  expect(log[1]).toMatchObject({
    actorName: `owner-${tenant.organizationId}@example.com`,
    targetName: 'Website',
    change: { name: 'Website', scopes: ['CHAT'] },
  });
  expect(await readLog(owner, 'action: API_KEY_CREATED')).toHaveLength(1);
  const actor = `OWNER-${tenant.organizationId}@example.com`;
  expect(await readLog(owner, `actor: "${actor}"`)).toHaveLength(3);
  expect(await readLog(owner, 'to: "2020-01-01T00:00:00Z"')).toHaveLength(0);
  expect(await readLog(owner, 'from: "2020-01-01T00:00:00Z"')).toHaveLength(6);
});

interface PageOfLog {
  readonly organization: {
    readonly auditLog: {
      readonly edges: readonly { readonly node: { readonly id: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
}

test('pages follow each other without gaps', async () => {
  const query = `query ($id: ID!, $after: String) { organization(id: $id) {
    auditLog(first: 2, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } }
  } }`;
  const ids: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < 5; page += 1) {
    const { organization }: PageOfLog = await owner.data(query, {
      id: tenant.organizationId,
      after,
    });
    ids.push(...organization.auditLog.edges.map(({ node }) => node.id));
    after = organization.auditLog.pageInfo.endCursor;
    if (!organization.auditLog.pageInfo.hasNextPage) break;
  }
  const where = { organizationId: tenant.organizationId };
  expect(new Set(ids).size).toBe(await service.system.db.auditEntry.count({ where }));
});

test('long texts of a change are cut', async () => {
  const instructions = 'Answer briefly. '.repeat(200);
  await run(owner, 'updateProject', { id: tenant.projectId, assistant: { instructions } });
  const [entry] = (await listRows()).slice(-1);
  expect(JSON.stringify(entry?.change).length).toBeLessThan(1_000);
});

test('the service cannot change or delete an entry, only retention can', async () => {
  const { pool } = service.adapters;
  for (const statement of [
    "update grounded.audit_entries set actor_name = 'nobody'",
    'delete from grounded.audit_entries',
    'truncate grounded.audit_entries',
  ]) {
    await expect(pool.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
});

test('retention deletes entries that are older than the limit, and never younger ones than 30 days', async () => {
  const { organizationId } = tenant;
  const age = (days: number) => new Date(Date.now() - days * 86_400_000);
  const rows = [401, 399, 31, 29].map((days) => ({ id: newId(), days }));
  for (const { id, days } of rows) {
    const entry = { id, organizationId, action: 'SIGNED_IN', actorType: 'OPERATOR' };
    const data = { ...entry, targetType: 'MEMBER', createdAt: age(days) };
    await service.system.db.auditEntry.create({ data });
  }
  const left = async () => {
    const where = { id: { in: rows.map(({ id }) => id) } };
    const found = await service.system.db.auditEntry.findMany({ where });
    return rows.filter(({ id }) => found.some((row) => row.id === id)).map(({ days }) => days);
  };
  const remove = (auditRetentionDays: number) =>
    runRemoval(removeOldAuditEntriesJob, { ...service.adapters, auditRetentionDays });
  await remove(400);
  expect(await left()).toEqual([399, 31, 29]);
  await remove(1);
  expect(await left()).toEqual([29]);
});

test('signing in and out appears in the log of each organization of the operator', async () => {
  const other = await service.createTenant();
  const email = `ines-${tenant.organizationId}@example.com`;
  for (const { organizationId } of [tenant, other]) {
    await run(root, 'inviteMember', { organizationId, email, role: 'AGENT' });
  }
  const stranger = await service.createTenant();
  const userId = randomUUID();
  await service.system.db.member.updateMany({ where: { email }, data: { userId } });
  await run(root, 'inviteMember', {
    organizationId: stranger.organizationId,
    email,
    role: 'AGENT',
  });
  const url = `${service.url}/dashboard/session`;
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Laptop of Ines' };
  const startSession = async (): Promise<string> => {
    const secret = await createSignInSecret(service.adapters, email);
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ secret }),
    });
    return response.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  };
  const cookie = await startSession();
  await fetch(url, { method: 'DELETE', headers: { ...headers, cookie } });
  await fetch(url, { method: 'DELETE', headers: { ...headers, cookie } });
  await fetch(`${url}/all`, {
    method: 'DELETE',
    headers: { ...headers, cookie: await startSession() },
  });
  for (const { organizationId } of [tenant, other]) {
    const rows = (await listRows()).filter(
      (row) => row.organizationId === organizationId && row.action.startsWith('SIGNED'),
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'SIGNED_IN',
      'SIGNED_OUT',
      'SIGNED_IN',
      'SIGNED_OUT_EVERYWHERE',
    ]);
    expect(rows[0]).toMatchObject({ actorName: email, userAgent: 'Laptop of Ines' });
  }
  // If an organization has only invited the person, its log contains none of the person's sessions.
  const invited = (await listRows()).filter(
    (row) => row.organizationId === stranger.organizationId && row.action.startsWith('SIGNED'),
  );
  expect(invited).toEqual([]);
});

test('an export contains every entry once, oldest first, in pages, and is recorded', async () => {
  const { organizationId } = tenant;
  const entry = {
    organizationId,
    action: 'SIGNED_IN',
    actorType: 'OPERATOR',
    targetType: 'MEMBER',
  };
  const createdAt = new Date(Date.now() - 60_000);
  const data = Array.from({ length: 1_200 }, () => ({ ...entry, id: newId(), createdAt }));
  await service.system.db.auditEntry.createMany({ data });
  const pages: number[] = [];
  const ids = new Set<string>();
  for await (const page of exportAuditLog(service.system, { organizationId })) {
    pages.push(page.length);
    for (const { id } of page) ids.add(id);
  }
  expect(Math.max(...pages)).toBe(500);
  expect(data.every(({ id }) => ids.has(id))).toBe(true);
  expect(ids.size).toBe(pages.reduce((sum, size) => sum + size));
  expect((await readLog(owner))[0]).toMatchObject({ action: 'AUDIT_LOG_EXPORTED' });
});
