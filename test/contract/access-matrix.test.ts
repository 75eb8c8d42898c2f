import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import {
  type Cell,
  type Choice,
  type Credential,
  cellsOf,
  type Expected,
  expectedOf,
  requestOf,
  titleOf,
} from '../support/access-cells.ts';
import { makeCredentials, makeThrottledCredential } from '../support/access-credentials.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeOrganization, makePlace, makeResource, type Place } from '../support/marked-places.ts';
import { type ApiOperation, nameOf, operations } from '../support/openapi-document.ts';
import { type ResourceField, sendRequest } from '../support/openapi-request.ts';
import { startTestService, type TestService } from '../support/service.ts';

const atOnce = 8;

let database: TestDatabase;
/** Runs no jobs, so that nothing changes but by what is asked for. */
let service: TestService;
let own: Place;
let sibling: Place;
let foreign: Place;
/** Of an organization whose plan allows no more messages and no more bytes. */
let spent: Place;
let credentials: readonly Credential[];
let cellCount = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const worker = await startTestService({ database });
  const organizationId = await makeOrganization(worker.system);
  own = await makePlace(worker, organizationId);
  sibling = await makePlace(worker, organizationId);
  foreign = await makePlace(worker, await makeOrganization(worker.system));
  spent = await makePlace(worker, await makeOrganization(worker.system));
  await worker.stop();
  service = await startTestService({ database, isWorker: false });
  await service.system.db.organization.update({
    where: { id: spent.organizationId },
    data: { monthlyMessages: 0, storageBytes: 0n },
  });
  credentials = await makeCredentials(service, { own, sibling, foreign, spent });
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
  console.info(`access matrix: ${cellCount} cells of ${operations.length} operations`);
});

describe.each(operations.map((operation) => [nameOf(operation), operation] as const))(
  '%s',
  (_name, operation) => {
    test('refuses whom the contract has it refuse, tells them nothing and changes nothing', async () => {
      const before = await everything();
      const throttled = await makeThrottledCredential(service);
      const cells = allCells(operation, [throttled, ...credentials]).filter(
        (cell) => expectedOf(cell).type === 'refused',
      );
      const answers = await inParallel(cells, (cell) => answerTo(cell, own));
      expect(answers.flatMap(refusalProblems)).toEqual([]);
      expect(tellingAnswers(answers)).toEqual([]);
      expect(await everything()).toBe(before);
      cellCount += cells.length;
    }, 60_000);

    test('serves whom the contract has it serve, from their own project alone', async () => {
      const cells = allCells(operation, credentials).filter(
        (cell) => expectedOf(cell).type === 'granted',
      );
      expect(cells.length).toBeGreaterThan(4);
      const answers = await inParallel(cells, answerToFresh);
      expect(answers.flatMap(grantProblems)).toEqual([]);
      cellCount += cells.length;
    }, 60_000);
  },
);

test('the matrix has not shrunk', () => {
  expect(operations.length).toBeGreaterThanOrEqual(14);
  expect(cellCount).toBeGreaterThan(9_000);
});

function allCells(operation: ApiOperation, by: readonly Credential[]): Cell[] {
  const none = { name: 'left out', value: undefined, place: null };
  const projects: Choice[] = [
    none,
    { name: 'of the own project', value: own.projectId, place: own },
    { name: 'in upper case', value: own.projectId.toUpperCase(), place: own },
    { name: 'of the sibling project', value: sibling.projectId, place: sibling },
    { name: 'of another organization', value: foreign.projectId, place: foreign },
    { name: 'that is random', value: newId(), place: null },
    { name: 'that is malformed', value: 'not-an-id', place: null },
  ];
  const resources = ({ kind }: ResourceField): Choice[] => [
    { name: 'of the own project', value: own.standing[kind], place: own },
    { name: 'in upper case', value: own.standing[kind].toUpperCase(), place: own },
    { name: 'of the sibling project', value: sibling.standing[kind], place: sibling },
    { name: 'of another organization', value: foreign.standing[kind], place: foreign },
    { name: 'of the spent organization', value: spent.standing[kind], place: spent },
    { name: 'that is random', value: newId(), place: null },
    { name: 'that is malformed', value: 'not-an-id', place: null },
  ];
  return cellsOf(operation, by, projects, resources).filter(isTelling);
}

