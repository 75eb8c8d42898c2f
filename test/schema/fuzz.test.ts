import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { schema } from '../../src/schema/schema.ts';
import { randomOperation } from '../support/api/graphql-fuzz.ts';
import { makeCanaryProject, makeOrganization } from '../support/canary-project.ts';
import { leak } from '../support/leak.ts';
import { pick } from '../support/seeded-random.ts';
import { startTestService, type TestService } from '../support/service.ts';

// GRAPHQL_FUZZ_OPERATIONS sets the number of operations. To repeat a run, set FUZZ_SEED to its seed.
const count = Number(process.env.GRAPHQL_FUZZ_OPERATIONS ?? 100);
const seed = Number(process.env.FUZZ_SEED ?? 20_261_122);

let service: TestService;
let ids: string[];
let tokens: (string | null)[];

beforeAll(async () => {
  service = await startTestService();
  const [own, foreign] = [await service.createTenant(), await service.createTenant()];
  const organizationId = await makeOrganization(service.system);
  const canary = await makeCanaryProject(service, organizationId);
  ids = [own, foreign].flatMap(({ organizationId: id, projectId }) => [id, projectId]);
  ids.push(organizationId, canary.projectId, ...Object.values(canary.resourceIds));
  const operator = { role: 'authenticated', sub: ids[0] ?? '', email: 'a@b.example' } as const;
  tokens = [
    await service.token({ role: 'service_role' }),
    await service.token({ role: 'service_role' }),
    await own.key(),
    await own.key({ isOrgWide: true }),
    await service.token(operator),
    null,
  ];
}, 120_000);
afterAll(() => service?.stop());

const updated = 'documentUpdated(projectId: $id)';

test.each([
  `subscription ($id: ID!) { ${updated} @include(if: false) { id } }`,
  `subscription ($id: ID!) { ...f @skip(if: true) } fragment f on Subscription { ${updated} { id } }`,
  `subscription ($id: ID!) { ...f } fragment f on Subscription { ${updated} @skip(if: true) { id } }`,
])('a subscription whose field is skipped is refused: %s', async (query) => {
  const { status, text } = await send({ query, variables: { id: ids[1] } }, tokens[0] ?? null);
  expect(status).toBe(400);
  expect(text).toContain('"code":"MALFORMED_REQUEST"');
});

test(
  'no random operation returns INTERNAL, a status of 500, a stack or SQL',
  async () => {
    const random = seededRandom(seed);
    const codes = new Map<string, number>();
    const failures: string[] = [];
    for (let n = 0; n < count && failures.length < 10; n += 1) {
      const operation = randomOperation(schema, random, ids);
      const { status, text } = await send(operation, pick(random, tokens));
      for (const [, code = ''] of text.matchAll(/"code":"(\w+)"/g)) {
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
      const isFault = status >= 500 || leak.test(text);
      if (isFault) failures.push(`${status} ${text.slice(0, 500)}\n${JSON.stringify(operation)}`);
    }
    console.info(`${count} operations, seed ${seed}:`, Object.fromEntries(codes));
    expect(failures).toEqual([]);
  },
  30_000 + count * 400,
);

async function send(operation: object, token: string | null) {
  const abort = new AbortController();
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      Accept: 'application/graphql-response+json, text/event-stream',
      'Content-Type': 'application/json',
      ...(token !== null && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(operation),
  });
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
  if (!isStream) return { status: response.status, text: await response.text() };
  const text = await startOfStream(response);
  abort.abort();
  return { status: response.status, text };
}

/** Returns the first chunk of a stream. The chunk may be a comment. */
async function startOfStream(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const first = await reader?.read();
  return new TextDecoder().decode(first?.value);
}
