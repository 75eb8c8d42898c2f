import { crc32 } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  arbitraryRequests,
  type FuzzCaller,
  invalidRequests,
  validRequests,
} from '../support/api/fuzz-requests.ts';
import { operations, operationTitle } from '../support/api/openapi-document.ts';
import { type ResourceKind, resourceKinds } from '../support/api/openapi-request.ts';
import {
  formatRequest,
  RawHttpClient,
  type RawHttpRequest,
  type RawHttpResponse,
} from '../support/api/raw-http-client.ts';
import {
  makeCanaryProject,
  makeKey,
  makeOrganization,
  makeResource,
} from '../support/canary-project.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { leak } from '../support/leak.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../support/service.ts';

// FUZZ_ROUNDS sets the number of requests of each kind per operation. To repeat a run, set FUZZ_SEED to its seed.
const rounds = Number(process.env.FUZZ_ROUNDS ?? 10);
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const timeout = 20_000 + rounds * 200;

let models: OpenAiServer;
let database: TestDatabase;
let service: TestService;
let wire: RawHttpClient;
let caller: FuzzCaller;
let known: ReturnType<typeof knownIds>;
/**
 * OpenAPI cannot express some rules of these operations, so they may return 400: the state of a document, the addresses
 * that the installation allows, and times in the future.
 */
const dependsOnState = new Set([
  'retryDocument',
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
  'createApiKey',
]);
/** Number of responses per status. */
const statuses = new Map<number, number>();

beforeAll(async () => {
  models = await startOpenAiServer();
  const { baseUrl } = models;
  const openAi = { baseUrl, apiKey: null, chatModel: 'stand-in', embeddingModel: 'stand-in' };
  database = await createTestDatabase();
  const worker = await startTestService({ database, openAi });
  const organizationId = await makeOrganization(worker.system);
  const place = await makeCanaryProject(worker, organizationId);
  await worker.stop();
  service = await startTestService({ database, openAi, isWorker: false });
  wire = new RawHttpClient(service.url);

  const { projectId } = place;
  known = knownIds(() => []);
  for (const kind of resourceKinds) {
    known[kind].push(place.resourceIds[kind]);
    for (const use of ['any', 'any', 'retryDocument', 'transferHandoff', 'replyToConversation']) {
      known[kind].push(await makeResource(service.system, place, kind, use));
    }
  }
  caller = {
    projectId,
    knownIds: known,
    projectKey: await makeKey(service.system, organizationId, projectId),
    orgWideKey: await makeKey(service.system, organizationId, null),
  };
}, 120_000);

afterAll(async () => {
  wire?.[Symbol.dispose]();
  await service?.stop();
  await database?.drop();
  await models?.close();
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const shares = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  console.info(
    `fuzz: ${total} requests of ${operations.length} operations, seed ${seed} (${shares.join(', ')})`,
  );
});

describe.each(operations.map((operation) => [operationTitle(operation), operation] as const))(
  '%s',
  (_name, operation) => {
    test('accepts every request that its description allows', { timeout }, async () => {
      await checkRequests(validRequests(operation, caller), ({ status, body }) => {
        expect(status).toBeLessThan(500);
        if (status === 400 && !dependsOnState.has(operation.id)) {
          expect(parsed(body).code).not.toMatch(/^(VALIDATION|MALFORMED)/);
        }
      });
    });

    test('rejects every request that its description does not allow', { timeout }, async () => {
      await checkRequests(invalidRequests(operation, caller), ({ status, body }) => {
        expect([400, 404]).toContain(status);
        if (status === 404) expect(operation.path).toContain('{');
        const { statusCode, code, message } = parsed(body);
        expect(statusCode).toBe(status);
        if (code === 'VALIDATION_FAILED') {
          for (const text of [message].flat()) expect(text).toMatch(/^\S.* (must|is) /);
        }
      });
    });

    test('responds to arbitrary bytes with a documented response', { timeout }, async () => {
      await checkRequests(arbitraryRequests(operation, caller), ({ status, body }) => {
        expect(status).toBeLessThan(500);
        if (status >= 400) expect(parsed(body).statusCode).toBe(status);
      });
    });
  },
);

/**
 * Sends each request and checks its response against the OpenAPI document. Then checks that an ordinary request still
 * works.
 */
async function checkRequests(
  requests: Arbitrary<RawHttpRequest>,
  check: (answer: RawHttpResponse) => void,
): Promise<void> {
  const property = fc.asyncProperty(requests, async (request) => {
    const answer = await wire.send(request);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    remember(answer);
    expect(answer.body).not.toMatch(leak);
    check(answer);
  });
  const limits = { interruptAfterTimeLimit: timeout - 5_000, markInterruptAsFailure: true };
  // Every test uses a different seed. With the same seed, operations would use the same idempotency keys, which the
  // service rejects.
  const own = seed ^ crc32(expect.getState().currentTestName ?? '');
  const run = await fc.check(property, { numRuns: rounds, seed: own, ...limits });
  if (run.failed) {
    const [request] = run.counterexample ?? [];
    const shown = request === undefined ? 'There was not enough time' : formatRequest(request);
    throw new Error(`${run.errorInstance}\n${shown}`, { cause: run.errorInstance });
  }
  const usual = { method: 'GET', target: '/knowledge/documents', body: null };
  const answer = await wire.send({
    ...usual,
    headers: { Authorization: `Bearer ${caller.projectKey}` },
  });
  expect(answer.status).toBe(200);
}

function knownIds(idsOf: () => string[]): Record<ResourceKind, string[]> {
  const entries = resourceKinds.map((kind) => [kind, idsOf()] as const);
  return Object.fromEntries(entries) as Record<ResourceKind, string[]>;
}

/** Stores the ids of created resources, so that later requests can use them. */
function remember({ status, body }: RawHttpResponse): void {
  if (status >= 300) return;
  const { id, status: documentStatus, conversationId, messageId } = parsed(body);
  const { document, conversation, message } = known;
  if (id !== undefined && documentStatus === 'PROCESSING') document.push(id);
  // A question of a set may come from no conversation.
  if (conversationId != null) conversation.push(conversationId);
  if (messageId !== undefined) message.push(messageId);
}

interface SomeAnswer {
  readonly statusCode?: number;
  readonly code?: string;
  readonly message?: string | readonly string[];
  readonly id?: string;
  readonly status?: string;
  readonly conversationId?: string | null;
  readonly messageId?: string;
}

function parsed(body: string): SomeAnswer {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