/** Leaves out cells that say the same as others: the product of everything with everything is ten times as large. */
function isTelling({ credential, project, resource, isBroken }: Cell): boolean {
  const isWhole = credential.refusal === undefined && credential.scopes.length > 1;
  const isPlain = project.value === undefined || project.place === own;
  const isUsual =
    resource === null || resource.choice.place === own || resource.choice.place === foreign;
  return (isWhole || isPlain) && (isUsual || !isBroken);
}

interface Answered {
  readonly cell: Cell;
  readonly expected: Expected;
  readonly status: number;
  readonly body: string;
  /** All that a caller sees of it. */
  readonly seen: string;
  /** What the caller has said. */
  readonly sent: string;
}

async function answerTo(cell: Cell, { standing }: Place): Promise<Answered> {
  const request = requestOf(cell, standing);
  const baseUrl = `${service.url}/api/v1`;
  const response = await sendRequest(baseUrl, cell.credential.authorization, request);
  const body = await response.text();
  return {
    cell,
    expected: expectedOf(cell),
    status: response.status,
    body,
    seen: `${JSON.stringify([...response.headers])} ${body}`,
    sent: JSON.stringify([request.path, request.query, request.body]),
  };
}

/** Each with resources of its own: some operations can be done once only. */
async function answerToFresh(cell: Cell): Promise<Answered> {
  const expected = expectedOf(cell);
  const place = expected.type === 'granted' ? expected.place : own;
  const { operation, resource } = cell;
  const value = resource?.choice.value;
  if (resource === null || value === undefined) return answerTo(cell, place);
  const id = await makeResource(service.system, place, resource.field.kind, operation.id);
  const fresh = value === value.toLowerCase() ? id : id.toUpperCase();
  const choice = { ...resource.choice, value: fresh };
  return answerTo({ ...cell, resource: { ...resource, choice } }, place);
}

function refusalProblems(answer: Answered): string[] {
  const { cell, expected, status, body, sent } = answer;
  if (expected.type === 'granted') throw new Error('no refusal is expected');
  const { code = '', message = '' } = parsed(body);
  const problems = [
    ...(status === expected.status ? [] : [`the status is ${status}, not ${expected.status}`]),
    ...(expected.codes.includes(code) ? [] : [`the code is ${code}, not ${expected.codes}`]),
    ...(String(message).includes(expected.says) ? [] : [`it does not name ${expected.says}`]),
    ...leaks(answer, [own, sibling, foreign, spent], sent),
  ];
  return problems.map((problem) => `${titleOf(cell)}: ${problem}: ${body}`);
}

function grantProblems(answer: Answered): string[] {
  const { cell, expected, status, body, sent } = answer;
  if (expected.type === 'refused') throw new Error('a refusal is expected');
  const others = [own, sibling, foreign, spent].filter((place) => place !== expected.place);
  const problems = [
    ...(status >= 200 && status < 300 ? [] : [`the status is ${status}`]),
    ...leaks(answer, others, sent + expected.place.organizationId),
  ];
  return problems.map((problem) => `${titleOf(cell)}: ${problem}: ${body}`);
}

/** What a caller sees of these places without having named it. */
function leaks({ seen }: Answered, places: readonly Place[], known: string): string[] {
  const lower = { seen: seen.toLowerCase(), known: known.toLowerCase() };
  return places
    .flatMap(({ secrets }) => secrets)
    .filter((secret) => lower.seen.includes(secret) && !lower.known.includes(secret))
    .map((secret) => `it tells ${secret}`);
}

/** Of what does not exist and what is somebody else's, the answers have to be the same. */
function tellingAnswers(answers: readonly Answered[]): string[] {
  const first = new Map<string, string>();
  return answers.flatMap(({ cell, status, body }) => {
    if (status !== 404) return [];
    const { path: _path, timestamp: _time, requestId: _id, ...rest } = parsed(body);
    const said = JSON.stringify(rest);
    const isOfProject =
      cell.project.value !== undefined &&
      cell.project.place?.organizationId !== cell.credential.organizationId;
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

/** A fingerprint of everything that requests could change. */
async function everything(): Promise<string> {
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
  'inbox_events',
  'webhook_events',
  'webhook_deliveries',
  'idempotency_keys',
  'message_feedback',
  'usage_periods',
  'usage_days',
  'answer_days',
  'storage_days',
  'storage_usage',
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
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return outputs;
}
