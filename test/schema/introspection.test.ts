import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/schema.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let anonymous: GraphqlClient;
let operator: GraphqlClient;
let service: TestService;

beforeAll(async () => {
  service = await sharedService();
  anonymous = graphqlClient(service.url, null);
  operator = graphqlClient(service.url, await service.token({ role: 'service_role' }));
});

async function codeOf(client: GraphqlClient, query: string): Promise<string | undefined> {
  return (await client.send(query)).errors?.[0]?.extensions.code;
}

describe('an anonymous caller cannot read the schema', () => {
  test.each([
    '{ __schema { queryType { name } } }',
    '{ __type(name: "Query") { name } }',
    '{ ...all } fragment all on Query { a: __schema { queryType { name } } }',
  ])('%s', async (query) => {
    expect(await codeOf(anonymous, query)).toBe('UNAUTHENTICATED');
  });
});

/** Includes all parts that the GraphQL specification defines. */
const completeQuery = getIntrospectionQuery({
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
  schemaDescription: true,
  specifiedByUrl: true,
});

test('the query of tools describes the whole schema, also when it is repeated', async () => {
  for (let time = 1; time <= 2; time += 1) {
    const description = await operator.data<IntrospectionQuery>(completeQuery);
    const described = lexicographicSortSchema(buildClientSchema(description));
    expect(printSchema(described)).toBe(printSchema(lexicographicSortSchema(schema)));
  }
});

test('a stored result is not one of another operation', async () => {
  const first = await operator.data('query ($n: String!) { __type(name: $n) { name } }', {
    n: 'Query',
  });
  const second = await operator.data('query ($n: String!) { __type(name: $n) { name } }', {
    n: 'Project',
  });
  expect([first, second]).toEqual([{ __type: { name: 'Query' } }, { __type: { name: 'Project' } }]);
  const mixed = '{ me { email } __schema { queryType { name } } }';
  expect(await codeOf(anonymous, mixed)).toBe('UNAUTHENTICATED');
});

test('a key receives 20 descriptions of the schema a minute, and repeated queries do not count', async () => {
  const tenant = await service.createTenant();
  const client = await tenant.graphql();
  const codes = await Promise.all(
    Array.from({ length: 21 }, (_, n) =>
      codeOf(client, `query Q${n} { __type(name: "Q") { name } }`),
    ),
  );
  expect(codes.toSorted()).toEqual(['RATE_LIMITED', ...Array(20).fill(undefined)]);
  const kept = '{ __type(name: "Project") { name } }';
  expect(await codeOf(client, kept)).toBe('RATE_LIMITED');
  await operator.data(kept);
  expect(await codeOf(client, kept)).toBeUndefined();
});

/** Each of these queries has less than a thousand characters and requests several megabytes. */
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
test.each([
  ['nested lists', '{ __schema { types { fields { type { fields { name } } } } } }'],
  [
    'nested lists in fragments',
    '{ __schema { types { ...t } } } fragment t on __Type { fields { type { ...u } } } fragment u on __Type { possibleTypes { name } }',
  ],
  ['aliases', `{ __schema { ${names.map((name) => `${name}: types { name }`).join(' ')} } }`],
  ['many schemas', '{ a: __schema { types { name } } b: __schema { types { name } } }'],
  ['many types', `{ ${names.map((name) => `${name}: __type(name: "Query") { name }`).join(' ')} }`],
  [
    'fragments in fragments',
    `{ __type(name: "Query") { ...f0 } } ${Array.from(
      { length: 10 },
      (_, n) =>
        `fragment f${n} on __Type { ofType { ...f${n + 1} } interfaces { ofType { ...f${n + 1} } } }`,
    ).join(' ')} fragment f10 on __Type { name }`,
  ],
])('an introspection with %s is refused', async (_, query) => {
  expect(await codeOf(operator, query)).toBe('QUERY_TOO_COMPLEX');
});

test('the longest description of types has less than a megabyte', async () => {
  const fields = 'name description isDeprecated deprecationReason';
  const nested = `fields(includeDeprecated: true) { ${fields} args { name description type { name } }
    type { name fields(includeDeprecated: true) { ${fields} args { name description type { name } } type { name } } } }`;
  const types = ['a', 'b', 'c', 'd', 'e'].map(
    (name) => `${name}: __type(name: "Query") { ${nested} }`,
  );
  const result = await operator.data(`{ ${types.join(' ')} }`);
  expect(JSON.stringify(result).length).toBeLessThan(1_000_000);
});
