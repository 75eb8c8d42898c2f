import fc, { type Arbitrary } from 'fast-check';
import { anyText, type FileFields, type RequestFields, validInputs } from './openapi-arbitrary.ts';
import type { ApiOperation } from './openapi-document.ts';
import {
  type BodyMutation,
  bodyMutations,
  headerMutations,
  malformedIds,
  type QueryMutation,
  queryMutations,
} from './openapi-mutation.ts';
import { projectIdLocation, type ResourceKind } from './openapi-request.ts';
import type { RawHttpRequest } from './raw-http-client.ts';

/** The tenant for which requests are generated. */
export interface FuzzCaller {
  readonly projectId: string;
  /** Secret of a project key. */
  readonly projectKey: string;
  /** Secret of an org-wide key. */
  readonly orgWideKey: string;
  /** Known ids by kind. There are several per kind, because some operations delete the resource. */
  readonly knownIds: Readonly<Record<ResourceKind, readonly string[]>>;
}

/** Generates requests that satisfy the OpenAPI description of the operation. */
export function validRequests(
  operation: ApiOperation,
  caller: FuzzCaller,
): Arbitrary<RawHttpRequest> {
  return fc
    .tuple(validInputs(operation, caller.knownIds), fc.boolean())
    .map(([fields, isOrgWide]) => toRawRequest(operation, caller, fields, isOrgWide));
}

/** Generates requests that violate the OpenAPI description of the operation in exactly one way. */
export function invalidRequests(
  operation: ApiOperation,
  caller: FuzzCaller,
): Arbitrary<RawHttpRequest> {
  const queries = queryMutations(operation);
  const changes: Arbitrary<(request: RawHttpRequest) => RawHttpRequest>[] = [
    fc.constant((request) => withDuplicateProjectId(operation, caller, request)),
    ...(operation.path.includes('{')
      ? [malformedIds.map((id) => (request: RawHttpRequest) => withId(operation, request, id))]
      : []),
    queries.map((mutation) => (request: RawHttpRequest) => withQuery(request, mutation)),
    ...headerMutations(operation).map((invalid) =>
      invalid.map((headers) => (request: RawHttpRequest) => ({
        ...request,
        headers: { ...request.headers, ...headers },
      })),
    ),
    ...(operation.body === null ? [] : [bodyChanges(operation)]),
  ];
  return fc
    .tuple(validRequests(operation, caller).map(withoutOptionalHeaders), fc.oneof(...changes))
    .map(([request, change]) => change(request));
}

/** Generates requests of the operation with arbitrary bytes, headers and query. */
export function arbitraryRequests(
  operation: ApiOperation,
  caller: FuzzCaller,
): Arbitrary<RawHttpRequest> {
  const body = fc.oneof(
    fc.constant(null),
    fc.json().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
    anyText(500).map((text) => Buffer.from(text)),
    validRequests(operation, caller).map((request) => request.body),
  );
  const type = fc.oneof(
    fc.constant(contentType(operation)['Content-Type'] ?? 'application/json'),
    fc.constantFrom(...contentTypes),
    fc.stringMatching(/^[!-~]{1,40}$/),
  );
  const ids = fc.oneof(malformedIds, fc.constantFrom(...Object.values(caller.knownIds).flat()));
  return fc.record({ id: ids, query: anyQuery, body, type, headers: anyHeaders }).map((given) => ({
    method: operation.method,
    target: pathOf(operation, () => given.id) + given.query,
    headers: {
      ...given.headers,
      'Content-Type': given.type,
      Authorization: `Bearer ${caller.projectKey}`,
    },
    body: given.body,
  }));
}

