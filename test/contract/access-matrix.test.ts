import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import {
  type AccessCase,
  buildRequest,
  type Credential,
  type ExpectedOutcome,
  expectedOutcome,
  type FieldValue,
  listAccessCases,
  titleOf,
} from '../support/api/access-cases.ts';
import { makeCredentials, makeRateLimitedCredential } from '../support/api/access-credentials.ts';
import { type ApiOperation, operations, operationTitle } from '../support/api/openapi-document.ts';
import { type ResourceIdField, sendRequest } from '../support/api/openapi-request.ts';
import {
  type CanaryProject,
  makeCanaryProject,
  makeOrganization,
  makeResource,
} from '../support/canary-project.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database/database.ts';
import { startTestService, type TestService } from '../support/service.ts';

const concurrency = 16;

/**
 * Whether to send all combinations. The embedded database is slower, so the test sends fewer there: a request that is
 * refused before its body is read is sent only valid and with one combination of ids. On a server it is sent valid and
 * invalid, with four combinations.
 */
const isWhole = serverUrl() !== undefined;

let database: TestDatabase;
/** Runs no jobs, so that only requests change data. */
let service: TestService;
let own: CanaryProject;
let sibling: CanaryProject;
let foreign: CanaryProject;
/** A project of an organization that has used up its message and storage quotas. */
let overQuotaProject: CanaryProject;
/** Its resources that the tested operation is sent to. */
let spentIds: CanaryProject['resourceIds'];
let credentials: readonly Credential[];
let cellCount = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const worker = await startTestService({ database });
  const organizationId = await makeOrganization(worker.system);
  own = await makeCanaryProject(worker, organizationId);
  sibling = await makeCanaryProject(worker, organizationId);
  foreign = await makeCanaryProject(worker, await makeOrganization(worker.system));
  overQuotaProject = await makeCanaryProject(worker, await makeOrganization(worker.system));
  await worker.stop();
  service = await startTestService({ database, isWorker: false });
  await service.system.db.organization.update({
    where: { id: overQuotaProject.organizationId },
    data: { monthlyMessages: 0 },
  });
  await limitStorage(0n);
  spentIds = overQuotaProject.resourceIds;
  // Makes the stored document so small that a replacement needs more storage. The quota would allow a smaller text.
  await service.system.db.document.updateMany({
    where: { projectId: overQuotaProject.projectId },
    data: { sizeBytes: 1 },
  });
  credentials = await makeCredentials(service, {
    own,
    sibling,
    foreign,
    quotaExceeded: overQuotaProject,
  });
}, 120_000);

/** Returns a resource of the spent organization that an agent owns, for operations that store something only then. */
async function claimSpent(operationId: string): Promise<Partial<CanaryProject['resourceIds']>> {
  const kinds = new Map([
    ['replyToConversation', 'conversation'],
    ['releaseHandoff', 'handoff'],
  ] as const);
  const kind = [...kinds].find(([name]) => name === operationId)?.[1];
  if (kind === undefined) return {};
  await limitStorage(null);
  const use = kind === 'handoff' ? 'transferHandoff' : operationId;
  const id = await makeResource(service.system, overQuotaProject, kind, use);
  // The keys of the matrix have this name.
  await service.system.db.handoff.updateMany({ where: { id }, data: { claimedBy: 'key:Key' } });
  await limitStorage(0n);
  return { [kind]: id };
}

async function limitStorage(storageBytes: bigint | null): Promise<void> {
  await service.system.db.organization.update({
    where: { id: overQuotaProject.organizationId },
    data: { storageBytes },
  });
}

afterAll(async () => {
  await service?.stop();
  await database?.drop();
  console.info(`access matrix: ${cellCount} cells of ${operations.length} operations`);
});

describe.each(operations.map((operation) => [operationTitle(operation), operation] as const))(
  '%s',
  (_name, operation) => {
    test("returns the contract's error to callers without access, discloses nothing and changes nothing", async () => {
      const throttled = await makeRateLimitedCredential(service);
      spentIds = { ...overQuotaProject.resourceIds, ...(await claimSpent(operation.id)) };
      const before = await hashTables();
      const cells = allCells(operation, [throttled, ...credentials]).filter(
        (cell) => expectedOutcome(cell).type === 'refused',
      );
      const answers = await inParallel(cells, (cell) => answerTo(cell, own));
      expect(answers.flatMap(refusalProblems)).toEqual([]);
      expect(findExistenceLeaks(answers)).toEqual([]);
      expect(await hashTables()).toBe(before);
      cellCount += cells.length;
    }, 60_000);

    test('serves callers with access, from their own project only', async () => {
      const cells = allCells(operation, credentials).filter(
        (cell) => expectedOutcome(cell).type === 'granted',
      );
      expect(cells.length).toBeGreaterThan(4);
      // Resources of the spent organization can be made only with storage.
      await limitStorage(null);
      const answers = await inParallel(cells, sendToNewResource);
      await limitStorage(0n);
      expect(answers.flatMap(grantProblems)).toEqual([]);
      cellCount += cells.length;
    }, 60_000);
  },
);

