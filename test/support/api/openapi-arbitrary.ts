import fc, { type Arbitrary } from 'fast-check';
import { type ApiOperation, type OpenApiSchema, resolveSchema } from './openapi-document.ts';
import { projectIdLocation, resourceFields } from './openapi-request.ts';
import { compileRequestValidator } from './openapi-schema.ts';

/** Fields of a request, grouped by location. Values of the body are not encoded. All other values are URL-encoded. */
export interface RequestFields {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON fields, or the file in a form. Null if the operation has no body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface FileFields {
  readonly name: string;
  readonly content: string;
}

/**
 * Ids of existing resources by kind. With them, some generated requests find a resource, and not all of them return
 * 404.
 */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

/**
 * Generates requests that the OpenAPI document allows. Texts have all scripts and lengths, numbers are at their limits,
 * and optional fields are present or absent. Omits `projectId`.
 */
export function validInputs(operation: ApiOperation, known: KnownIds): Arbitrary<RequestFields> {
  const kinds = new Map(resourceFields(operation).map(({ name, kind }) => [name, kind]));
  const value = (name: string, schema: OpenApiSchema): Arbitrary<unknown> => {
    const ids = known[kinds.get(name) ?? ''] ?? [];
    const isObject = resolveSchema(schema).type === 'object';
    const others = (isObject ? undefined : valuesByName[name]) ?? validValue(schema);
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

/** Generates texts with at least one visible character, without NUL. */
function visibleText(maxLength: number): Arbitrary<string> {
  return anyText(maxLength)
    .map((text) => text.replaceAll('\0', ''))
    .filter((text) => /\S/.test(text) && text.isWellFormed());
}

function expectedTexts(): Arbitrary<(string | string[])[]> {
  const alternatives = fc.array(visibleText(50), { minLength: 1, maxLength: 5 });
  return fc.array(fc.oneof(visibleText(50), alternatives), { maxLength: 5 });
}

/** Values of fields whose limits OpenAPI can describe only in words. They are not for fields that are objects. */
const valuesByName: Readonly<Record<string, Arbitrary<unknown>>> = {
  tags: fc.array(visibleText(100), { maxLength: 20 }),
  question: visibleText(200),
  expected: expectedTexts(),
  documentId: fc.uuid({ version: 7 }),
  questions: fc.array(
    fc
      .record(
        {
          question: visibleText(200),
          expected: expectedTexts(),
          documentId: fc.uuid({ version: 7 }),
          documentName: visibleText(100),
          mustRefuse: fc.boolean(),
          tags: fc.array(visibleText(30), { maxLength: 5 }),
          language: fc.constantFrom('en', 'pt-BR'),
        },
        { requiredKeys: ['question'] },
      )
      .map((fields) => ({ ...fields })),
    { maxLength: 5 },
  ),
  // The example of `config` is for this kind of source.
  kind: fc.constant('WEBSITE'),
  schedule: fc.constantFrom('0 3 * * *', '*/5 8-18 * * 1-5', '30 4 1,15 * *'),
};

/** Generates header values that are mostly unique. They have no spaces at the ends, because HTTP would remove these. */
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
    return fc.record({ file: fc.record({ name: fileName, content: nonEmptyText }) });
  }
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([name]) => name !== 'projectId' || projectIdLocation(operation) !== 'body',
  );
  const isOptional = (name: string) => !(schema.required ?? []).includes(name);
  const valueOrNull = (name: string, property: OpenApiSchema) =>
    isOptional(name) ? fc.option(value(name, property), { freq: 10 }) : value(name, property);
  return fc
    .record(
      Object.fromEntries(properties.map(([name, property]) => [name, valueOrNull(name, property)])),
      { requiredKeys: [...(schema.required ?? [])] },
    )
    .map((fields) => ({ ...fields }));
}

/** Generates values that the schema allows. */
function validValue(given: OpenApiSchema): Arbitrary<unknown> {
  const schema = resolveSchema(given);
  const { type, minimum = 0, maximum = 2 ** 31 - 1 } = schema;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(validValue));
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'string':
      return validText(schema);
    case 'array': {
      const { items = {}, minItems: minLength = 0, maxItems: maxLength = 10 } = schema;
      return fc.array(validValue(items), { minLength, maxLength });
    }
    case 'object':
      // A schema of OpenAPI 3.0 cannot describe which keys this object may have, so the example is used.
      return fc.constant(schema.example);
    default:
      throw new Error(`Tell the tests how to make a value of type ${type}`);
  }
}

function validText(schema: OpenApiSchema): Arbitrary<string> {
  const problems = compileRequestValidator(schema);
  const isValid = (text: string) =>
    !text.includes('\0') && problems(text.normalize('NFC')).length === 0;
  if (schema.format === 'uuid') {
    return schema.pattern === undefined ? fc.uuid() : fc.uuid({ version: 7 });
  }
  if (schema.format === 'date-time') return dateTime.filter(isValid);
  if (schema.pattern?.includes('://')) return fc.webUrl().filter(isValid);
  if (schema.format === 'date') return dateTime.map((text) => text.slice(0, 10));
  const { minLength = 0, maxLength = 1000 } = schema;
  const short = Math.min(maxLength, 200);
  const texts: { weight: number; arbitrary: Arbitrary<string> }[] = [
    { weight: 8, arbitrary: anyText(short) },
    { weight: 2, arbitrary: fc.emailAddress() },
    { weight: 2, arbitrary: textOfLength(minLength) },
    { weight: maxLength > 10_000 ? 0.2 : 2, arbitrary: textOfLength(maxLength) },
  ];
  const weighted = texts.map(({ weight, arbitrary }) => ({ weight: weight * 10, arbitrary }));
  return fc.oneof(...weighted).filter(isValid);
}

const dateTime = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Generates texts in all scripts, including combining marks, control characters and supplementary-plane characters. */
export function anyText(maxLength: number): Arbitrary<string> {
  const units = ['grapheme', 'grapheme-composite', 'binary', 'binary-ascii'] as const;
  return fc.oneof(...units.map((unit) => fc.string({ unit, maxLength })));
}

/** Generates texts of exactly `length` code points. */
export function textOfLength(length: number): Arbitrary<string> {
  return fc
    .constantFrom('a', '\u00e9', '\u{1f411}', '\u4e2d', "'")
    .map((unit) => unit.repeat(length));
}

const nonEmptyText = anyText(500).map((text) => `Opening hours\n${text.replaceAll('\0', '')}`);
const fileName = anyText(60).map((text) => `${text.replace(/[\0-\x1f"\\/\x7f]/g, '')}.txt`);
