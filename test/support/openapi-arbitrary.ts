import fc, { type Arbitrary } from 'fast-check';
import { type ApiOperation, type OpenApiSchema, resolveSchema } from './openapi-document.ts';
import { projectPlace, resourceFields } from './openapi-request.ts';
import { requestCheck } from './openapi-schema.ts';

/** The fields of a request by where they go. Texts of a body are values, all others are as in a URL. */
export interface Fields {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON fields, or the one file of a form. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface FileFields {
  readonly name: string;
  readonly content: string;
}

/** What fields that name resources may name, so that not every request ends with 404. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

/**
 * Requests that the OpenAPI document allows: texts of every script at every length, numbers at their limits,
 * optional fields there and not there. Without `projectId`.
 */
export function validFields(operation: ApiOperation, known: KnownIds): Arbitrary<Fields> {
  const kinds = new Map(resourceFields(operation).map(({ name, kind }) => [name, kind]));
  const value = (name: string, schema: OpenApiSchema): Arbitrary<unknown> => {
    const ids = known[kinds.get(name) ?? ''] ?? [];
    const others = validValue(schema);
    if (ids.length === 0) return others;
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...ids) },
      { weight: 1, arbitrary: others },
    );
  };
  const inPlace = (place: string): Arbitrary<Record<string, string>> => {
    const found = operation.parameters.filter(
      (parameter) => parameter.in === place && parameter.name !== 'projectId',
    );
    return fc
      .record(
        Object.fromEntries(
          found.map(({ name, schema }) => [
            name,
            place === 'header' ? validHeader(schema) : value(name, schema).map(String),
          ]),
        ),
        { requiredKeys: found.flatMap(({ name, required }) => (required ? [name] : [])) },
      )
      .map((fields) => ({ ...fields }));
  };
  return fc.record({
    path: inPlace('path'),
    query: inPlace('query'),
    headers: inPlace('header'),
    body: operation.body === null ? fc.constant(null) : validBody(operation, value),
  });
}

/** Mostly one that was never sent before. HTTP takes the spaces around a value away. */
function validHeader(schema: OpenApiSchema): Arbitrary<string> {
  const others = validValue(schema).map(String);
  return fc.oneof(
    { weight: 4, arbitrary: fc.noBias(fc.uuid()) },
    { weight: 1, arbitrary: others.filter((text) => text === text.trim()) },
  );
}

function validBody(
  operation: ApiOperation,
  value: (name: string, schema: OpenApiSchema) => Arbitrary<unknown>,
): Arbitrary<Record<string, unknown>> {
  const schema = operation.body?.schema ?? {};
  if (operation.body?.mediaType !== 'application/json') {
    return fc.record({ file: fc.record({ name: fileName, content: filledText }) });
  }
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([name]) => name !== 'projectId' || projectPlace(operation) !== 'body',
  );
  return fc
    .record(
      Object.fromEntries(properties.map(([name, property]) => [name, value(name, property)])),
      { requiredKeys: [...(schema.required ?? [])] },
    )
    .map((fields) => ({ ...fields }));
}

/** Any value that a schema allows. */
function validValue(given: OpenApiSchema): Arbitrary<unknown> {
  const schema = resolveSchema(given);
  const { type, minimum = 0, maximum = 2 ** 31 - 1 } = schema;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'string':
      return validText(schema);
    default:
      throw new Error(`Tell the tests how to make a value of type ${type}`);
  }
}

function validText(schema: OpenApiSchema): Arbitrary<string> {
  const problems = requestCheck(schema);
  const isValid = (text: string) =>
    !text.includes('\0') && problems(text.normalize('NFC')).length === 0;
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date-time') return moment.filter(isValid);
  const { minLength = 0, maxLength = 1000 } = schema;
  const short = Math.min(maxLength, 200);
  const texts: { weight: number; arbitrary: Arbitrary<string> }[] = [
    { weight: 8, arbitrary: anyText(short) },
    { weight: 2, arbitrary: fc.emailAddress() },
    { weight: 2, arbitrary: lengthOf(minLength) },
    { weight: maxLength > 10_000 ? 0.2 : 2, arbitrary: lengthOf(maxLength) },
  ];
  const weighted = texts.map(({ weight, arbitrary }) => ({ weight: weight * 10, arbitrary }));
  return fc.oneof(...weighted).filter(isValid);
}

const moment = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Of every script, with combining marks, control characters, and what lies outside of the basic plane. */
export function anyText(maxLength: number): Arbitrary<string> {
  const units = ['grapheme', 'grapheme-composite', 'binary', 'binary-ascii'] as const;
  return fc.oneof(...units.map((unit) => fc.string({ unit, maxLength })));
}

/** Texts of just this many code points. */
export function lengthOf(length: number): Arbitrary<string> {
  return fc
    .constantFrom('a', '\u00e9', '\u{1f411}', '\u4e2d', "'")
    .map((unit) => unit.repeat(length));
}

const filledText = anyText(500).map((text) => `Opening hours\n${text.replaceAll('\0', '')}`);
const fileName = anyText(60).map((text) => `${text.replace(/[\0-\x1f"\\/\x7f]/g, '')}.txt`);
