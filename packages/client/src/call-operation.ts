import type { Connection } from './connection.ts';
import { type Body, type OperationId, type Query, type Result, routes } from './routes.ts';
import { type Access, type CallOptions, sendRequest } from './send-request.ts';

/** What a call sends. The client adds the project. */
export interface Input<Id extends OperationId> {
  /** Values for the parameters of the path, in the order of the path. */
  readonly ids?: readonly string[];
  readonly query?: Query<Id> | undefined;
  readonly body?: Body<Id> | FormData | undefined;
  readonly mayBeRunning?: boolean;
}

/** Each call of these operations has a new effect, so the client does not repeat them when a connection is lost. */
const unrepeatable: readonly OperationId[] = ['sendTestWebhook', 'redeliverWebhook', 'syncSource'];

/** Calls an operation and returns its JSON, or undefined if the response has none. */
export function callOperation<Id extends OperationId>(
  access: Access,
  id: Id,
  input: Input<Id>,
  options: CallOptions = {},
): Promise<Result<Id>> {
  return readOperation(access, id, input, options, async (response, connection) => {
    const value = response.status === 204 ? undefined : await response.json();
    connection.close();
    return value;
  });
}

/** Calls an operation. `read` reads the response and must close the connection. */
export function readOperation<Id extends OperationId, Value>(
  access: Access,
  id: Id,
  input: Input<Id>,
  options: CallOptions,
  read: (response: Response, connection: Connection) => Promise<Value>,
): Promise<Value> {
  const [method = '', path = ''] = routes[id].split(' ');
  const projectId = options.projectId ?? access.projectId;
  const isInQuery = /GET|DELETE/.test(method) || input.body instanceof FormData;
  const query = { ...input.query, ...(isInQuery && { projectId }) };
  return sendRequest(
    access,
    {
      method,
      path: fillPath(path, input.ids ?? []) + toQueryString(query),
      body: isInQuery ? formOf(input.body) : toJson({ ...input.body, projectId }),
      headers: method === 'POST' || method === 'PUT' ? idempotencyHeader(options) : {},
      isRepeatable: !unrepeatable.includes(id),
      mayBeRunning: input.mayBeRunning ?? false,
    },
    options,
    read,
  );
}

/**
 * Replaces the parameter names in a path by encoded values.
 * @throws TypeError for a value such as `..`, because it would lead to another operation
 */
function fillPath(path: string, ids: readonly string[]): string {
  let index = 0;
  return path.replace(/\{\w+\}/g, (name) => {
    const id = ids[index++];
    if (!id || /^\.+$/.test(id)) throw new TypeError(`${name} is not an id: ${id}`);
    return encodeURIComponent(id);
  });
}

function toQueryString(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

function formOf(body: unknown): FormData | undefined {
  return body instanceof FormData ? body : undefined;
}

function toJson(body: object): string | undefined {
  const text = JSON.stringify(body);
  return text === '{}' ? undefined : text;
}

function idempotencyHeader({ idempotencyKey = newKey() }: CallOptions): Record<string, string> {
  return { 'idempotency-key': idempotencyKey };
}

/** Pages without HTTPS have no `crypto.randomUUID`. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
