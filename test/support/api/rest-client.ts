import { expect } from 'vitest';
import type { ErrorBody } from '../../../src/http/errors.ts';
import { validateResponse } from './openapi-response.ts';

/** A client of the REST API that uses one key. Rejects if the OpenAPI document does not describe a response. */
export interface RestClient {
  get(path: string): Promise<Response>;
  /** Sends a POST request with a JSON body. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends a PUT request with a JSON body. */
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends a PATCH request with a JSON body. */
  patch(path: string, body?: unknown): Promise<Response>;
  delete(path: string): Promise<Response>;
  /** Uploads one file or a form. */
  upload(path: string, file: File | FormData): Promise<Response>;
  /** Calls `fetch` and adds the key. */
  send(path: string, init: RequestInit): Promise<Response>;
}

/** Creates a client. `baseUrl` must end with `/api/v1`. Without a key, the client sends no Authorization header. */
export function restClient(baseUrl: string, key: string | null): RestClient {
  const send = async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    if (key !== null && !headers.has('Authorization'))
      headers.set('Authorization', `Bearer ${key}`);
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers });
    return validateResponse(init.method ?? 'GET', response);
  };
  return {
    send,
    get: (path) => send(path, {}),
    post: (path, body, headers) => send(path, jsonRequest('POST', body, headers)),
    put: (path, body, headers) => send(path, jsonRequest('PUT', body, headers)),
    patch: (path, body) => send(path, jsonRequest('PATCH', body)),
    delete: (path) => send(path, { method: 'DELETE' }),
    upload: (path, file) => send(path, { method: 'POST', body: formOf(file) }),
  };
}

function jsonRequest(
  method: string,
  body: unknown,
  headers: Record<string, string> = {},
): RequestInit {
  if (body === undefined) return { method, headers };
  return {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Checks that a response has the common error format, and returns its body. */
export async function expectErrorBody(response: Promise<Response>): Promise<ErrorBody> {
  const answer = await response;
  const { status, headers, url } = answer;
  const body: ErrorBody = await answer.json();
  expect(body).toEqual({
    statusCode: status,
    error: expect.any(String),
    message: Array.isArray(body.message) ? expect.any(Array) : expect.any(String),
    path: new URL(url).pathname,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    code: expect.stringMatching(/^[A-Z_]+$/),
    requestId: headers.get('X-Request-Id'),
  });
  expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  return body;
}

function formOf(file: File | FormData): FormData {
  if (file instanceof FormData) return file;
  const form = new FormData();
  form.append('file', file);
  return form;
}
