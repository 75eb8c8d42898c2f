import { type ApiKeyCaller, scopeName } from '../domain/caller.ts';

import openApiJson from './openapi.json' with { type: 'json' };

type ApiKeyScope = ApiKeyCaller['scopes'][number];

/** What the OpenAPI document says of one operation, as far as requests are checked against it. */
export interface Operation {
  readonly id: string;
  readonly scopes: readonly ApiKeyScope[];
  /** The query parameters, as the properties of one object. */
  readonly query: ObjectSchema;
  readonly body: OperationBody;
}

export type OperationBody =
  | { readonly type: 'none' }
  | { readonly type: 'json'; readonly schema: ObjectSchema; readonly isRequired: boolean }
  | { readonly type: 'multipart' };

/** The part of a schema that our checks and messages look at. */
export interface JsonSchema {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
  readonly 'x-pattern-message'?: string;
}

export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The published description of the interface; its schemas are what requests are validated with. */
export const openApi: OpenApi = asOpenApi(openApiJson);

/** Throws when the document does not know the operation or names no scope for it: `npm run openapi` was not run. */
export function getOperation(id: string): Operation {
  const found = Object.values(openApi.paths)
    .flatMap((path) => Object.values(path))
    .find((operation) => operation.operationId === id);
  if (found === undefined) throw new Error(`openapi.json does not describe ${id}`);
  const scopes = found.security.flatMap((requirement) => requirement.apiKey ?? []).map(scopeOf);
  if (scopes.length === 0) throw new Error(`openapi.json names no scope for ${id}`);
  const query = (found.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return {
    id,
    scopes,
    query: {
      type: 'object',
      properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    },
    body: bodyOf(found),
  };
}

interface OpenApi {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly security: readonly { readonly apiKey?: readonly string[] }[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
  };
}

/** Our own generated file; a test checks that it is a sound OpenAPI document. */
function asOpenApi(json: unknown): OpenApi {
  return json as OpenApi;
}

const scopeNames: readonly ApiKeyScope[] = [
  'CHAT',
  'KNOWLEDGE_READ',
  'KNOWLEDGE_WRITE',
  'CONVERSATIONS_READ',
  'ANALYTICS_READ',
];

function scopeOf(name: string): ApiKeyScope {
  const scope = scopeNames.find((candidate) => scopeName(candidate) === name);
  if (scope === undefined) throw new Error(`openapi.json names an unknown scope: ${name}`);
  return scope;
}

function bodyOf({ requestBody, operationId }: OpenApiOperation): OperationBody {
  if (requestBody === undefined) return { type: 'none' };
  if ('multipart/form-data' in requestBody.content) return { type: 'multipart' };
  const reference = requestBody.content['application/json']?.schema.$ref ?? '';
  const schema = openApi.components.schemas[reference.replace('#/components/schemas/', '')];
  if (schema === undefined) throw new Error(`openapi.json has no body schema for ${operationId}`);
  return { type: 'json', schema, isRequired: requestBody.required ?? false };
}
