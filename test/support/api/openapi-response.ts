import { findOperation, type OpenApiResponse, type OpenApiSchema } from './openapi-document.ts';
import { compileResponseValidator, type SchemaValidator } from './openapi-schema.ts';
import { streamProblems, validateStream } from './openapi-stream.ts';

/** Method and path of a request, with the status and the headers of its response. */
export interface ResponseHead {
  readonly method: string;
  /** Path below `/api/v1`, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
}

/**
 * Returns the response if the OpenAPI document describes its status, media type, headers and body. Events of a stream
 * are checked while the caller reads them, and a violation makes the read fail. Rejects with the operation, the status
 * and JSON pointers.
 */
export async function validateResponse(method: string, response: Response): Promise<Response> {
  const path = pathBelowBase(response.url);
  if (path === null || isPage(path) || method === 'HEAD') return response;
  const head = { method, path, status: response.status, headers: response.headers };
  const events = eventSchemaOf(head);
  if (events !== null) {
    assertDocumentedResponse(head, null);
    return validateStream(response, events);
  }
  assertDocumentedResponse(head, await response.clone().text());
  return response;
}

/** Throws if the document does not describe the response. If the body is null, it is not checked. */
export function assertDocumentedResponse(head: ResponseHead, body: string | null): void {
  const problems = problemsOf(head, body);
  if (problems.length === 0) return;
  const { method, path, status } = head;
  const operation = findOperation(method, path);
  const name = operation === null ? `${method} ${path}` : `${operation.id} (${method} ${path})`;
  throw new Error(
    `${name} answered ${status}, not as openapi.json says:\n  ${problems.join('\n  ')}\n${(body ?? '').slice(0, 500)}`,
  );
}

function problemsOf(head: ResponseHead, body: string | null): string[] {
  const described = describedResponse(head);
  if (described === null) return ['the status is not documented'];
  return [...headerProblems(described, head.headers), ...bodyProblems(described, head, body)];
}

/** Statuses of requests that match no operation. If the path is malformed, the service checks the key first. */
const undocumentedRouteStatuses: ReadonlySet<number> = new Set([400, 401, 404, 405]);

const undocumentedRouteResponse: OpenApiResponse = {
  description: 'unknown routes, wrong methods, and paths that cannot be read',
  headers: { 'X-Request-Id': { schema: { type: 'string' } } },
  content: { 'application/json': { $ref: '#/components/schemas/ErrorBody' } },
};

function describedResponse({ method, path, status }: ResponseHead): OpenApiResponse | null {
  const operation = findOperation(method, path);
  if (operation === null)
    return undocumentedRouteStatuses.has(status) ? undocumentedRouteResponse : null;
  return operation.responses[status] ?? null;
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
    return validatorFor(schema)(isNumber ? Number(value) : value).map(
      (text) => `header ${name}: ${text}`,
    );
  });
}

function bodyProblems(
  { content }: OpenApiResponse,
  { headers }: ResponseHead,
  body: string | null,
): string[] {
  const mediaType = mediaTypeOf(headers);
  if (content['*/*']?.format === 'binary') return [];
  const schema = content[mediaType];
  if (Object.keys(content).length === 0) return body ? ['a body is not documented'] : [];
  if (schema === undefined) return [`the media type ${mediaType} is not documented`];
  if (body === null) return [];
  if (mediaType === eventStream) return streamProblems(body, schema);
  const value = parsed(body);
  return value === undefined ? ['the body is no JSON'] : validatorFor(schema)(value);
}

const validators = new WeakMap<OpenApiSchema, SchemaValidator>();

function validatorFor(schema: OpenApiSchema): SchemaValidator {
  const check = validators.get(schema) ?? compileResponseValidator(schema);
  validators.set(schema, check);
  return check;
}

const eventStream = 'text/event-stream';

function eventSchemaOf(head: ResponseHead): OpenApiSchema | null {
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

/** Returns whether the path serves API documentation. The OpenAPI document does not describe such paths. */
function isPage(path: string): boolean {
  return path === '/openapi.json' || path === '/docs' || path.startsWith('/docs/');
}
