import { Ajv2019 } from 'ajv/dist/2019.js';
import { type OpenApiSchema, resolveSchema } from './openapi-document.ts';

/** Returns the schema violations of a value, each with its JSON pointer. Empty if the value is valid. */
export type SchemaValidator = (value: unknown) => string[];

/**
 * Compiles a validator for values in responses. It is stricter than the OpenAPI document: it allows no undescribed
 * properties, ids must be UUIDv7, and timestamps must have milliseconds and end with `Z`.
 */
export function compileResponseValidator(schema: OpenApiSchema): SchemaValidator {
  return compile(responseAjv, asJsonSchema(schema, true));
}

/** Compiles a validator for values in requests. It is exactly as strict as the OpenAPI document. */
export function compileRequestValidator(schema: OpenApiSchema): SchemaValidator {
  return compile(requestAjv, asJsonSchema(schema, false));
}

function compile(ajv: Ajv2019, schema: object): SchemaValidator {
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const name = params.unevaluatedProperty ?? params.additionalProperty ?? '';
      return `${instancePath || '/'} ${message} ${name}`.trim();
    });
  };
}

const options = { allErrors: true, allowUnionTypes: true, strictTypes: false };
const formats = {
  email: /^[^@\s]+@[^@\s]+$/,
  uri: (text: string) => URL.canParse(text),
  binary: true,
  int32: { type: 'number', validate: (value: number) => value === (value | 0) },
  int64: { type: 'number', validate: Number.isSafeInteger },
  float: { type: 'number', validate: Number.isFinite },
  double: { type: 'number', validate: Number.isFinite },
} as const;

const requestAjv = new Ajv2019({
  ...options,
  formats: {
    ...formats,
    date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text),
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  },
});

const responseAjv = new Ajv2019({
  ...options,
  formats: {
    ...formats,
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    'date-time': isDateTime,
  },
});

function isDateTime(text: string): boolean {
  const isSpelled = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
  return isSpelled && !Number.isNaN(Date.parse(text));
}

/**
 * Converts an OpenAPI 3.0 schema to JSON Schema. Resolves references and omits documentation keywords. The parts of an
 * `allOf` allow additional properties, and the combined schema forbids them.
 */
function asJsonSchema(given: OpenApiSchema, isClosed: boolean): object {
  const schema = resolveSchema(given);
  const { nullable, properties, items, allOf, anyOf, oneOf } = schema;
  const within = (part: OpenApiSchema) => asJsonSchema(part, isClosed);
  const isOpen = typeof schema.additionalProperties === 'object';
  const isObject = properties !== undefined || allOf !== undefined;
  const plain = {
    ...Object.fromEntries(
      keywords.flatMap((word) => (word in schema ? [[word, schema[word]]] : [])),
    ),
    ...(properties && { properties: mapValues(properties, within) }),
    ...(items && { items: within(items) }),
    ...(allOf && { allOf: allOf.map((part) => asJsonSchema(part, false)) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
    ...(oneOf && { oneOf: oneOf.map(within) }),
    ...(schema.additionalProperties === false && { additionalProperties: false }),
    ...(isClosed && isObject && !isOpen && { unevaluatedProperties: false }),
  };
  // According to OpenAPI 3.0.3, `nullable` adds null to the `type` of the same schema. Without a `type`, it has no
  // effect.
  return nullable === true && schema.type !== undefined
    ? { ...plain, type: [schema.type, 'null'] }
    : plain;
}

const keywords = [
  'type',
  'format',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'required',
] as const;

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
