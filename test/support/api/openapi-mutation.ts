import fc, { type Arbitrary } from 'fast-check';
import { anyText, textOfLength } from './openapi-arbitrary.ts';
import { type ApiOperation, type OpenApiSchema, resolveSchema } from './openapi-document.ts';

/** A change to the text of a JSON body. JavaScript objects cannot express all JSON, for example duplicate fields. */
export interface BodyMutation {
  readonly name: string;
  /** New JSON of each changed field. Null removes the field. */
  readonly fields: Readonly<Record<string, string | null>>;
  /** Fields that are inserted before all others. They may duplicate existing fields. */
  readonly extra: readonly (readonly [string, string])[];
}

/** A change to one query parameter. The entries of `values` are percent-encoded. */
export interface QueryMutation {
  readonly name: string;
  readonly parameter: string;
  readonly values: readonly string[];
}

/** Generates changes that make every body of the operation invalid. */
export function bodyMutations(operation: ApiOperation): Arbitrary<BodyMutation> {
  const schema = operation.body?.schema ?? {};
  const properties = Object.entries(schema.properties ?? {});
  const isRequired = (name: string) => (schema.required ?? []).includes(name);
  // Null stands for an absent field. So null is not invalid for an optional field.
  const ofFields = properties.flatMap(([name, property]) =>
    invalidValues(resolveSchema(property)).map(({ title, json }) =>
      json
        .filter((text) => text !== 'null' || isRequired(name))
        .map((text) => ({ name: `${name}: ${title}`, fields: { [name]: text }, extra: [] })),
    ),
  );
  const missing = (schema.required ?? []).map((name) =>
    fc.constant({ name: `${name} is missing`, fields: { [name]: null }, extra: [] }),
  );
  const known = new Set(properties.map(([name]) => name));
  const unknown = unknownFieldNames
    .filter((name) => !known.has(name))
    .map((name) => ({ name: 'an unknown field', fields: {}, extra: [[name, '1'] as const] }));
  return fc.oneof(...ofFields, ...missing, unknown);
}

/** Generates changes that make every query of the operation invalid. */
export function queryMutations({ parameters }: ApiOperation): Arbitrary<QueryMutation> {
  const mutations = parameters.flatMap(({ name: parameter, in: place, schema }) => {
    if (place !== 'query' || parameter === 'projectId') return [];
    const invalid = invalidParameters(resolveSchema(schema));
    const mutation = (name: string, values: readonly string[]) => ({ name, parameter, values });
    return [
      fc.constant(mutation('twice', ['1', '1'])),
      fc.constantFrom('%00', '%ff', '%', '%ed%a0%bd').map((text) => mutation('encoding', [text])),
      ...invalid.map((value) => value.map((text) => mutation('value', [text]))),
    ];
  });
  const unknown = unknownFieldNames
    .filter((name) => !parameters.some((parameter) => parameter.name === name))
    .map((name) => ({ name: 'unknown', parameter: encodeURIComponent(name), values: ['1'] }));
  return fc.oneof(...mutations, unknown);
}

/** Generates invalid header values, by header name. */
export function headerMutations({ parameters }: ApiOperation): Arbitrary<Record<string, string>>[] {
  return parameters.flatMap(({ name, in: place, schema }) => {
    const { maxLength = 0 } = resolveSchema(schema);
    const invalid = fc.constantFrom('', '\u00e9', 'a\tb', 'a'.repeat(maxLength + 1));
    return place === 'header' ? [invalid.map((value) => ({ [name]: value }))] : [];
  });
}

/** Generates URL-encoded texts that are not valid ids. */
export const malformedIds: Arbitrary<string> = fc.oneof(
  fc.constantFrom('%00', '%ff', '%e0%a4%a', '..', '%2e%2e%2f', '%0d%0a', '0', 'null', '%20'),
  fc.constantFrom('x'.repeat(5000), '01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e2', 'upload', 'search'),
  fc.uuid().map((id) => `${id}0`),
  anyText(40)
    .filter((text) => text !== '')
    .map(encodeURIComponent),
);

const unknownFieldNames = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'conversationID',
    'Message',
    '',
    '0',
    'a.b',
  ),
  anyText(30),
);

