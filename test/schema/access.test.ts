import { randomBytes } from 'node:crypto';
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { updateWidget } from '../../src/domain/widget/widgets.ts';
import { newId } from '../../src/platform/ids.ts';
import { ApiKeyScope, Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { schema } from '../../src/schema/schema.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { storedTrace } from '../support/stored-trace.ts';

const everyone: readonly string[] = Object.values(Role);
const agents = ['OWNER', 'ADMIN', 'AGENT'];
const admins = ['OWNER', 'ADMIN'];

/**
 * The root fields that the same API key scopes and operator roles may call. The service role may call all fields.
 */
const rules: readonly (readonly [
  scopes: readonly string[],
  roles: readonly string[],
  names: string,
])[] = [
  [[], everyone, 'Query.me Query.organization Query.project'],
  // The field itself is allowed. If the caller may not read the id, it returns NOT_FOUND: test/schema/node.test.ts.
  [Object.values(ApiKeyScope), everyone, 'Query.node Query.nodes'],
  [
    ['KEYS_WRITE'],
    admins,
    `
      Query.apiKeys Query.apiKeyPage Mutation.createApiKey Mutation.rotateApiKey Mutation.revokeApiKey
    `,
  ],
  [
    ['CONVERSATIONS_READ'],
    everyone,
    `
      Query.conversation Query.conversations Query.conversationPage Query.transcript Query.handoffPage
      Query.unansweredQuestionPage Query.handoffCounts Query.handoffRatings Query.labels Query.handoffs
      Query.unansweredQuestions Subscription.conversationUpdated Subscription.conversationActivity
      Subscription.handoffInbox
    `,
  ],
  [
    ['KNOWLEDGE_READ'],
    everyone,
    `
      Query.document Query.documentText Query.documentOriginal Query.documents Query.documentPage Query.documentChunks
      Query.explainSearch Query.source Query.sourcePage Query.sourceRunPage Query.embedTexts Query.searchKnowledge
      Subscription.documentUpdated
    `,
  ],
  [
    ['WEBHOOKS_WRITE'],
    admins,
    `
      Query.webhookEndpoint Query.webhookEndpointPage Query.webhookDeliveryPage Query.webhookEndpoints
      Query.webhookDeliveries Mutation.createWebhookEndpoint Mutation.updateWebhookEndpoint
      Mutation.rotateWebhookSecret Mutation.deleteWebhookEndpoint Mutation.sendTestWebhook Mutation.redeliverWebhook
    `,
  ],
  [
    ['HANDOFF_WRITE'],
    agents,
    `
      Query.previewAnswer Query.draftReply Query.conversationNotes Query.conversationEvents Query.recentAssignments
      Query.savedReplies Mutation.addConversationNote Mutation.addConversationLabel Mutation.removeConversationLabel
      Mutation.decideQuestion Mutation.mergeQuestions Mutation.claimHandoff Mutation.takeOverConversation
      Mutation.markConversationRead Mutation.transferHandoff Mutation.releaseHandoff Mutation.replyToConversation
      Mutation.signalTyping Mutation.resolveHandoff Mutation.returnToAssistant
    `,
  ],
  [
    ['ANALYTICS_READ'],
    everyone,
    `
      Query.satisfaction Query.usage Query.answerQuality Query.analytics Query.usageByDay Query.modelPrices
    `,
  ],
  [['CHAT'], [], 'Query.keyProjects Mutation.rateHandoff'],
  [
    ['EVALUATION_READ'],
    everyone,
    `
      Query.questionSet Query.questionSetPage Query.setQuestionPage Query.evaluationRun Query.evaluationRunPage
      Query.evaluationResultPage Query.compareEvaluations Query.projectConfidence
    `,
  ],
  // Needs `EVALUATION_WRITE` and `CONVERSATIONS_READ`. Each key of this test has only one scope.
  [[], admins, 'Query.questionProposalPage'],
  // Needs `ANALYTICS_READ` and `CONVERSATIONS_READ`.
  [[], agents, 'Query.answerTrace'],
  [
    [],
    admins,
    `
      Query.projectSetup Query.installedModels Mutation.updateOrganization Mutation.createProject Mutation.updateProject Mutation.createSavedReply
      Mutation.updateSavedReply Mutation.deleteSavedReply Mutation.createLabel Mutation.updateLabel
      Mutation.deleteLabel Mutation.updateWidget Mutation.rotateWidgetKey Mutation.rotateWidgetIdentitySecret
      Mutation.inviteMember Mutation.createInvitation Mutation.renewInvitation Mutation.revokeInvitation
      Mutation.createSignInLink Mutation.updateMember Mutation.removeMember Mutation.eraseEndUser
      Mutation.exportEndUser Mutation.setModelPrice Mutation.importModelPrices Mutation.deleteModelPrice
    `,
  ],
  [
    ['EVALUATION_WRITE'],
    admins,
    `
      Mutation.createQuestionSet Mutation.updateQuestionSet Mutation.deleteQuestionSet Mutation.replaceSetQuestions
      Mutation.addSetQuestions Mutation.importSetQuestions Mutation.updateSetQuestion Mutation.deleteSetQuestion
      Mutation.startEvaluation Mutation.cancelEvaluation Mutation.markEvaluationResult
    `,
  ],
  [[], everyone, 'Mutation.setDisplayName'],
  [[], [], 'Mutation.createOrganization'],
  [
    ['KNOWLEDGE_WRITE'],
    admins,
    `
      Mutation.createDocument Mutation.uploadDocument Mutation.replaceDocument Mutation.replaceDocumentFile
      Mutation.updateDocument Mutation.deleteDocument Mutation.deleteDocuments Mutation.retryDocument
      Mutation.retryDocuments Mutation.retryFailedDocuments Mutation.tagDocuments
      Mutation.keepDuplicate Mutation.replaceDuplicate Mutation.createSource Mutation.updateSource
      Mutation.deleteSource Mutation.syncSource
    `,
  ],
  [
    ['CHAT'],
    agents,
    `
      Mutation.requestHandoff Mutation.sendMessage Mutation.stopAnswer Mutation.giveFeedback Subscription.chat
      Subscription.resumeAnswer
    `,
  ],
];

const ruledFields = rules.flatMap(([scopes, roles, names]) =>
  (names.match(/\S+/g) ?? []).map((name) => [name, { scopes, roles }] as const),
);
const allowed: Readonly<Record<string, (typeof ruledFields)[number][1]>> =
  Object.fromEntries(ruledFields);

/** These fields name no organization and no project. */
const tellsOnlyOfCaller = new Set(['Query.me', 'Query.keyProjects']);

/** GraphQL over HTTP cannot send files, so these fields are rejected before authorization. */
const notOverHttp = new Set(['Mutation.uploadDocument', 'Mutation.replaceDocumentFile']);

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const fields = roots.flatMap((type) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({
    name: `${type?.name}.${field.name}`,
    type,
    field,
  })),
);

