import { type ApiOperation, type OpenApiParameter, resolveSchema } from './openapi-document.ts';
import { validateResponse } from './openapi-response.ts';

/** A request of one operation, before it is encoded. */
export interface ApiRequest {
  readonly operation: ApiOperation;
  /** Values of the path parameters, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** JSON fields, or the parts of a form. Null if the operation has no body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Kinds of resources to which a field can refer. */
export const resourceKinds = [
  'document',
  'conversation',
  'message',
  'handoff',
  'webhook',
  'delivery',
  'key',
  'source',
  'questionSet',
  'setQuestion',
  'evaluationRun',
] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** A request field that contains a resource id. */
export interface ResourceIdField {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly kind: ResourceKind;
  readonly isRequired: boolean;
}

/** Returns a valid request that consists of the examples in the document. It contains only required fields. */
export function sampleRequest(operation: ApiOperation): ApiRequest {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const inPlace = (place: string) => required.filter((parameter) => parameter.in === place);
  return {
    operation,
    path: Object.fromEntries(inPlace('path').map((given) => [given.name, exampleOf(given)])),
    // If the operation has a JSON body, the body contains `projectId`. Some of these operations also allow it in the
    // query, for form data.
    query: inPlace('query')
      .filter(({ name }) => name !== 'projectId' || projectIdLocation(operation) === 'query')
      .map((given) => [given.name, exampleOf(given)]),
    headers: {},
    body: operation.body === null ? null : sampleBody(operation.body),
  };
}

/** Returns the fields of an operation that contain ids of resources. Throws if the kind of an id field is unknown. */
export function resourceFields({ parameters, body }: ApiOperation): ResourceIdField[] {
  const required = new Set(body?.schema.required);
  const fields = [
    ...parameters.map(({ name, in: place, required: isRequired = false }) => ({
      name,
      in: place,
      isRequired,
    })),
    ...Object.keys(fieldsOf(body)).map((name) => ({
      name,
      in: 'body' as const,
      isRequired: required.has(name),
    })),
  ];
  return fields.flatMap(({ name, in: place, isRequired }) => {
    if (place === 'header' || !name.endsWith('Id') || notResources.has(name)) return [];
    // A question may expect a document that was deleted.
    if (place === 'body' && name === 'documentId' && 'mustRefuse' in fieldsOf(body)) return [];
    // A question of a run is not that of a set.
    if (name === 'questionId' && parameters.some((other) => other.name === 'runId')) return [];
    // This field filters a list. If the source is unknown, the list is empty and there is no error.
    if (place === 'query' && name === 'sourceId') return [];
    const kind = kindByField[name];
    if (kind === undefined) throw new Error(`Tell the tests what ${name} names`);
    return [{ name, in: place, kind, isRequired }];
  });
}

function fieldsOf(body: ApiOperation['body']): Readonly<Record<string, unknown>> {
  return body?.schema.properties ?? {};
}

/** Returns the request with a different value in one field. Undefined removes the field. */
export function withField(
  request: ApiRequest,
  { name, in: place }: Pick<ResourceIdField, 'name' | 'in'>,
  value: string | undefined,
): ApiRequest {
  switch (place) {
    case 'path':
      return { ...request, path: { ...request.path, [name]: value ?? '' } };
    case 'query': {
      const others = request.query.filter(([other]) => other !== name);
      return { ...request, query: value === undefined ? others : [...others, [name, value]] };
    }
    case 'body': {
      const { [name]: _old, ...others } = request.body ?? {};
      return { ...request, body: value === undefined ? others : { ...others, [name]: value } };
    }
  }
}

/** Returns where requests of the operation contain `projectId`. */
export function projectIdLocation({ body }: ApiOperation): 'body' | 'query' {
  return body?.mediaType === 'application/json' ? 'body' : 'query';
}

/** Sends the request. Rejects if the OpenAPI document does not describe the response. */
export async function sendRequest(
  baseUrl: string,
  authorization: string | null,
  request: ApiRequest,
): Promise<Response> {
  const { operation, headers } = request;
  const sent = new Headers(headers);
  if (authorization !== null) sent.set('Authorization', authorization);
  if (operation.body?.mediaType === 'application/json')
    sent.set('Content-Type', 'application/json');
  const response = await fetch(baseUrl + targetOf(request), {
    method: operation.method,
    headers: sent,
    body: bodyOf(request),
  });
  return validateResponse(operation.method, response);
}

/** Returns the path below `/api/v1`, followed by the query. */
function targetOf({ operation, path, query }: ApiRequest): string {
  const pathname = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const parameters = new URLSearchParams(query.map(([name, value]) => [name, value]));
  return query.length === 0 ? pathname : `${pathname}?${parameters}`;
}

const notResources = new Set(['projectId', 'endUserId', 'externalId', 'noteId']);
const kindByField: Readonly<Record<string, ResourceKind>> = {
  documentId: 'document',
  conversationId: 'conversation',
  messageId: 'message',
  handoffId: 'handoff',
  webhookId: 'webhook',
  sourceId: 'source',
  deliveryId: 'delivery',
  keyId: 'key',
  setId: 'questionSet',
  questionId: 'setQuestion',
  runId: 'evaluationRun',
  otherRunId: 'evaluationRun',
};

function exampleOf({ name, example, schema }: OpenApiParameter): string {
  const value = example ?? resolveSchema(schema).example ?? resolveSchema(schema).default;
  if (value === undefined) throw new Error(`openapi.json has no example for ${name}`);
  return String(value);
}

function sampleBody({ schema }: NonNullable<ApiOperation['body']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      if (!schema.required?.includes(name)) return [];
      const { format, example } = resolveSchema(property);
      return [[name, format === 'binary' ? sampleFile() : example]];
    }),
  );
}

function sampleFile(): File {
  return new File(['The lighthouse opens at nine.'], 'Opening hours.txt');
}

function bodyOf({ operation, body }: ApiRequest): BodyInit | null {
  if (body === null) return null;
  if (operation.body?.mediaType === 'application/json') return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    form.append(name, value instanceof File ? value : String(value));
  }
  return form;
}
