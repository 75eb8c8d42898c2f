import type { Request } from 'express';
import type { z } from 'zod';
import type { ApiKeyCaller } from '../../domain/caller.ts';
import { isId } from '../../platform/ids.ts';
import { readJsonBody } from '../request/read-json-body.ts';
import { OpenAiRequestError } from './openai-error.ts';

/** Model id for the project of a project-scoped key. Every other model id is the id of a project. */
export const defaultModelId = 'grounded';

/**
 * Reads and checks the body of a request.
 * @throws OpenAiRequestError with the path of the first invalid field.
 * @throws DomainError when the body is not a JSON object.
 */
export async function readRequest<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const body = await readJsonBody(request, { schema: anyObject, isRequired: true });
  const { success, data, error } = schema.safeParse(withoutNulls(body));
  if (success) return data;
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const param = formatPath([...issue.path, issue.keys[0] ?? '']);
    throw new OpenAiRequestError(`Unrecognized request argument supplied: ${param}`, { param });
  }
  const path = issue?.path ?? [];
  const param = formatPath(path);
  if (isMissing(body, path)) {
    const code = 'missing_required_parameter';
    throw new OpenAiRequestError(`Missing required parameter: '${param}'`, { param, code });
  }
  const problem = issue?.message.replace(/^Invalid input: /, '');
  throw new OpenAiRequestError(`Invalid value for '${param}': ${problem}`, { param });
}

/** Whether a field is absent or null. */
function isMissing(body: unknown, path: readonly PropertyKey[]): boolean {
  const value = path.reduce<unknown>((parent, name) => Object(parent)[name], body);
  return path.length > 0 && (value === undefined || value === null);
}

const anyObject = { type: 'object', properties: {} } as const;

/** Clients send null for optional fields that are not set. Removes such fields, also from objects at the top level. */
function withoutNulls(body: object, depth = 1): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => {
        // In a filter, null must cause an error: removing it would remove the condition.
        const isObject = typeof value === 'object' && !Array.isArray(value) && name !== 'filter';
        return [name, isObject && depth > 0 ? withoutNulls(value, depth - 1) : value];
      }),
  );
}

/** Formats `['messages', 0, 'content']` as `messages[0].content`. The client has chosen the names. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = String(part)
        .replace(/[^\w$-]/g, '?')
        .slice(0, 64);
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/**
 * Returns the id of the project that a model uses.
 * @throws OpenAiRequestError when the key cannot use such a model.
 */
export function projectOfModel({ projectId }: ApiKeyCaller, model: string): string {
  if (model === defaultModelId && projectId === null) {
    throw modelNotFound(model, 'The API key is org-wide: use the id of a project as model');
  }
  const id = model === defaultModelId ? projectId : model;
  const isOther = projectId !== null && id !== projectId;
  if (id === null || isOther || !isId(id)) throw modelNotFound(model);
  return id;
}

/** Creates the error for a model that does not exist or that the key may not use. */
export function modelNotFound(model: string, hint?: string): OpenAiRequestError {
  const name = model.replace(/[^\w.:/-]/g, '?').slice(0, 64);
  const message = hint ?? `The model '${name}' does not exist or you do not have access to it`;
  return new OpenAiRequestError(message, { status: 404, param: 'model', code: 'model_not_found' });
}