let service: TestService;
let tenant: Tenant;
let stranger: Tenant;
/** Another project of the tenant's organization. */
let siblingId: string;
const callers: Record<string, GraphqlClient> = {};

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  stranger = await service.createTenant();
  const sibling = { organizationId: tenant.organizationId, name: 'Sibling' };
  siblingId = (await createProject(service.system, sibling)).id;

  callers.anonymous = graphqlClient(service.url, null);
  callers.service = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  callers.stranger = await stranger.member('OWNER');
  for (const role of Object.values(Role)) callers[role] = await tenant.member(role);
  for (const scope of Object.values(ApiKeyScope)) {
    callers[scope] = await tenant.graphql({ scopes: [scope] });
  }
  callers.key = await tenant.graphql();
  const projectId = siblingId;
  callers.siblingKey = await tenant.graphql({ projectId });
  callers.strangeKey = await stranger.graphql();
  await updateWidget(service.system, { projectId: tenant.projectId });
});

const trace = storedTrace('A question?');

const rowIdNames = [
  ...['documentId', 'sourceId', 'conversationId', 'messageId', 'questionId', 'intoId'],
  ...['handoffId', 'savedReplyId', 'labelId', 'apiKeyId', 'webhookId', 'endpointId', 'eventId'],
  ...['deliveryId', 'setId', 'setQuestionId', 'runId', 'otherId'],
] as const;

type RowIds = Readonly<
  Record<(typeof rowIdNames)[number] | 'organizationId' | 'projectId' | 'email', string>
>;

/**
 * Returns ids for one request, by argument name. Each request needs its own ids, because a field may delete or revoke a
 * row.
 */
function newIds(): RowIds {
  const ids = Object.fromEntries(rowIdNames.map((name) => [name, newId()])) as RowIds;
  const { organizationId, projectId } = tenant;
  return { ...ids, organizationId, projectId, endpointId: ids.webhookId, email: newEmail() };
}

