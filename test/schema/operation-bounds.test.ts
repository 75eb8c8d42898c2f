import {
  execute,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { schema } from '../../src/schema/schema.ts';
import { earlierOperations, operationBounds } from '../support/api/operation-bounds.ts';
import { tableBounds } from '../support/database/table-bounds.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await sharedService();
  ({ projectId } = await service.createTenant());
});

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const operations = roots.flatMap((type) => Object.values(type?.getFields() ?? {}));

/** A value of an operation that callers can make long. */
interface Leaf {
  readonly path: string;
  /** Variables in which only this value is long. */
  readonly variables: Readonly<Record<string, unknown>>;
}

type Input = GraphQLArgument | GraphQLInputField;

const longText = 'x'.repeat(6_500_001);
const longListLength = 10_001;

/** Returns the least value of a type. */
function leastValue(type: GraphQLInputType, isInList = false): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return isInList ? [] : [leastValue(nullable.ofType, true)];
  if (isInputObjectType(nullable)) return leastObject(Object.values(nullable.getFields()));
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  const values: Record<string, unknown> = {
    ID: newId(),
    Int: 1,
    Float: 1,
    Boolean: false,
    DateTime: new Date(0).toISOString(),
    JSON: {},
    DocumentFilter: {},
  };
  return values[getNamedType(type).name] ?? 'text';
}

const isRequired = (input: Input) =>
  'astNode' in input &&
  (isRequiredArgument(input as GraphQLArgument) ||
    isRequiredInputField(input as GraphQLInputField));

/** Also names the project where an input can, because this caller has access to all projects. */
function leastObject(inputs: readonly Input[]): Record<string, unknown> {
  const given = inputs.filter((input) => isRequired(input) || input.name === 'projectId');
  return Object.fromEntries(
    given.map(({ name, type }) => [name, name === 'projectId' ? projectId : leastValue(type)]),
  );
}

/** Returns the texts and lists among the inputs, each with inputs in which it is too long. */
function leavesOf(inputs: readonly Input[], outer: readonly string[] = []): Leaf[] {
  return inputs.flatMap(({ name, type }) => {
    const path = [...outer, name].join('.');
    const withValue = (value: unknown) => ({ ...leastObject(inputs), [name]: value });
    const nullable = getNullableType(type);
    const named = getNamedType(type);
    if (isListType(nullable)) {
      const items = Array.from({ length: longListLength }, () => leastValue(nullable.ofType, true));
      return [{ path: `${path}[]`, variables: withValue(items) }];
    }
    if (isInputObjectType(named)) {
      // Inputs nest at most once in themselves, such as filters.
      if (outer.length > 3) return [];
      return leavesOf(Object.values(named.getFields()), [...outer, name]).map((leaf) => ({
        path: leaf.path,
        variables: withValue(leaf.variables),
      }));
    }
    if (named.name !== 'String') return [];
    return [{ path, variables: withValue(longText) }];
  });
}

function documentOf(
  { name, args, type }: GraphQLField<unknown, unknown>,
  variables: Leaf['variables'],
): string {
  const kind = roots[0]?.getFields()[name] ? 'query' : 'mutation';
  const given = args.filter((arg) => arg.name in variables);
  const declared = given.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = given.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selection = 'getFields' in getNamedType(type) ? '{ __typename }' : '';
  return `${kind} (${declared}) { ${name}(${passed}) ${selection} }`;
}

const refusals = new Set([
  'VALIDATION_FAILED',
  'NOT_FOUND',
  'MALFORMED_REQUEST',
  'QUERY_TOO_COMPLEX',
]);

/** Returns the code of the refusal, or what happened instead. */
async function outcomeOf(field: GraphQLField<unknown, unknown>, leaf: Leaf): Promise<string> {
  const { errors } = await execute({
    schema,
    document: parse(documentOf(field, leaf.variables)),
    contextValue: { ...service.system },
    variableValues: leaf.variables,
  });
  const [error] = errors ?? [];
  if (error === undefined) return 'accepted';
  let cause: unknown = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined)
    cause = cause.originalError;
  return cause instanceof DomainError ? cause.code : String(cause);
}

describe('an operation refuses each text of 6.5 million characters and each list of 10,001 items', () => {
  const tested = operations.filter(
    ({ name, args }) =>
      args.length > 0 && schema.getSubscriptionType()?.getFields()[name] === undefined,
  );
  test.each(tested.map((field) => [field.name, field] as const))('%s', async (_, field) => {
    const accepted: string[] = [];
    for (const leaf of leavesOf(field.args)) {
      const outcome = await outcomeOf(field, leaf);
      if (!refusals.has(outcome)) accepted.push(`${leaf.path}: ${outcome}`);
    }
    expect(accepted).toEqual([]);
  });
});

describe('the table of bounds', () => {
  test('has a row for each operation, and for no other', () => {
    const added = operations.map(({ name }) => name).filter((name) => !earlierOperations.has(name));
    expect(Object.keys(operationBounds).sort()).toEqual([...new Set(added)].sort());
  });

  test('names only tables that have a bound themselves', () => {
    const stored = Object.values(operationBounds).flatMap(({ stores }) => stores);
    expect(stored.filter((table) => tableBounds[table] === undefined)).toEqual([]);
  });

  test('calls a page what has a page size of at most 100', async () => {
    const pages = operations.filter(({ name }) => operationBounds[name]?.memory === 'PAGE');
    expect(pages.length).toBeGreaterThan(4);
    for (const field of pages) {
      const size = field.args.find(({ name }) => name === 'limit' || name === 'first')?.name ?? '';
      const variables = { ...leastObject(field.args), [size]: 101 };
      expect(await outcomeOf(field, { path: size, variables }), field.name).toBe(
        'VALIDATION_FAILED',
      );
    }
  });
});