test('the matrix covers at least as many cases as before', () => {
  expect(operations.length).toBeGreaterThanOrEqual(14);
  expect(cellCount).toBeGreaterThan(isWhole ? 20_000 : 4_000);
});

function allCells(operation: ApiOperation, by: readonly Credential[]): AccessCase[] {
  const none = { name: 'left out', value: undefined, owner: null };
  const projects: FieldValue[] = [
    none,
    { name: 'of the own project', value: own.projectId, owner: own },
    { name: 'in upper case', value: own.projectId.toUpperCase(), owner: own },
    { name: 'of the sibling project', value: sibling.projectId, owner: sibling },
    { name: 'of another organization', value: foreign.projectId, owner: foreign },
    { name: 'that is random', value: newId(), owner: null },
    { name: 'that is malformed', value: 'not-an-id', owner: null },
  ];
  const resources = ({ kind }: ResourceIdField): FieldValue[] => [
    { name: 'of the own project', value: own.resourceIds[kind], owner: own },
    { name: 'in upper case', value: own.resourceIds[kind].toUpperCase(), owner: own },
    { name: 'of the sibling project', value: sibling.resourceIds[kind], owner: sibling },
    { name: 'of another organization', value: foreign.resourceIds[kind], owner: foreign },
    {
      name: 'of the spent organization',
      value: spentIds[kind],
      owner: overQuotaProject,
    },
    { name: 'that is random', value: newId(), owner: null },
    { name: 'that is malformed', value: 'not-an-id', owner: null },
  ];
  return listAccessCases(operation, by, projects, resources).filter(isRelevantCase);
}

/**
 * Returns false for combinations that another case already covers. All combinations would take ten times as many
 * requests.
 */
function isRelevantCase({
  operation,
  credential,
  project,
  resource,
  isBroken,
}: AccessCase): boolean {
  const hasScope = operation.scopes.every((scope) => credential.scopes.includes(scope));
  if (credential.refusal !== undefined || !hasScope) {
    // The service refuses the request before it reads the ids, so the ids cannot matter.
    const projects = isWhole ? [undefined, own.projectId] : [undefined];
    const owners = isWhole
      ? ['of the own project', 'of another organization']
      : ['of the own project'];
    const owner = resource?.choice.name ?? 'of the own project';
    const isSent = isWhole || !isBroken;
    return isSent && projects.includes(project.value) && owners.includes(owner);
  }
  const hasAllScopes = credential.scopes.length > 1;
  const isPlain = project.value === undefined || project.owner === own;
  const isUsual =
    resource === null || resource.choice.owner === own || resource.choice.owner === foreign;
  if (!isWhole) {
    const isOwn =
      resource === null || resource.choice.value === own.resourceIds[resource.field.kind];
    if (isOwn && isPlain) return hasAllScopes || !isBroken;
    return hasAllScopes && !isBroken && (isOwn || (isPlain && isUsual));
  }
  return isPlain ? isUsual || !isBroken : hasAllScopes && isUsual && !isBroken;
}

interface CaseResponse {
  readonly cell: AccessCase;
  readonly expected: ExpectedOutcome;
  readonly status: number;
  readonly body: string;
  /** The complete response, as the caller receives it. */
  readonly seen: string;
  /** The complete text that the caller sent. */
  readonly sent: string;
}

async function answerTo(
  cell: AccessCase,
  { resourceIds: standing }: CanaryProject,
): Promise<CaseResponse> {
  const request = buildRequest(cell, standing);
  const baseUrl = `${service.url}/api/v1`;
  const response = await sendRequest(baseUrl, cell.credential.authorization, request);
  const body = await response.text();
  return {
    cell,
    expected: expectedOutcome(cell),
    status: response.status,
    body,
    seen: `${JSON.stringify([...response.headers])} ${body}`,
    sent: JSON.stringify([request.path, request.query, request.body]),
  };
}

/**
 * Sends the request of a case to resources that are created for it, because some operations succeed only once per
 * resource.
 */
async function sendToNewResource(cell: AccessCase): Promise<CaseResponse> {
  const expected = expectedOutcome(cell);
  const place = expected.type === 'granted' ? expected.project : own;
  const { operation, resource } = cell;
  const value = resource?.choice.value;
  if (operation.id === 'createWebhookEndpoint') await makeRoomForWebhook(place);
  if (operation.id === 'createQuestionSet') await makeRoomForQuestionSet(place);
  if (resource === null || value === undefined) return answerTo(cell, place);
  const id = await makeResource(service.system, place, resource.field.kind, operation.id);
  const fresh = value === value.toLowerCase() ? id : id.toUpperCase();
  const choice = { ...resource.choice, value: fresh };
  return answerTo({ ...cell, resource: { ...resource, choice } }, place);
}