const newEmail = () => `${newId()}@example.com`;

/** Inserts rows with these ids. Skips a kind of row if no request names a row of that kind. */
async function addRows(sets: readonly RowIds[], requests: readonly string[]): Promise<void> {
  const { db } = service.system;
  const { organizationId, projectId } = tenant;
  const areNamed = (...names: (keyof RowIds)[]) =>
    sets.some((ids, index) => names.some((name) => requests[index]?.includes(ids[name])));
  if (areNamed('email')) {
    await db.member.createMany({
      data: sets.map(({ email }) => ({ id: newId(), organizationId, email, role: 'VIEWER' })),
    });
  }
  if (areNamed('documentId')) {
    await db.document.createMany({
      data: sets.map(({ documentId }) => ({
        id: documentId,
        projectId,
        name: 'n',
        sourceType: 'TEXT',
        mimeType: 'text/plain',
        sizeBytes: 1,
        contentHash: '',
        status: 'FAILED',
      })),
    });
  }
  if (areNamed('conversationId', 'messageId', 'questionId', 'intoId', 'handoffId')) {
    await db.conversation.createMany({
      data: sets.map(({ conversationId }) => ({ id: conversationId, projectId, title: 't' })),
    });
    await db.message.createMany({
      data: sets.map(({ messageId, conversationId }) => ({
        id: messageId,
        projectId,
        conversationId,
        position: 1,
        role: 'ASSISTANT',
        isResumable: true,
        leaseRenewedAt: new Date(),
      })),
    });
    await db.answerTrace.createMany({
      data: sets.map(({ messageId }) => ({ messageId, projectId, trace })),
    });
    await db.message.createMany({
      data: sets.flatMap(({ questionId, intoId, conversationId }) =>
        [questionId, intoId].map((id, index) => ({
          ...{ id, projectId, conversationId, position: 2 + index, role: 'USER' as const },
          content: 'A question?',
        })),
      ),
    });
    await db.handoff.createMany({
      data: sets.map(({ handoffId, conversationId }) => ({
        id: handoffId,
        projectId,
        conversationId,
      })),
    });
  }
  if (areNamed('apiKeyId')) {
    await db.apiKey.createMany({
      data: sets.map(({ apiKeyId }) => ({
        id: apiKeyId,
        organizationId,
        projectId,
        name: 'Test key',
        hash: randomBytes(32),
        prefix: 'sk_',
        lastFour: '0000',
        // An API key can rotate only a key whose scopes it also has.
        scopes: ['KEYS_WRITE'],
        createdBy: 'system',
      })),
    });
  }
  if (areNamed('webhookId', 'deliveryId', 'eventId')) {
    // Deletes the endpoints, because each event of the project would create a delivery for every endpoint.
    await db.webhookEndpoint.deleteMany({ where: { projectId } });
    await db.webhookEndpoint.createMany({
      data: sets.map(({ webhookId }) => ({
        id: webhookId,
        projectId,
        url: 'https://example.com/',
        types: [],
        secret: 'whsec_x',
      })),
    });
    await db.webhookEvent.createMany({
      data: sets.map(({ eventId }) => ({
        id: eventId,
        projectId,
        type: 'document.ready',
        data: {},
      })),
    });
    await db.webhookDelivery.createMany({
      data: sets.map(({ deliveryId, eventId, webhookId }) => ({
        id: deliveryId,
        projectId,
        eventId,
        endpointId: webhookId,
      })),
    });
  }
  if (areNamed('savedReplyId')) {
    await db.savedReply.createMany({
      data: sets.map(({ savedReplyId }) => ({
        id: savedReplyId,
        projectId,
        name: savedReplyId,
        content: 'c',
      })),
    });
  }
  if (areNamed('labelId')) {
    await db.label.createMany({
      data: sets.map(({ labelId }) => ({ id: labelId, projectId, name: labelId })),
    });
  }
  if (areNamed('setId', 'setQuestionId', 'runId')) {
    await db.questionSet.createMany({
      data: sets.map(({ setId }) => ({ id: setId, projectId, name: setId, questionCount: 1 })),
    });
    await db.setQuestion.createMany({
      data: sets.map(({ setId, setQuestionId: id }) => ({
        ...{ id, rowId: setId, setId, projectId, position: 1, question: 'Why?' },
      })),
    });
    await db.evaluationRun.createMany({
      data: sets.flatMap(({ setId, runId, otherId }) =>
        [runId, otherId].map((id) => ({
          ...{ id, projectId, setId, setVersion: 1, total: 1 },
          ...{ status: 'DONE' as const, finishedAt: new Date() },
        })),
      ),
    });
    await db.evaluationResult.createMany({
      data: sets.map(({ runId, questionId, setId: questionRow }) => ({
        ...{ runId, questionId, questionRow, projectId, position: 1 },
        ...{ mustRefuse: false, answer: 'Because.', refused: false },
      })),
    });
  }
  if (areNamed('sourceId')) {
    await db.source.createMany({
      data: sets.map(({ sourceId }) => ({
        id: sourceId,
        projectId,
        kind: 'WEBSITE',
        name: 'n',
        config: { startUrls: ['https://example.com/'] },
      })),
    });
  }
}

