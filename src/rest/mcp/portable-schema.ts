import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/**
 * Returns the schema as clients and models of all kinds can use it. Optional arguments that are null or an empty object
 * count as absent, because typed clients and weak models fill every argument. Its JSON schema has no lists of types and
 * no `propertyNames`, for which Gemini and some gateways refuse a tool.
 */
export function portableSchema<Schema extends z.ZodObject>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const standard = schema['~standard'];
  const { input, output } = standard.jsonSchema;
  return {
    '~standard': {
      ...standard,
      validate: (value) => standard.validate(dropEmpty(schema, value)),
      jsonSchema: {
        input: (options) => simplify(input(options)),
        output: (options) => simplify(output(options)),
      },
    },
  };
}

function dropEmpty({ shape }: z.ZodObject, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name, argument]) => {
      const isOptional = Object.hasOwn(shape, name) && shape[name]?.safeParse(undefined).success;
      return !(isOptional && isEmpty(argument));
    }),
  );
}

function isEmpty(argument: unknown): boolean {
  if (argument === null) return true;
  return (
    typeof argument === 'object' && !Array.isArray(argument) && Object.keys(argument).length === 0
  );
}

function simplify(schema: JsonSchema): JsonSchema {
  const { propertyNames: _, type, description, ...rest } = schema;
  const parts = Object.entries(rest).map(([name, value]) => [name, simplifyPart(name, value)]);
  const simple: JsonSchema = Object.fromEntries(parts);
  const described = description === undefined ? {} : { description };
  if (!Array.isArray(type)) return { ...described, ...(type !== undefined && { type }), ...simple };
  const anyOf = type.map((one) => (one === 'null' ? { type: one } : { type: one, ...simple }));
  return { ...described, anyOf };
}

/** Simplifies the schemas that are the value of a keyword. */
function simplifyPart(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => (isSchema(part) ? simplify(part) : part));
  if (!isSchema(value)) return value;
  if (name !== 'properties') return simplify(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, isSchema(part) ? simplify(part) : part]),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
