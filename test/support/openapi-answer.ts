import { findOperation, type OpenApiResponse, type OpenApiSchema } from './openapi-document.ts';
import { responseCheck, type SchemaCheck } from './openapi-schema.ts';
import { checkedStream, streamProblems } from './openapi-stream.ts';

/** What was asked, and what came back but for the body. */
export interface AnswerHead {
  readonly method: string;
  /** Below `/api/v1`, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
}

/**
 * The same answer, once it is sure that the OpenAPI document describes it: its status, its media type, its
 * headers and its body. Of a stream each event is checked while it is read, and the reader gets the error.
 * Rejects with the name of the operation, the status and the JSON pointers.
 */
export async function checkedAnswer(method: string, response: Response): Promise<Response> {
  const path = pathBelowBase(response.url);
  if (path === null || isPage(path) || method === 'HEAD') return response;
  const head = { method, path, status: response.status, headers: response.headers };
  const events = eventsOf(head);
  if (events !== null) {
    checkAnswer(head, null);
    return checkedStream(response, events);
  }
  checkAnswer(head, await response.clone().text());
  return response;
}

/** Throws where an answer is not what the document says. The body is null where it is not looked at. */
export function checkAnswer(head: AnswerHead, body: string | null): void {
  const problems = problemsOf(head, body);
  if (problems.length === 0) return;
  const { method, path, status } = head;
  const operation = findOperation(method, path);
  const name = operation === null ? `${method} ${path}` : `${operation.id} (${method} ${path})`;
  throw new Error(
    `${name} answered ${status}, not as openapi.json says:\n  ${problems.join('\n  ')}\n${(body ?? '').slice(0, 500)}`,
  );
}

function problemsOf(head: AnswerHead, body: string | null): string[] {
  const described = describedResponse(head);
  if (described === null) return ['the status is not documented'];
  return [...headerProblems(described, head.headers), ...bodyProblems(described, head, body)];
}

/** The one error that requests outside of every operation get. */
const outside: OpenApiResponse = {
  description: 'unknown routes, and paths that cannot be read',
  headers: { 'X-Request-Id': { schema: { type: 'string' } } },
  content: { 'application/json': { $ref: '#/components/schemas/ErrorBody' } },
};

function describedResponse({ method, path, status }: AnswerHead): OpenApiResponse | null {
  const operation = findOperation(method, path);
  if (operation === null) return status === 404 || status === 400 ? outside : null;
  return (
    operation.responses[status] ?? operation.responses[`${Math.floor(status / 100)}XX`] ?? null
  );
}

function headerProblems({ headers }: OpenApiResponse, sent: Headers): string[] {
  return Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const value = sent.get(name);
    if (value === null) {
      return required === false
        ? []
        : [`the header ${name} is documented as always sent and missing`];
    }
    const isNumber = schema.type === 'integer' || schema.type === 'number';
    return checkOf(schema)(isNumber ? Number(value) : value).map(
      (text) => `header ${name}: ${text}`,
    );
  });
}

function bodyProblems(
  { content }: OpenApiResponse,
  { headers }: AnswerHead,
  body: string | null,
): string[] {
  const mediaType = mediaTypeOf(headers);
  const schema = content[mediaType];
  if (Object.keys(content).length === 0) return body ? ['a body is not documented'] : [];
  if (schema === undefined) return [`the media type ${mediaType} is not documented`];
  if (body === null) return [];
  if (mediaType === eventStream) return streamProblems(body, schema);
  const value = parsed(body);
  return value === undefined ? ['the body is no JSON'] : checkOf(schema)(value);
}

const checks = new WeakMap<OpenApiSchema, SchemaCheck>();

function checkOf(schema: OpenApiSchema): SchemaCheck {
  const check = checks.get(schema) ?? responseCheck(schema);
  checks.set(schema, check);
  return check;
}

const eventStream = 'text/event-stream';

function eventsOf(head: AnswerHead): OpenApiSchema | null {
  if (mediaTypeOf(head.headers) !== eventStream) return null;
  return describedResponse(head)?.content[eventStream] ?? null;
}

function mediaTypeOf(headers: Headers): string {
  return (headers.get('Content-Type') ?? '').split(';')[0]?.trim() ?? '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pathBelowBase(url: string): string | null {
  return /^\/api\/v1(\/.*)$/.exec(new URL(url).pathname)?.[1] ?? null;
}

/** The documentation itself is not part of what it documents. */
function isPage(path: string): boolean {
  return path === '/openapi.json' || path === '/docs' || path.startsWith('/docs/');
}
