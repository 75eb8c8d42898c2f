import { DomainError } from '../../platform/errors.ts';
import { compileValidator, type Problem, type Validator } from './compile-validator.ts';
import type { ObjectSchema } from './operations.ts';
import type { JsonObject } from './read-json-body.ts';

/** Maximum number of form fields. Each label of a document is a separate field. */
export const maxFormFields = 30;
/** Maximum size of one field: metadata of 65,536 characters. */
export const maxFieldBytes = 262_144;
/** Maximum size of all fields together. */
export const maxFieldsBytes = 524_288;

/**
 * Returns the text fields of multipart form data. In a form, a list is sent as repeated fields, and `metadata` is sent
 * as JSON. An empty field counts as absent.
 * @throws DomainError VALIDATION_FAILED with a message for every invalid field.
 */
export function readFormFields(parts: unknown, schema: ObjectSchema): JsonObject {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, part] of Object.entries(parts ?? {})) {
    const texts = [part].flat();
    const [first, ...more] = texts;
    if (!texts.every((text) => typeof text === 'string')) {
      problems.push({ field: name, message: `${name} must be a text` });
    } else if (schema.properties[name]?.type === 'array') {
      values[name] = texts.map(normalize);
    } else if (more.length > 0) {
      problems.push({ field: name, message: `${name} must be passed once` });
    } else if (first !== '') values[name] = normalize(first);
  }
  problems.push(...validatorOf(schema)(values));
  const { metadata, ...fields } = values;
  const parsed = typeof metadata === 'string' ? parseObject(metadata) : undefined;
  if (parsed === null)
    problems.push({ field: 'metadata', message: 'metadata must be a JSON object' });
  if (problems.length > 0) {
    throw new DomainError(
      'VALIDATION_FAILED',
      problems.map(({ message }) => message),
    );
  }
  return parsed == null ? fields : { ...fields, metadata: parsed };
}

const validators = new WeakMap<ObjectSchema, Validator>();

function validatorOf(schema: ObjectSchema): Validator {
  const known =
    validators.get(schema) ?? compileValidator({ ...schema, additionalProperties: false });
  validators.set(schema, known);
  return known;
}

function normalize(text: unknown): string {
  return String(text).normalize('NFC');
}

/** Returns null if the text is not a JSON object. */
function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
