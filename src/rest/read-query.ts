import type { Request } from 'express';
import { DomainError } from '../domain/errors.ts';
import type { ObjectSchema } from './operations.ts';
import type { Problem } from './validate.ts';

export interface Query {
  /** The known parameters that were passed: numbers where one is expected and given, else text in NFC. */
  readonly values: Record<string, unknown>;
  /** Also where the operation does not take it in the query. */
  readonly projectId: string | undefined;
  readonly problems: readonly Problem[];
}

/** Reads the parameters that `schema` knows; others are ignored. Throws `MALFORMED_REQUEST`. */
export function readQuery(request: Request, schema: ObjectSchema): Query {
  const passed = parse(request);
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, { type }] of Object.entries(schema.properties)) {
    const [value, ...more] = passed.getAll(name);
    if (value === undefined) continue;
    if (more.length > 0) problems.push({ field: name, message: `${name} must be passed once` });
    else values[name] = type === 'integer' ? numberOr(value) : value.normalize('NFC');
  }
  return { values, projectId: passed.get('projectId') ?? undefined, problems };
}

function parse(request: Request): URLSearchParams {
  const text = /\?([^#]*)/.exec(request.originalUrl)?.[1] ?? '';
  try {
    decodeURIComponent(text);
  } catch (error) {
    throw new DomainError('MALFORMED_REQUEST', 'The query is not valid percent-encoded UTF-8', {
      cause: error,
    });
  }
  return new URLSearchParams(text);
}

/** What is no plain number stays text, and fails the check of its type. */
function numberOr(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
