import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/schema.ts';

interface Described {
  readonly name: string;
  readonly description?: string | null;
}

const within = (owner: string, { name, description }: Described): Described => ({
  name: `${owner}.${name}`,
  description,
});

function partsOf(type: GraphQLNamedType): Described[] {
  if (isEnumType(type)) return type.getValues().map((value) => within(type.name, value));
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => within(type.name, field));
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    within(type.name, field),
    ...field.args.map((arg) => within(`${type.name}.${field.name}`, arg)),
  ]);
}

test('every type, field, argument, value and input field says what it is', () => {
  const ours = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const all = ours.flatMap((type) => [type, ...partsOf(type)]);
  const silent = all.filter(({ description }) => (description ?? '').trim() === '');
  expect(all.length).toBeGreaterThan(300);
  expect(silent.map(({ name }) => name)).toEqual([]);
});
