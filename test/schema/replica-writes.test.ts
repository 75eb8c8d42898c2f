import { execute, type GraphQLField, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../src/domain/caller.ts';
import { type Context, createContext } from '../../src/domain/context.ts';
import { getUsage } from '../../src/domain/usage/usage.ts';
import { operationContext } from '../../src/http/operation-context.ts';
import { newId } from '../../src/platform/ids.ts';
import { visitorOperations } from '../../src/rest/widget/visitor-operations.ts';
import { schema } from '../../src/schema/schema.ts';
import { storeExchanges } from '../support/api/exchanges.ts';
import { wholeQuery } from '../support/api/whole-query.ts';
import {
  type CanaryProject,
  makeCanaryProject,
  makeOrganization,
  makeResource,
} from '../support/canary-project.ts';
import {
  type ReadOnlyReplica,
  withReadOnlyReplica,
} from '../support/database/read-only-replica.ts';
import { insertRunOfSet } from '../support/evaluation/evaluation.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let replica: ReadOnlyReplica;
let canary: CanaryProject;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await sharedService();
  replica = withReadOnlyReplica(service.adapters.database, service.database);
  canary = await makeCanaryProject(service, await makeOrganization(service.system));
  const { projectId, organizationId, resourceIds } = canary;
  // Different questions, so that the embedding model compares them.
  await storeExchanges(service, projectId, [
    ...['Are pets allowed?', 'When is check-out?'].map((question) => ({ question })),
    { question: 'Is there a piano?', endUserId: visitorId },
  ]);
  const [visited] = await service.system.db.conversation.findMany({
    where: { projectId, endUserId: visitorId },
  });
  ids = {
    ...{ ...resourceIds, projectId, organizationId, visited: visited?.id ?? '' },
    claimed: await makeResource(service.system, canary, 'handoff', 'transferHandoff'),
    otherRun: await insertRunOfSet(service.system.db, projectId, resourceIds.evaluationRun),
  };
});
afterAll(() => replica?.stop());

const visitorId = 'visitor-1';

/** Arguments of each query. `$name` is replaced with an id. */
const argumentsOf: Readonly<Record<string, string>> = {
  analytics: '(projectId: $projectId)',
  answerQuality: '(organizationId: $organizationId, projectId: $projectId)',
  answerTrace: '(messageId: $message, projectId: $projectId)',
  apiKeyPage: '(organizationId: $organizationId, projectId: $projectId)',
  apiKeys: '(organizationId: $organizationId)',
  compareEvaluations: '(id: $evaluationRun, otherId: $otherRun, projectId: $projectId)',
  conversation: '(id: $conversation)',
  conversationEvents: '(conversationId: $conversation)',
  conversationNotes: '(conversationId: $conversation)',
  conversationPage: '(projectId: $projectId)',
  conversations: '(projectId: $projectId)',
  document: '(id: $document, projectId: $projectId)',
  documentChunks: '(documentId: $document, projectId: $projectId)',
  documentOriginal: '(id: $document, projectId: $projectId)',
  documentPage: '(projectId: $projectId)',
  documentText: '(id: $document, projectId: $projectId)',
  documents: '(projectId: $projectId)',
  draftReply: '(handoffId: $claimed)',
  embedTexts: '(input: { projectId: $projectId, texts: ["When is check-out?"] })',
  evaluationResultPage: '(id: $evaluationRun, projectId: $projectId)',
  evaluationRun: '(id: $evaluationRun, projectId: $projectId)',
  evaluationRunPage: '(projectId: $projectId)',
  explainSearch: '(projectId: $projectId, query: "What is the password of the lighthouse?")',
  handoffCounts: '(projectId: $projectId)',
  handoffPage: '(projectId: $projectId)',
  handoffRatings: '(projectId: $projectId)',
  handoffs: '(projectId: $projectId)',
  keyProjects: '',
  installedModels: '(projectId: $projectId)',
  labels: '(projectId: $projectId)',
  modelPrices: '(organizationId: $organizationId)',
  me: '',
  node: '(id: $projectId)',
  nodes: '(ids: [$projectId, $document, $conversation])',
  organization: '(id: $organizationId)',
  previewAnswer: '(projectId: $projectId, question: "What is the password of the lighthouse?")',
  project: '(id: $projectId)',
  projectConfidence: '(projectId: $projectId)',
  projectSetup: '(projectId: $projectId)',
  questionProposalPage: '(setId: $questionSet, projectId: $projectId)',
  questionSet: '(id: $questionSet, projectId: $projectId)',
  questionSetPage: '(projectId: $projectId)',
  recentAssignments: '(organizationId: $organizationId)',
  satisfaction: '(organizationId: $organizationId, projectId: $projectId)',
  savedReplies: '(projectId: $projectId)',
  searchKnowledge: '(projectId: $projectId, query: "What is the password of the lighthouse?")',
  setQuestionPage: '(id: $questionSet, projectId: $projectId)',
  source: '(id: $source, projectId: $projectId)',
  sourcePage: '(projectId: $projectId)',
  sourceRunPage: '(id: $source, projectId: $projectId)',
  transcript: '(conversationId: $conversation, projectId: $projectId)',
  unansweredQuestionPage: '(projectId: $projectId)',
  unansweredQuestions: '(projectId: $projectId)',
  usage: '(organizationId: $organizationId)',
  usageByDay: '(organizationId: $organizationId)',
  webhookDeliveries: '(projectId: $projectId)',
  webhookDeliveryPage: '(endpointId: $webhook, projectId: $projectId)',
  webhookEndpoint: '(id: $webhook, projectId: $projectId)',
  webhookEndpointPage: '(projectId: $projectId)',
  webhookEndpoints: '(projectId: $projectId)',
};

