import { expect, test } from 'vitest';
import {
  type ApiOperation,
  type OpenApiParameter,
  type OpenApiSchema,
  operations,
  operationTitle,
  resolveSchema,
  schemas,
} from '../support/api/openapi-document.ts';
import { compileRequestValidator } from '../support/api/openapi-schema.ts';

/** Properties that need no maximum length: model output, quotes from documents, and messages for people. */
const unboundedTexts = new Set([
  'ChatResponse/content',
  'Citation/quote',
  'DeltaEvent/text',
  'DocumentContent/text',
  'DocumentRecord/error/message',
  'DocumentRecord/waitingReason',
  'DoneEvent/content',
  'ErrorBody/message',
  'ErrorBody/path',
  'ErrorEvent/message',
  'EvaluationResultRecord/answer',
  'SearchResult/content',
  'SearchResult/context',
  'TranscriptMessage/content',
  'WrittenDocument/error/message',
  'WrittenDocument/waitingReason',
]);

const parameters = operations.flatMap((operation) =>
  operation.parameters.map((parameter): [string, OpenApiParameter] => [
    `${operationTitle(operation)} parameter ${parameter.name}`,
    parameter,
  ]),
);

test('every property has a description', () => {
  expect(
    properties().flatMap(([pointer, property]) => (hasMeaning(property) ? [] : [pointer])),
  ).toEqual([]);
});

test('every parameter has a description', () => {
  expect(parameters.flatMap(([name, parameter]) => (parameter.description ? [] : [name]))).toEqual(
    [],
  );
});

test('every value has a valid example or default', () => {
  const values: [string, OpenApiSchema][] = [
    ...properties()
      .filter(([, property]) => isPlain(property))
      .map(([pointer, property]): [string, OpenApiSchema] => [pointer, resolveSchema(property)]),
    ...parameters.map(([name, { schema, example }]): [string, OpenApiSchema] => [
      name,
      { ...resolveSchema(schema), ...(example !== undefined && { example }) },
    ]),
  ];
  expect(values.flatMap(([pointer, value]) => (hasExample(value) ? [] : [pointer]))).toEqual([]);
});

test('every text and number in a request has limits', () => {
  const sent: [string, OpenApiSchema][] = [
    ...operations.flatMap((operation) =>
      propertiesOf(`${operationTitle(operation)} body`, operation.body?.schema ?? {}),
    ),
    ...parameters.map(([name, { schema }]): [string, OpenApiSchema] => [name, schema]),
  ];
  expect(
    sent.flatMap(([pointer, value]) => (isBoundedBothWays(resolveSchema(value)) ? [] : [pointer])),
  ).toEqual([]);
});

test('every text and number in a response has limits, or a reason for having none', () => {
  const offenders = properties()
    .filter(([pointer]) => !unboundedTexts.has(pointer.replace('#/components/schemas/', '')))
    .flatMap(([pointer, value]) => (isBounded(resolveSchema(value)) ? [] : [pointer]));
  expect(offenders).toEqual([]);
});

test.each(operations.map((operation) => [operationTitle(operation), operation] as const))(
  '%s documents its purpose, its requirements and every response',
  (_name, operation) => {
    expect(operation.summary).toBeTruthy();
    expect(operation.description).toBeTruthy();
    expect(operation.scopes.length).toBeGreaterThan(0);
    const scopes = operation.scopes.map((scope) => `\`${scope}\``).join(' and ');
    const noun = operation.scopes.length === 1 ? 'scope' : 'scopes';
    expect(operation.description).toContain(`Needs the ${noun} ${scopes}.`);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(statusesOf(operation)));
    expect(Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status))).toBe(true);
    for (const [status, { description, headers }] of Object.entries(operation.responses)) {
      expect(description, status).toMatch(/\w{2}/);
      expect(Object.keys(headers), status).toContain('X-Request-Id');
      for (const [name, header] of Object.entries(headers)) {
        expect(header.description, `${status} header ${name}`).toBeTruthy();
      }
    }
  },
);

test.each(
  operations.flatMap((operation) =>
    operation.body === null ? [] : [[operationTitle(operation), operation.body.schema] as const],
  ),
)('%s rejects unknown body fields and documents that it does', (_name, schema) => {
  expect(schema.additionalProperties).toBe(false);
});

function statusesOf({ body, parameters: given, path }: ApiOperation): string[] {
  const namesSomething =
    path.includes('{') ||
    given.some(({ name }) => name.endsWith('Id')) ||
    Object.keys(body?.schema.properties ?? {}).some((name) => name.endsWith('Id'));
  return [
    ...['400', '401', '403', '429', '500', '502', '503'],
    ...(namesSomething ? ['404'] : []),
    ...(body === null ? [] : ['413']),
  ];
}

/** Returns every property of every named schema, each with its JSON pointer. */
function properties(): [string, OpenApiSchema][] {
  return Object.entries(schemas).flatMap(([name, schema]) =>
    propertiesOf(`#/components/schemas/${name}`, schema),
  );
}

function propertiesOf(pointer: string, schema: OpenApiSchema): [string, OpenApiSchema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const place = `${pointer}/${name}`;
    const inner = property.items ?? property;
    return [[place, property], ...(inner.$ref ? [] : propertiesOf(place, inner))];
  });
}

/**
 * Returns whether a property has a description, itself or in the schema that it references. A discriminator with a
 * single value needs no description.
 */
function hasMeaning(property: OpenApiSchema): boolean {
  const isDiscriminator = property.enum?.length === 1;
  const said = property.description ?? resolveSchema(property.allOf?.[0] ?? property).description;
  return isDiscriminator || Boolean(said);
}

/**
 * Returns false for objects, because their properties are checked separately, and for discriminators with a single
 * value.
 */
function isPlain(property: OpenApiSchema): boolean {
  const schema = resolveSchema(property);
  const held = schema.items === undefined ? schema : resolveSchema(schema.items);
  const isComposed = held.properties ?? held.allOf ?? held.anyOf;
  return isComposed === undefined && held.enum?.length !== 1;
}

function hasExample(schema: OpenApiSchema): boolean {
  if (schema.format === 'binary') return true;
  const value = schema.example ?? schema.default;
  return value !== undefined && compileRequestValidator(schema)(value).length === 0;
}

function isBounded(schema: OpenApiSchema): boolean {
  const { type, format, enum: values, pattern, minLength, maxLength, minimum, maximum } = schema;
  switch (type) {
    case 'string':
      return [format, values, pattern, minLength, maxLength].some((limit) => limit !== undefined);
    case 'integer':
      return minimum !== undefined;
    case 'number':
      return minimum !== undefined && maximum !== undefined;
    default:
      return true;
  }
}

function isBoundedBothWays(schema: OpenApiSchema): boolean {
  const { type, format, enum: values, maxLength, minimum, maximum } = schema;
  switch (type) {
    case 'string':
      return [format, values, maxLength].some((limit) => limit !== undefined);
    case 'integer':
    case 'number':
      return minimum !== undefined && maximum !== undefined;
    default:
      return true;
  }
}
