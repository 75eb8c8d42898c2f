import { Ajv, type ErrorObject } from 'ajv';
import type { JsonSchema, ObjectSchema } from './operations.ts';

/** What is wrong with one field, as a sentence that starts with the field's name. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

/** Lists every invalid field of `value`, one problem each, and fills in defaults where a field is missing. */
export type Check = (value: Record<string, unknown>) => Problem[];

/** Compiles the check of an object of plain fields. Lengths count code points; of formats only date-time is checked. */
export function compileCheck(schema: ObjectSchema): Check {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    useDefaults: true,
    strict: false,
    formats: { 'date-time': isDateTime },
    logger: false,
  });
  const validate = ajv.compile(schema);
  const order = Object.keys(schema.properties);
  return (value) => {
    const badText = unusableText(value);
    if (validate(value)) return badText;
    const known = new Map<string, Problem>(badText.map((problem) => [problem.field, problem]));
    for (const error of [...(validate.errors ?? [])].sort(byKeyword)) {
      const problem = problemOf(error);
      if (!known.has(problem.field)) known.set(problem.field, problem);
    }
    return [...known.values()].sort((a, b) => rank(order, a.field) - rank(order, b.field));
  };
}

/** ISO 8601 with an offset. `Date` alone would take 30 February for 2 March. */
function isDateTime(text: string): boolean {
  const [, day] = dateTimePattern.exec(text) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  return new Date(day).toISOString().startsWith(day);
}

const dateTimePattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Postgres stores no NUL, and half a surrogate pair is no text. */
function unusableText(value: Record<string, unknown>): Problem[] {
  return Object.entries(value).flatMap(([field, text]) => {
    if (typeof text !== 'string') return [];
    if (text.includes('\0')) return [problem(field, 'must not contain NUL characters')];
    if (!text.isWellFormed()) return [problem(field, 'must be well-formed Unicode')];
    return [];
  });
}

/** Of several complaints about one field the first of these is told. */
const keywords = ['required', 'additionalProperties', 'type', 'enum', 'pattern', 'minLength'];

function byKeyword(a: ErrorObject, b: ErrorObject): number {
  return rank(keywords, a.keyword) - rank(keywords, b.keyword);
}

function rank(order: readonly string[], name: string): number {
  const index = order.indexOf(name);
  return index === -1 ? order.length : index;
}

function problemOf(error: ErrorObject): Problem {
  if (error.keyword === 'required') {
    return problem(String(error.params.missingProperty), 'is required');
  }
  if (error.keyword === 'additionalProperties') {
    return problem(String(error.params.additionalProperty), 'is not a known field');
  }
  return problem(error.instancePath.slice(1), complaint(error, schemaOf(error)));
}

function complaint(error: ErrorObject, schema: JsonSchema): string {
  if (schema.type === 'integer') return `must be an integer ${range(schema)}`;
  switch (error.keyword) {
    case 'type':
      return `must be a ${schema.type}`;
    case 'enum':
      return `must be one of ${(schema.enum ?? []).join(', ')}`;
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must be at most ${schema.maxLength} characters`;
    case 'format':
      return 'must be an ISO 8601 date-time';
    default:
      return schema['x-pattern-message'] ?? 'is not valid';
  }
}

function range({ minimum, maximum }: JsonSchema): string {
  return maximum === undefined ? `of at least ${minimum}` : `between ${minimum} and ${maximum}`;
}

/** With `verbose`, Ajv hands over the schema that held the keyword: one of ours. */
function schemaOf(error: ErrorObject): JsonSchema {
  return error.parentSchema as JsonSchema;
}

/** A field's name may be the caller's invention, and messages are safe to log. */
function problem(field: string, text: string): Problem {
  const name = field.replace(/[^\p{L}\p{N}_.$-]/gu, '?').slice(0, 64);
  return { field, message: `${name === '' ? 'a field without a name' : name} ${text}` };
}
