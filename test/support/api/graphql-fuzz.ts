import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { pick, type Random } from '../seeded-random.ts';

export interface FuzzOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Returns a random operation with fields of the schema. Selections, aliases, fragments and directives are random. The
 * values of arguments are valid, hostile, of the wrong type, or ids from `ids`.
 */
export function randomOperation(
  schema: GraphQLSchema,
  random: Random,
  ids: readonly string[],
): FuzzOperation {
  const kind = pick(random, ['query', 'query', 'mutation', 'subscription'] as const);
  const root = schema.getRootType(kind as never);
  if (root == null) throw new Error(`no ${kind}`);
  const variables: Record<string, unknown> = {};
  const definitions: string[] = [];
  const fragments: string[] = [];
  const chance = (share: number) => random() < share;

  const addVariable = (type: GraphQLInputType): string => {
    const name = `v${definitions.length}`;
    const declared = chance(0.95) ? type : pick(random, ['String', 'Int!', '[ID!]', 'Nothing']);
    definitions.push(`$${name}: ${declared}${chance(0.1) ? ' = null' : ''}`);
    if (chance(0.95)) variables[name] = randomValue(type, 0);
    return `$${name}`;
  };
  const randomValue = (type: GraphQLInputType, depth: number): unknown => {
    if (chance(0.06)) return pick(random, wrongValues);
    if (type instanceof GraphQLNonNull) return randomValue(type.ofType, depth);
    if (chance(0.05)) return null;
    if (type instanceof GraphQLList) {
      return Array.from({ length: Math.floor(random() * 4) }, () =>
        randomValue(type.ofType, depth),
      );
    }
    if (isEnumType(type)) return pick(random, type.getValues()).name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      const chosen = fields.filter(({ type: one }) => one instanceof GraphQLNonNull || chance(0.4));
      return Object.fromEntries(
        depth > 5 ? [] : chosen.map((field) => [field.name, randomValue(field.type, depth + 1)]),
      );
    }
    switch (getNamedType(type).name) {
      case 'Int':
        return pick(random, [0, 1, 20, 100, 101, -1, 2_147_483_647, 1e300]);
      case 'Float':
        return pick(random, [0, 0.5, 1, -1, 1e308]);
      case 'Boolean':
        return chance(0.5);
      case 'ID':
        return pick(random, [...ids, ...ids, ...hostileTexts]);
      case 'DateTime':
        return pick(random, ['2026-11-22T10:00:00.000Z', '+275760-09-13T00:00:00.000Z', 'x']);
      default:
        return pick(random, hostileTexts);
    }
  };
  const argumentsOf = (known: readonly GraphQLArgument[]): string => {
    const chosen = known.filter(({ type }) => type instanceof GraphQLNonNull || chance(0.5));
    return chosen.length === 0
      ? ''
      : `(${chosen.map(({ name, type }) => `${name}: ${addVariable(type)}`).join(', ')})`;
  };
  const fieldText = (field: GraphQLField<unknown, unknown>, depth: number): string => {
    const alias = chance(0.1) ? `a${Math.floor(random() * 3)}: ` : '';
    const directive = chance(0.05)
      ? ` @${pick(random, ['skip', 'include'])}(if: ${chance(0.5)})`
      : '';
    return `${alias}${field.name}${argumentsOf(field.args)}${directive}${selectionOf(field.type, depth + 1)}`;
  };
  const selectionOf = (type: GraphQLOutputType, depth: number): string => {
    const named = getNamedType(type);
    if (isUnionType(named)) {
      const parts = named.getTypes().map((one) => `... on ${one.name} ${selectionOf(one, depth)}`);
      return ` { __typename ${parts.join(' ')} }`;
    }
    if (!isObjectType(named) && !isInterfaceType(named)) return '';
    const fields = Object.values(named.getFields()).filter(
      ({ type: one }) => depth < 5 || !isObjectType(getNamedType(one)),
    );
    if (fields.length === 0) return ' { __typename }';
    const count = depth === 0 ? 1 : 1 + Math.floor(random() * 4);
    const chosen = Array.from({ length: count }, () => pick(random, fields));
    const text = `{ ${depth > 0 ? '__typename ' : ''}${chosen.map((field) => fieldText(field, depth)).join(' ')} }`;
    if (!chance(0.05)) return ` ${text}`;
    fragments.push(`fragment f${fragments.length} on ${named.name} ${text}`);
    return ` { ...f${fragments.length - 1} }`;
  };
  const selection = selectionOf(root, 0);
  const declared = definitions.length === 0 ? '' : `(${definitions.join(', ')})`;
  return { query: `${kind} ${declared}${selection} ${fragments.join(' ')}`, variables };
}

const hostileTexts = [
  '',
  'The pool opens at seven.',
  '\u0000',
  '\ud800',
  "'; drop table grounded.documents; --",
  '%_\\',
  '{"a":1}',
  '../../etc/passwd',
  '(((((((((('.repeat(50),
  'é'.repeat(5_000),
  '🐑'.repeat(300),
  '00000000-0000-0000-0000-000000000000',
  'eyJhIjoxfQ==',
  'https://127.0.0.1/x',
  '\u202e\u200b\ufeff',
  'a@b.example',
];

const wrongValues: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  'x',
  [],
  {},
  [[[]]],
  { a: { b: [] } },
  Number.MAX_SAFE_INTEGER,
  '\u0000',
];
