import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isIsoDay, parseIsoDateOrTime, parseIsoDateTime } from '../../text/iso-date-time.ts';
import { hasNoNul, isWellFormed } from '../../text/text-rules.ts';
import type { JsonSchema, ObjectSchema } from './operations.ts';

/** An error in one field. The message starts with the field's name. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

/** Returns one problem for every invalid field of `value`. Sets missing fields to their defaults. */
export type Validator = (value: Record<string, unknown>) => Problem[];

/**
 * Creates a validator for an object. The fields of the object may be objects. Lengths count code points. Only the
 * formats `date` and `date-time` are checked. The schema is compiled when the first value is validated: compiling all
 * schemas would take a quarter of the start time of the service.
 */
export function compileValidator(schema: ObjectSchema): Validator {
  let compiled: ValidateFunction | undefined;
  const order = Object.keys(schema.properties);
  return (value) => {
    const textProblems = findInvalidText(value);
    compiled ??= ajv.compile(schema);
    const validate = compiled;
    if (validate(value)) return textProblems;
    const problemsByField = new Map<string, Problem>(
      textProblems.map((problem) => [problem.field, problem]),
    );
    const errors = (validate.errors ?? []).filter((error) => !isInsideAlternative(error));
    for (const error of errors.sort(compareByKeyword)) {
      const problem = toProblem(error);
      if (!problemsByField.has(problem.field)) problemsByField.set(problem.field, problem);
    }
    return [...problemsByField.values()].sort(
      (a, b) => rank(order, a.field) - rank(order, b.field),
    );
  };
}

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: false,
  formats: { 'date-time': (text: string) => parseIsoDateTime(text) !== null, date: isDate },
  logger: false,
  // The schemas are part of the code. To check them, Ajv would compile its own schema at the first request.
  meta: false,
  validateSchema: false,
});

function isDate(text: string): boolean {
  return isIsoDay(text) && parseIsoDateOrTime(text) !== null;
}

/** Finds texts that Postgres cannot store, because they contain NUL or half of a surrogate pair. */
function findInvalidText(value: Record<string, unknown>): Problem[] {
  return Object.entries(value).flatMap(([field, text]) => {
    if (typeof text !== 'string') return [];
    if (!hasNoNul(text)) return [problem(field, 'must not contain NUL characters')];
    if (!isWellFormed(text)) return [problem(field, 'must be well-formed Unicode')];
    return [];
  });
}

/** If a field has several errors, only the error whose keyword comes first in this list is reported. */
const keywordPriority = [
  'required',
  'additionalProperties',
  'type',
  'enum',
  'pattern',
  'minLength',
];

function compareByKeyword(a: ErrorObject, b: ErrorObject): number {
  return rank(keywordPriority, a.keyword) - rank(keywordPriority, b.keyword);
}

function rank(order: readonly string[], name: string): number {
  const index = order.indexOf(name);
  return index === -1 ? order.length : index;
}

/**
 * Whether the error only says why one of several allowed types does not match. The `anyOf` of these types has its own
 * error.
 */
function isInsideAlternative({ instancePath, schemaPath }: ErrorObject): boolean {
  return /^\/[^/]*\//.test(instancePath) && /\/anyOf\/\d/.test(schemaPath);
}

function toProblem(error: ErrorObject): Problem {
  if (error.keyword === 'required') {
    return problem(`${parentOf(error)}${error.params.missingProperty}`, 'is required');
  }
  if (error.keyword === 'additionalProperties') {
    return problem(`${parentOf(error)}${error.params.additionalProperty}`, 'is not a known field');
  }
  return problem(fieldOf(error), errorText(error, schemaOf(error)));
}

/**
 * Returns the path of the value, such as `config.maxPages`, or `questions.2.name` in a list of objects. For an item of a
 * list of texts, returns the path of the list.
 */
function fieldOf({ instancePath }: ErrorObject): string {
  const names = instancePath.split('/').slice(1);
  const last = names.findLastIndex((name) => !isIndex(name));
  return names.slice(0, last + 1).join('.');
}

/** Returns the path of the object that the error is about, with a dot, or an empty text for the whole body. */
function parentOf({ instancePath }: ErrorObject): string {
  const names = instancePath.split('/').slice(1);
  return names.map((name) => `${name}.`).join('');
}

function isIndex(name: string): boolean {
  return /^\d+$/.test(name);
}

function errorText(error: ErrorObject, schema: JsonSchema): string {
  if (schema.type === 'integer') return `must be an integer ${range(schema)}`;
  switch (error.keyword) {
    case 'type':
      return `must be ${/^[aeiou]/.test(schema.type ?? '') ? 'an' : 'a'} ${schema.type}`;
    case 'enum':
      return `must be one of ${(schema.enum ?? []).join(', ')}`;
    case 'anyOf':
      return `must be of type ${(schema.anyOf ?? []).map(({ type }) => type).join(', ')}`;
    case 'minimum':
    case 'maximum':
      return `must be a number ${range(schema)}`;
    case 'minItems':
    case 'minLength':
      return 'must not be empty';
    case 'maxItems':
      return `must have at most ${schema.maxItems} entries`;
    case 'maxLength':
      return `must be at most ${schema.maxLength} characters`;
    case 'format':
      return schema.format === 'date-time'
        ? 'must be an ISO 8601 date-time'
        : 'must be an ISO 8601 date or date-time';
    default:
      return schema['x-pattern-message'] ?? 'is not valid';
  }
}

function range({ minimum, maximum }: JsonSchema): string {
  return maximum === undefined ? `of at least ${minimum}` : `between ${minimum} and ${maximum}`;
}

/** Returns the schema that contains the failed keyword. Ajv adds it to each error because of the option `verbose`. */
function schemaOf(error: ErrorObject): JsonSchema {
  return error.parentSchema as JsonSchema;
}

/** Creates a problem that is safe to log. It sanitizes names of unknown fields, because they come from the client. */
export function problem(field: string, text: string): Problem {
  const name = field.replace(/[^\p{L}\p{N}_.$-]/gu, '?').slice(0, 64);
  return { field, message: `${name === '' ? 'a field without a name' : name} ${text}` };
}