const queries = Object.values(schema.getQueryType()?.getFields() ?? {});

test('every query has arguments here, and no other field has', () => {
  expect(Object.keys(argumentsOf).toSorted()).toEqual(queries.map(({ name }) => name).toSorted());
});

/** Only keys have projects. */
function callerOf(name: string): Caller {
  const { organizationId, projectId } = canary;
  return name === 'keyProjects'
    ? {
        type: 'key',
        keyId: canary.resourceIds.key,
        organizationId,
        projectId,
        scopes: ['CHAT'],
        filter: null,
      }
    : { type: 'service' };
}

function contextFor(name: string): Context {
  return contextOf(callerOf(name));
}

function contextOf(caller: Caller): Context {
  const adapters = { ...service.adapters, database: replica.database };
  const { signal } = new AbortController();
  return createContext(adapters, caller, { signal, requestId: null });
}

/** Runs the query. Asks an end user's question first, whose vector no earlier query has stored in the cache. */
async function run(field: GraphQLField<unknown, unknown>) {
  await storeExchanges(service, canary.projectId, [{ question: `What is ${newId()}?` }]);
  const text = (argumentsOf[field.name] ?? '').replaceAll(/\$(\w+)/g, (_, name) =>
    JSON.stringify(ids[name]),
  );
  const document = parse(wholeQuery(field, text));
  expect(validate(schema, document)).toEqual([]);
  const contextValue = operationContext(contextFor(field.name), document);
  return execute({ schema, document, contextValue });
}

describe('nothing is written on a replica by the query', () => {
  test.each(queries.map((field) => [field.name, field] as const))('%s', async (_, field) => {
    const before = replica.refused.length;
    const { errors } = await run(field);
    expect(errors).toBeUndefined();
    expect(replica.refused.slice(before)).toEqual([]);
  });
});

test('a visitor reads conversations on a replica, and writes nothing there', async () => {
  const { organizationId, projectId } = canary;
  const context = contextOf({
    ...{ type: 'visitor', organizationId, projectId, endUserId: visitorId },
    ...{ identityVersion: null, publishableKey: '', origin: 'https://example.com' },
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  const [served, refused] = [replica.served.length, replica.refused.length];
  const reads = [visitorOperations.conversation, visitorOperations.conversations];
  for (const operation of reads) {
    if (operation?.handler.type !== 'json') throw new Error('not a read');
    const result = await operation.handler.run(context, { conversationId: ids.visited });
    expect(JSON.stringify(result)).toContain('Is there a piano?');
  }
  expect(replica.served.length).toBeGreaterThan(served);
  expect(replica.refused.slice(refused)).toEqual([]);
});

test('the replica of this test answers reads and refuses writes', async () => {
  const { pool } = operationContext(contextFor('me'), parse('{ me { __typename } }'));
  const [served, refused] = [replica.served.length, replica.refused.length];
  await pool.query({ name: 'a-read', text: 'select 1' });
  const text = 'update grounded.projects set name = name where id is null';
  await pool.query({ name: 'a-write', text });
  expect(replica.served.slice(served)).toEqual(['a-read']);
  expect(replica.refused.slice(refused)).toEqual(['a-write']);
});

test('the tokens of questions that a query compares are counted', async () => {
  const tokens = async () =>
    (await getUsage(service.system, { organizationId: canary.organizationId })).tokens.embedding;
  const field = queries.find(({ name }) => name === 'unansweredQuestions');
  if (field === undefined) throw new Error('The schema has no unansweredQuestions');
  const before = await tokens();
  await run(field);
  expect(await tokens()).toBeGreaterThan(before);
});
