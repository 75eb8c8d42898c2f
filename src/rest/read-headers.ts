import type { Request } from 'express';
import type { ObjectSchema } from './operations.ts';
import type { Problem } from './validate.ts';

/** The headers of a request that its operation knows, by the names it gives them. */
export interface Headers {
  readonly values: Record<string, unknown>;
  readonly problems: readonly Problem[];
}

/** Reads the headers that `schema` knows. Node joins those that are sent more than once, so they are told apart. */
export function readHeaders(request: Request, schema: ObjectSchema): Headers {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const name of Object.keys(schema.properties)) {
    const [value, ...more] = request.headersDistinct[name.toLowerCase()] ?? [];
    if (value === undefined) continue;
    if (more.length > 0) problems.push({ field: name, message: `${name} must be passed once` });
    else values[name] = value;
  }
  return { values, problems };
}