/** Deletes webhooks, because a project may have at most 20. */
async function makeRoomForWebhook({ projectId, resourceIds }: CanaryProject): Promise<void> {
  const { db } = service.system;
  const { webhook, delivery } = resourceIds;
  const ofDelivery = { deliveries: { some: { id: delivery } } };
  await db.webhookEndpoint.deleteMany({
    where: { projectId, NOT: { OR: [{ id: webhook }, ofDelivery] } },
  });
}

/** Deletes question sets, because a project may have at most 100. */
async function makeRoomForQuestionSet({ projectId, resourceIds }: CanaryProject): Promise<void> {
  const { db } = service.system;
  const { questionSet: id, setQuestion, evaluationRun } = resourceIds;
  const ofOthers = [
    { questions: { some: { id: setQuestion } } },
    { runs: { some: { id: evaluationRun } } },
  ];
  await db.questionSet.deleteMany({ where: { projectId, NOT: { OR: [{ id }, ...ofOthers] } } });
}

function refusalProblems(answer: CaseResponse): string[] {
  const { cell, expected, status, body, sent } = answer;
  if (expected.type === 'granted') throw new Error('no refusal is expected');
  const { code = '', message = '' } = parsed(body);
  const problems = [
    ...(status === expected.status ? [] : [`the status is ${status}, not ${expected.status}`]),
    ...(expected.codes.includes(code) ? [] : [`the code is ${code}, not ${expected.codes}`]),
    ...(String(message).includes(expected.messagePart)
      ? []
      : [`it does not name ${expected.messagePart}`]),
    ...leaks(answer, [own, sibling, foreign, overQuotaProject], sent),
  ];
  return problems.map((problem) => `${titleOf(cell)}: ${problem}: ${body}`);
}

function grantProblems(answer: CaseResponse): string[] {
  const { cell, expected, status, body, sent } = answer;
  if (expected.type === 'refused') throw new Error('a refusal is expected');
  const others = [own, sibling, foreign, overQuotaProject].filter(
    (place) => place !== expected.project,
  );
  const problems = [
    ...(status >= 200 && status < 300 ? [] : [`the status is ${status}`]),
    ...leaks(answer, others, sent + expected.project.organizationId),
  ];
  return problems.map((problem) => `${titleOf(cell)}: ${problem}: ${body}`);
}

/** Returns the secrets of other projects that the response contains although the request did not contain them. */
function leaks({ seen }: CaseResponse, places: readonly CanaryProject[], known: string): string[] {
  const lower = { seen: seen.toLowerCase(), known: known.toLowerCase() };
  return places
    .flatMap(({ secrets }) => secrets)
    .filter((secret) => lower.seen.includes(secret) && !lower.known.includes(secret))
    .map((secret) => `it tells ${secret}`);
}

/**
 * Returns the 404 responses that reveal whether a resource exists. The response must be the same for an unknown
 * resource and for a resource of another project.
 */
function findExistenceLeaks(answers: readonly CaseResponse[]): string[] {
  const first = new Map<string, string>();
  return answers.flatMap(({ cell, status, body }) => {
    if (status !== 404) return [];
    const { path: _path, timestamp: _time, requestId: _id, ...rest } = parsed(body);
    const said = JSON.stringify(rest);
    const isOfProject =
      cell.project.value !== undefined &&
      cell.project.owner?.organizationId !== cell.credential.organizationId;
    const kind = isOfProject ? 'project' : 'resource';
    const known = first.get(kind) ?? said;
    first.set(kind, known);
    return known === said ? [] : [`${titleOf(cell)}: ${said} differs from ${known}`];
  });
}

function parsed(body: string): Record<string, string> {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

/**
 * Returns a hash of all data that a request could change. An equal hash proves that rejected requests changed nothing.
 */
async function hashTables(): Promise<string> {
  // The service stores token counts only once a second, so counts of earlier requests could arrive later.
  await service.adapters.tokenCounter.flush();
  const { rows } = await service.adapters.pool.query<{ print: string }>(
    `select string_agg(print, ' ' order by name) as print from (${tables
      .map(
        (name) =>
          `select '${name}' as name, concat(count(*), ':', md5(string_agg(row::text, ',' order by row::text))) as print
           from grounded.${name} as row`,
      )
      .join(' union all ')}) as prints`,
  );
  return rows[0]?.print ?? '';
}

const tables = [
  'documents',
  'chunks',
  'conversations',
  'messages',
  'answer_events',
  'handoffs',
  'conversation_reads',
  'conversation_notes',
  'conversation_events',
  'saved_replies',
  'inbox_events',
  'webhook_events',
  'webhook_deliveries',
  'webhook_endpoints',
  'audit_entries',
  'idempotency_keys',
  'message_feedback',
  'usage_periods',
  'usage_days',
  'answer_days',
  'storage_days',
  'storage_usage',
  'question_sets',
  'set_questions',
  'evaluation_runs',
  'evaluation_results',
];

async function inParallel<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = [];
  const queue = inputs.entries();
  const worker = async () => {
    for (const [index, input] of queue) outputs[index] = await work(input);
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return outputs;
}