test('the permission table names every query, mutation and subscription', () => {
  expect(fields.map(({ name }) => name).sort()).toEqual(ruledFields.map(([name]) => name).sort());
});

/** Returns the callers to whom the permission table applies, and whether the table allows the call. */
function ruledCallers(name: string): [caller: string, isAllowed: boolean][] {
  const { scopes, roles } = allowed[name] ?? { scopes: [], roles: [] };
  return [
    ...Object.values(ApiKeyScope).map((scope): [string, boolean] => [
      scope,
      scopes.includes(scope),
    ]),
    ...Object.values(Role).map((role): [string, boolean] => [role, roles.includes(role)]),
    ['service', true],
  ];
}

const isRefusal = (code: string | undefined) =>
  code === 'UNAUTHENTICATED' || code === 'SCOPE_MISSING' || code === 'FORBIDDEN';

/**
 * All callers of a field ask at the same time, because some subscriptions answer only with silence, for which the test
 * must wait.
 */
test.each(fields.filter(({ name }) => !notOverHttp.has(name)))(
  '$name is rejected without credentials, allowed by the permission table, and tells a stranger nothing',
  async ({ name, type, field }) => {
    const ruled = ruledCallers(name);
    const asked = [...ruled.map(([caller]) => caller), 'anonymous', 'stranger', 'strangeKey'];
    const ids = asked.map(newIds);
    const requests = ids.map((set) => operation(type, field, set));
    await addRows(ids, requests);
    const answers = await Promise.all(
      asked.map(async (caller, index) => {
        const answer = await callers[caller]?.send(requests[index] ?? '');
        if (answer === undefined) throw new Error(`There is no caller ${caller}`);
        return [caller, answer.errors?.[0]?.extensions.code] as const;
      }),
    );
    const codes = new Map(answers);

    expect(codes.get('anonymous')).toBe('UNAUTHENTICATED');
    const outcomes = ruled.map(([caller]) => [caller, !isRefusal(codes.get(caller))]);
    expect(outcomes, JSON.stringify(answers)).toEqual(ruled);
    for (const role of Object.values(Role)) expect(codes.get(role), role).not.toBe('NOT_FOUND');
    if (tellsOnlyOfCaller.has(name)) return;
    expect(['NOT_FOUND', 'FORBIDDEN']).toContain(codes.get('stranger'));
    expect(['NOT_FOUND', 'FORBIDDEN', 'PROJECT_FORBIDDEN']).toContain(codes.get('strangeKey'));
  },
);

const invites = ['inviteMember', 'createInvitation'];

const nouns = [
  'organization',
  'project',
  'document',
  'conversation',
  'apiKey',
  'webhook',
  'source',
] as const;

/** These fields return nothing in place of a row that they do not find, and no error. */
const skipsUnknownRows = new Set([
  'Query.nodes',
  'Mutation.deleteDocuments',
  'Mutation.retryDocuments',
  'Mutation.tagDocuments',
]);

const fieldsOfRows = fields.filter(
  ({ name, type, field }) =>
    !notOverHttp.has(name) &&
    !skipsUnknownRows.has(name) &&
    operation(type, field, rowsNamedBy('a row')).includes('a row'),
);

/** Returns the same id for all rows, next to the ids of the tenant. */
function rowsNamedBy(id: string, { organizationId = '', projectId = '' } = {}): RowSet {
  const rows = rowIdNames.map((name) => [name, id]);
  return { ...Object.fromEntries(rows), organizationId, projectId, email: 'a@example.com' };
}

