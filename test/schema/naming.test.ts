import { getNamedType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/schema.ts';

test('the input of each mutation is named after it', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  expect(mutations.length).toBeGreaterThan(20);
  const names = mutations.flatMap(({ name, args }) =>
    args.map(({ type }) => ({ name, input: getNamedType(type).name })),
  );
  expect(names).toEqual(
    names.map(({ name }) => ({ name, input: `${name[0]?.toUpperCase()}${name.slice(1)}Input` })),
  );
});