interface InvalidValue {
  readonly title: string;
  readonly json: Arbitrary<string>;
}

const depth = 20_000;
const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
const notNumbers = ['null', 'true', '"5"', '"abc"', '[]', '[5]', '{}', nested];
const notTexts = ['null', 'true', 'false', '0', '1e400', '[]', '["a"]', '{}', '{"a":{}}', nested];
const notBooleans = ['null', '0', '1', '"true"', '"yes"', '[]', '{}', nested];
const notTextLists = ['null', '"chat"', '5', '{}', '[]', '[null]', '[5]', '[""]', '[[]]', nested];
const invalidUnicode = ['"a\\u0000"', '"\\u0000"', '"\\ud83d"', '"a\\udc11b"', '"\\udc11\\ud83d"'];

function invalidValues(schema: OpenApiSchema): InvalidValue[] {
  const oneOf = (title: string, texts: readonly string[]) => ({
    title,
    json: fc.constantFrom(...texts),
  });
  switch (schema.type) {
    case 'boolean':
      return [oneOf('wrong type', notBooleans)];
    case 'array':
      return [oneOf('wrong type', notTextLists)];
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 2 ** 31 - 1 } = schema;
      const outside = [
        `${minimum - 1}`,
        `${maximum + 1}`,
        '1.5',
        '-1e9',
        '1e400',
        '-1e400',
        '1e21',
      ];
      return [oneOf('wrong type', notNumbers), oneOf('out of range', outside)];
    }
    default:
      return [
        oneOf('wrong type', notTexts),
        oneOf('unusable text', invalidUnicode),
        ...valuesOfWrongLength(schema),
        ...valuesOfWrongPattern(schema),
      ];
  }
}

function valuesOfWrongPattern({ pattern }: OpenApiSchema): InvalidValue[] {
  if (pattern === undefined) return [];
  const expression = new RegExp(pattern, 'u');
  const texts = invalidPatternCandidates.filter((text) => !expression.test(text));
  return [
    { title: 'wrong pattern', json: fc.constantFrom(...texts).map((text) => JSON.stringify(text)) },
  ];
}

const invalidPatternCandidates = [
  ' ',
  '\n\t\u2003',
  'a\u0007b',
  '\u200b',
  'a@',
  '@b.c',
  'a b@c.de',
  'a@b..c',
  'a@b',
];

function valuesOfWrongLength({ minLength = 0, maxLength }: OpenApiSchema): InvalidValue[] {
  const tooShort = { title: 'too short', json: fc.constant('""') };
  return [
    ...(minLength > 0 ? [tooShort] : []),
    ...(maxLength === undefined
      ? []
      : [
          {
            title: 'too long',
            json: textOfLength(maxLength + 1).map((text) => JSON.stringify(text)),
          },
        ]),
  ];
}

const notIntegers = ['abc', '', '1.5', '1e3', '0x10', '%201', '99999999999999999999', 'NaN', '-'];

function invalidParameters(schema: OpenApiSchema): Arbitrary<string>[] {
  const { type, enum: values, format, minimum, maximum, minLength, maxLength } = schema;
  if (values !== undefined) return [fc.constantFrom('', 'NOPE', String(values[0]).toLowerCase())];
  if (type === 'integer') {
    const limits = [
      minimum === undefined ? [] : [minimum - 1],
      maximum === undefined ? [] : [maximum + 1],
    ];
    return [fc.constantFrom(...notIntegers, ...limits.flat().map(String))];
  }
  if (schema.anyOf?.some((option) => option.format === 'date')) {
    return [fc.constantFrom('', 'yesterday', '2026-11', '2026-02-30', '2026-13-01T00:00:00Z')];
  }
  if (format === 'date-time') {
    return [fc.constantFrom('', 'yesterday', '2026-11-21', '2026-13-01T00:00:00Z', '1700000000')];
  }
  return [
    ...(maxLength === undefined ? [] : [textOfLength(maxLength + 1).map(encodeURIComponent)]),
    ...(minLength === undefined ? [] : [fc.constant('')]),
  ];
}
