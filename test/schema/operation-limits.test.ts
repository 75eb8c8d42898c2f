import { beforeAll, describe, expect, test } from 'vitest';
import { expensiveOperations } from '../support/api/expensive-operations.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addConversation, countStatements } from '../support/conversations.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let projectId: string;
let operator: GraphqlClient;

beforeAll(async () => {
  service = await sharedService();
  ({ projectId } = await service.createTenant());
  operator = graphqlClient(service.url, await service.token({ role: 'service_role' }));
});

const messages = 'edges { node { content } }';
const conversations = (page: string, inner = page) =>
  `conversations(projectId: $projectId, ${page}) { edges { node { messages(${inner}) { ${messages} } } } }`;

const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join('\n');

describe('an operation that costs too much', () => {
  test.each(expensiveOperations)(
    'is refused before anything is computed: $name',
    async (operation) => {
      const { code, query, variables } = operation;
      // The first operation also compiles the code, so it is not measured.
      await operator.send(query, { ...variables, projectId });
      // Background work of the service uses the same process and pool. So the test uses the lowest of three rounds.
      const rounds: { readonly statements: number; readonly milliseconds: number }[] = [];
      for (let round = 0; round < 3; round++) {
        let cpu = process.cpuUsage();
        const statements = await countStatements(service.system.pool, async () => {
          cpu = process.cpuUsage();
          const { data, errors } = await operator.send(query, { ...variables, projectId });
          cpu = process.cpuUsage(cpu);
          const codes = errors?.map(({ extensions }) => extensions.code);
          expect(new Set(codes)).toEqual(new Set([code]));
          expect(data).toBeUndefined();
        });
        rounds.push({ statements, milliseconds: (cpu.user + cpu.system) / 1_000 });
      }
      expect(Math.min(...rounds.map(({ statements }) => statements))).toBe(0);
      expect(Math.min(...rounds.map(({ milliseconds }) => milliseconds))).toBeLessThan(250);
    },
  );

  test('names the limit', async () => {
    const [{ query, variables } = { query: '' }] = expensiveOperations;
    const { errors } = await operator.send(query, { ...variables, projectId });
    expect(errors?.[0]?.message).toContain('5000 rows');
  });
});

test('pages whose product is within the limit are served', async () => {
  const query = `query ($projectId: ID!, $n: Int) { ${conversations('first: $n', 'first: 40')} }`;
  await operator.data(query, { projectId, n: 100 });
});

test('an operation with too many aliases or levels has the same code', async () => {
  const query = `{ ${aliases(31, 'conversation(id: "x") { id }')} }`;
  const { errors } = await operator.send(query);
  expect(errors?.[0]?.extensions.code).toBe('QUERY_TOO_COMPLEX');
});

test('an operation with too many equal fields has the same code and a clear message', async () => {
  const { data, errors } = await operator.send(`{ ${'__typename '.repeat(1_990)} }`);
  expect(data).toBeUndefined();
  expect(errors).toHaveLength(1);
  expect(errors?.[0]?.extensions.code).toBe('QUERY_TOO_COMPLEX');
  expect(errors?.[0]?.message).toMatch(/repeats .* fields .* request each field once/);
});

const nested = (count: number, [open, close]: readonly [string, string]) =>
  open.repeat(count) + close.repeat(count);

test.each([
  ['lists', `{ conversation(id: ${nested(990, ['[', ']'])}) { id } }`],
  ['lists of a directive', `{ __typename @skip(if: ${nested(990, ['[', ']'])}) }`],
  ['list types', `query ($id: ${nested(990, ['[', ']'])}) { __typename }`],
  ['objects', `mutation { createDocument(input: ${nested(300, ['{a:', '}'])}) { id } }`],
  ['fields', `{ ${nested(300, ['a {', '}'])} }`],
])('more than 100 nested brackets are refused with the same code: %s', async (_, query) => {
  const { data, errors } = await operator.send(query);
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['QUERY_TOO_COMPLEX']);
  expect(data).toBeUndefined();
});

test.each([
  ['aliases', `{ ${aliases(100_000, '__typename')} }`],
  ['fields', `{ ${'__typename '.repeat(1_900)} }`],
  ['unknown fields', `{ ${Array.from({ length: 900 }, (_, n) => `x${n}`).join(' ')} }`],
  ['directives', `{ __typename ${'@skip(if: false) '.repeat(200)} }`],
  ['fragments that double', `{ ...f0 } ${doublingFragments(100)} fragment f100 on Query { a }`],
  ['inline fragments', `{ ${nested(300, ['... on Query {', '}'])} }`],
])('the refusal of many %s is cheap', async (_, query) => {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const cpu = process.cpuUsage();
    const { data } = await operator.send(query);
    expect(data).toBeUndefined();
    times.push(process.cpuUsage(cpu).user / 1_000);
  }
  // On an idle machine this takes 3 to 10 ms, and 50 ms for 100,000 aliases. The client and the parsing of the body
  // take most of it.
  expect(Math.min(...times)).toBeLessThan(250);
});

/** Returns fragments. Each fragment contains the next one twice. */
function doublingFragments(count: number): string {
  const fragment = (n: number) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`;
  return Array.from({ length: count }, (_, n) => fragment(n)).join(' ');
}

test('a response of more than 8 MB is stopped', async () => {
  const id = await addConversation(service, projectId, {
    messages: Array.from({ length: 10 }, () => 'x'.repeat(100_000)),
  });
  const field = `conversation(id: $id) { messages(first: 10) { ${messages} } }`;
  const query = (count: number) => `query ($id: ID!) { ${aliases(count, field)} }`;
  const { data, errors } = await operator.send(query(9), { id });
  expect(data).toBeUndefined();
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['QUERY_TOO_COMPLEX']);
  await operator.data(query(7), { id });
});
