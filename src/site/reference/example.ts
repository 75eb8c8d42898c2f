import { resolveSchema, type Schema } from './openapi.ts';

/**
 * Returns an example of a schema: its own, or one built from the examples of its fields. A schema that contains itself
 * ends with an empty list or null.
 * @param within names of the schemas that contain this one
 */
export function exampleOf(given: Schema, within: readonly string[] = []): unknown {
  const { schema, name } = resolveSchema(given);
  if (schema.example !== undefined) return schema.example;
  if (name !== null && within.includes(name)) return null;
  const inner = name === null ? within : [...within, name];
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0], inner);
  if (schema.items !== undefined) {
    const item = exampleOf(schema.items, inner);
    return item === null ? [] : [item];
  }
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([field, value]) => [field, exampleOf(value, inner)]),
    );
  }
  return schema.enum?.[0] ?? null;
}