test.each(fieldsOfRows)(
  '$name finds no row of another organization or project, and none that does not exist',
  async ({ name, type, field }) => {
    const { scopes = [], roles = [] } = allowed[name] ?? {};
    const { organizationId, projectId } = stranger;
    const isForKeys = scopes.length > 0;
    const isForMembers = roles.length > 0;
    const [foreign, siblings] = [newIds(), newIds()];
    const tries: [caller: string, ids: RowSet][] = [
      [isForKeys ? 'strangeKey' : 'stranger', { ...foreign, organizationId, projectId }],
      [isForKeys ? 'siblingKey' : 'OWNER', { ...siblings, projectId: siblingId }],
      [isForMembers ? 'OWNER' : 'key', newIds()],
      [isForMembers ? 'OWNER' : 'key', rowsNamedBy('x', tenant)],
    ];
    const requests = tries.map(([, ids]) => operation(type, field, ids, 'projectId'));
    await addRows([foreign, siblings], requests);
    const answers = await Promise.all(
      tries.map(([caller], index) => callers[caller]?.send(requests[index] ?? '')),
    );
    const codes = answers.map((answer) => answer?.errors?.[0]?.extensions.code);
    for (const answer of answers) expect(answer?.errors?.[0]?.message).toMatch(/^\w.* not found$/);
    expect(codes, JSON.stringify([requests, answers])).toEqual(tries.map(() => 'NOT_FOUND'));
  },
);

type RowSet = Readonly<Record<string, string>>;

/**
 * Returns an operation for a field of the schema, with valid arguments. Selects edges, because a connection runs its
 * query only if its fields are selected. Passes required arguments, and the optional one.
 */
function operation(
  type: GraphQLObjectType | null | undefined,
  { name, args, type: result }: GraphQLField<unknown, unknown>,
  ids: RowSet,
  optional?: 'projectId',
): string {
  const selection = String(result).includes('Connection')
    ? '{ edges { __typename } }'
    : isLeafType(getNamedType(result))
      ? ''
      : '{ __typename }';
  const list = args
    .filter((arg) => isNonNullType(arg.type) || [optional, 'organizationId'].includes(arg.name))
    .map((arg) => `${arg.name}: ${value(arg.type, arg.name, name, ids)}`)
    .join(', ');
  const kind = String(type?.name).toLowerCase();
  return `${kind} { ${name}${list === '' ? '' : `(${list})`} ${selection} }`;
}

function value(type: GraphQLInputType, name: string, field: string, ids: RowSet): string {
  if (isNonNullType(type)) return value(type.ofType, name, field, ids);
  if (isListType(type)) return `[${value(type.ofType, name, field, ids)}]`;
  // An API key can create only keys whose scopes it also has.
  if (name === 'scopes') return 'KEYS_WRITE';
  // Uses the last value. The last role has the fewest permissions. An admin may assign it, but may not appoint owners.
  if (isEnumType(type)) return type.getValues().at(-1)?.name ?? '';
  if (isInputObjectType(type)) {
    const wanted = Object.values(type.getFields()).filter(
      (input) => isNonNullType(input.type) || ['projectId', 'organizationId'].includes(input.name),
    );
    return `{${wanted.map((input) => `${input.name}: ${value(input.type, input.name, field, ids)}`).join(', ')}}`;
  }
  if (type.name === 'ID') return JSON.stringify(ids[idName(name, field)] ?? '');
  if (type.name === 'Int' || type.name === 'Float') return '1';
  if (type.name === 'DateTime') return '"2026-11-01T00:00:00Z"';
  if (name === 'currency') return '"EUR"';
  if (name === 'to') return JSON.stringify(ids.email);
  if (name === 'email') return JSON.stringify(invites.includes(field) ? newEmail() : ids.email);
  return '"text"';
}

/** Returns the name of the id. An argument named `id` refers to the noun in the name of its field. */
function idName(name: string, field: string): string {
  if (field === 'node' || field === 'nodes') return 'documentId';
  if (name !== 'id') return name;
  if (/(?:update|delete)SetQuestion/.test(field)) return 'setQuestionId';
  if (/questionSet|setQuestion/i.test(field)) return 'setId';
  if (/evaluation/i.test(field)) return 'runId';
  const noun = nouns.find((word) => field.toLowerCase().includes(word.toLowerCase()));
  return `${noun}Id`;
}