function toRawRequest(
  operation: ApiOperation,
  { projectId, projectKey: bound, orgWideKey: orgWide }: FuzzCaller,
  fields: RequestFields,
  isOrgWide: boolean,
): RawHttpRequest {
  const isInBody = projectIdLocation(operation) === 'body';
  const query = isOrgWide && !isInBody ? { ...fields.query, projectId } : fields.query;
  const body = isOrgWide && isInBody ? { ...fields.body, projectId } : fields.body;
  const path = pathOf(operation, (name) => encodeURIComponent(fields.path[name] ?? ''));
  const authorization = { Authorization: `Bearer ${isOrgWide ? orgWide : bound}` };
  return {
    method: operation.method,
    target: Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query)}`,
    headers: { ...fields.headers, ...authorization, ...contentType(operation) },
    body: body === null ? null : bodyOf(operation, body),
  };
}

function pathOf({ path }: ApiOperation, value: (name: string) => string): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => value(name));
}

const boundary = 'a-boundary-that-no-text-holds';

function contentType({ body }: ApiOperation): Record<string, string> {
  if (body === null) return {};
  const isForm = body.mediaType === 'multipart/form-data';
  return { 'Content-Type': isForm ? `${body.mediaType}; boundary=${boundary}` : body.mediaType };
}

function bodyOf(operation: ApiOperation, body: Readonly<Record<string, unknown>>): Buffer {
  if (operation.body?.mediaType === 'application/json') return Buffer.from(JSON.stringify(body));
  return multipartBody(
    ...Object.entries(body).map(([part, file]) => [part, file as FileFields] as const),
  );
}

function multipartBody(...files: (readonly [string, FileFields])[]): Buffer {
  const parts = files.map(
    ([part, { name, content }]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\n\r\n${content}\r\n`,
  );
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`);
}

/** Removes optional headers, because a repeated idempotency key would return an earlier response. */
function withoutOptionalHeaders({ headers, ...request }: RawHttpRequest): RawHttpRequest {
  const { Authorization = '', 'Content-Type': type } = headers;
  return { ...request, headers: { Authorization, ...(type && { 'Content-Type': type }) } };
}

/**
 * If `projectId` belongs in the query, repeats it there. Otherwise replaces the body with bytes that are not valid
 * text.
 */
function withDuplicateProjectId(
  operation: ApiOperation,
  { projectId }: FuzzCaller,
  request: RawHttpRequest,
): RawHttpRequest {
  const [path = ''] = request.target.split('?');
  const isInBody = projectIdLocation(operation) === 'body';
  const query = isInBody ? 'projectId=%ff' : `projectId=${projectId}&projectId=${projectId}`;
  return { ...request, target: `${path}?${query}` };
}

function withId(operation: ApiOperation, request: RawHttpRequest, id: string): RawHttpRequest {
  const query = /\?.*$/s.exec(request.target)?.[0] ?? '';
  return { ...request, target: pathOf(operation, () => id) + query };
}

function withQuery(request: RawHttpRequest, { parameter, values }: QueryMutation): RawHttpRequest {
  const [path = '', query = ''] = request.target.split('?');
  const others = query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith(`${parameter}=`));
  const pairs = [...others, ...values.map((value) => `${parameter}=${value}`)];
  return { ...request, target: `${path}?${pairs.join('&')}` };
}

function bodyChanges(
  operation: ApiOperation,
): Arbitrary<(request: RawHttpRequest) => RawHttpRequest> {
  if (operation.body?.mediaType !== 'application/json') {
    return invalidForms.map((body) => (request) => ({ ...request, body }));
  }
  return bodyMutations(operation).map((mutation) => (request) => withMutation(request, mutation));
}

function withMutation(request: RawHttpRequest, { fields, extra }: BodyMutation): RawHttpRequest {
  const valid: object = JSON.parse(request.body?.toString() || '{}');
  const texts = new Map<string, string | null>(
    Object.entries(valid).map(([name, value]) => [name, JSON.stringify(value)]),
  );
  for (const [name, json] of Object.entries(fields)) texts.set(name, json);
  const pairs = [...texts, ...extra].flatMap(([name, json]) =>
    json === null ? [] : [`${JSON.stringify(name)}:${json}`],
  );
  return { ...request, body: Buffer.from(`{${pairs.join(',')}}`) };
}

const validFile = { name: 'a.txt', content: 'Opening hours' };
const invalidForms = fc.constantFrom(
  multipartBody(),
  multipartBody(['files', validFile]),
  multipartBody(['file', validFile], ['file', validFile]),
  multipartBody(['file', { name: 'a.txt', content: '' }]),
  multipartBody(['file', { name: 'a.bin', content: '\u0000\u0001\u0002\u0003' }]),
  multipartBody(['file', validFile]).subarray(0, -boundary.length),
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"\r\n\r\na\r\n--${boundary}--\r\n`,
  ),
  Buffer.from(`--${boundary}\r\n\r\n\r\n--${boundary}--\r\n`),
  Buffer.from('{}'),
  Buffer.alloc(0),
);

const contentTypes = [
  'application/json; charset=utf-16',
  'application/json; charset="UTF-8"',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=""',
  'text/plain',
];

const anyQuery = fc.oneof(
  fc.constant(''),
  anyText(80).map((text) => `?${encodeURIComponent(text)}`),
  fc.stringMatching(/^[!-~]{0,80}$/).map((text) => `?${text.replaceAll('#', '')}`),
);

/** Header names, except those that control the connection. */
const headerNames = fc.oneof(
  fc.constantFrom('Accept', 'Accept-Encoding', 'Content-Encoding', 'Cookie', 'Expect', 'Forwarded'),
  fc.constantFrom('Idempotency-Key', 'If-None-Match', 'Last-Event-ID', 'Origin', 'Range'),
  fc.constantFrom('X-Forwarded-For', 'X-HTTP-Method-Override', 'X-Request-Id', 'traceparent'),
  fc.stringMatching(/^x-[a-z0-9-]{1,20}$/),
);

const anyHeaders = fc.dictionary(
  headerNames,
  fc.oneof(
    fc.stringMatching(/^[ -~\x80-\xff]{0,80}$/),
    fc.constantFrom('gzip', '100-continue', '*', 'application/xml', 'bytes=0-1', 'null', '0'),
  ),
  { maxKeys: 5 },
);
