import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/schema.ts';

interface SchemaElement {
  readonly path: string;
  readonly description: string;
  /** Whether the name and the type do not tell a caller enough, for example because there is a limit. */
  readonly needsDescription: boolean;
}

const operationTypes = new Set(['Query', 'Mutation', 'Subscription']);
/**
 * Values of these types have a length, a range, a format or a default. Ids, enums and booleans need no description.
 * Input types need none either, because the operation describes its input.
 */
const boundedTypes = new Set(['Int', 'Float', 'String', 'DateTime']);
const fillerWords = new Set('a an the of its this that it to in and is are was were'.split(' '));

function elementsOf(type: GraphQLNamedType): SchemaElement[] {
  const own = element(type.name, type.description, !isInputObjectType(type));
  if (isEnumType(type)) {
    const values = type.getValues();
    return [
      own,
      ...values.map((value) => element(`${type.name}.${value.name}`, value.description)),
    ];
  }
  if (isInputObjectType(type)) {
    return [own, ...Object.values(type.getFields()).map((field) => inputElement(type.name, field))];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [own];
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const path = `${type.name}.${field.name}`;
    const fieldElement = element(path, field.description, operationTypes.has(type.name));
    return [fieldElement, ...field.args.map((argument) => inputElement(path, argument))];
  });
  return [own, ...fields];
}

function inputElement(owner: string, input: GraphQLArgument | GraphQLInputField): SchemaElement {
  const isBounded = boundedTypes.has(getNamedType(input.type).name);
  return element(`${owner}.${input.name}`, input.description, isBounded);
}

function element(
  path: string,
  description: string | null | undefined,
  needsDescription = false,
): SchemaElement {
  return { path, description: description?.trim() ?? '', needsDescription };
}

/**
 * Returns why a description does not help a caller, or null if it helps. Actions of the audit log may repeat their
 * names, because their descriptions are sentences such as "An API key was created."
 */
function findFault({ path, description, needsDescription }: SchemaElement): string | null {
  if (description === '') return needsDescription ? 'missing' : null;
  const words = wordsOf(description);
  if (words.length < 3) return 'fewer than three words';
  const meaning = words.filter((word) => !fillerWords.has(word));
  if (meaning.length < 2) return 'filler';
  const named = new Set(wordsOf(path));
  if (path.startsWith('AuditAction.')) return null;
  return meaning.every((word) => named.has(word)) ? 'repeats the name' : null;
}

function wordsOf(text: string): string[] {
  const separated = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  return separated.toLowerCase().match(/[a-z\d]+/g) ?? [];
}

const elements = Object.values(schema.getTypeMap())
  .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
  .flatMap(elementsOf);

test('types, operations and bounded inputs have a description, and every description is useful', () => {
  const faults = elements.flatMap((one) => {
    const fault = findFault(one);
    return fault === null ? [] : [`${one.path}: ${fault}`];
  });
  expect(elements.length).toBeGreaterThan(300);
  expect(elements.filter(({ needsDescription }) => needsDescription).length).toBeGreaterThan(200);
  expect(faults).toEqual([]);
});

describe('the check rejects', () => {
  const rejected = [
    ['a type without a description', 'Usage', '', true, 'missing'],
    ['a description of two words', 'Usage.plan', 'Its plan.', false, 'fewer than three words'],
    ['a filler', 'WebhookEndpoint.id', 'Of the endpoint.', false, 'filler'],
    ['the name again', 'Usage.storedBytes', 'The stored bytes.', false, 'repeats the name'],
    ['type and name', 'ClaimHandoffInput', 'The handoff to claim.', false, 'repeats the name'],
  ] as const;
  test.each(rejected)('%s', (_case, path, description, needsDescription, fault) => {
    expect(findFault({ path, description, needsDescription })).toBe(fault);
  });
});
