import type { ApiKeyCaller } from '../../domain/caller.ts';
import { findScope } from '../../domain/permissions.ts';

import openApiJson from '../openapi.json' with { type: 'json' };

type ApiKeyScope = ApiKeyCaller['scopes'][number];

/** The parts of an OpenAPI operation that are needed to validate requests. */
export interface Operation {
  readonly id: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Headers and query parameters, each as an object schema. */
  readonly headers: ObjectSchema;
  readonly query: ObjectSchema;
  readonly body: OperationBody;
  /** Fields that may accompany the file in multipart form data. Null if the operation accepts no file. */
  readonly form: ObjectSchema | null;
  /** Whether the response contains a secret that cannot be read again. */
  readonly returnsSecret: boolean;
}

export type OperationBody =
  | { readonly type: 'none' }
  | { readonly type: 'json'; readonly schema: ObjectSchema; readonly isRequired: boolean };

/** The parts of a JSON schema that validation and its messages use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly nullable?: boolean;
  readonly 'x-pattern-message'?: string;
  readonly 'x-default'?: unknown;
}

export interface ObjectSchema extends JsonSchema {
  readonly additionalProperties?: unknown;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The published OpenAPI document. Requests are validated with its schemas. */
export const openApi: OpenApi = asOpenApi(openApiJson);

/**
 * Returns an operation of `openapi.json`. Throws if the operation or its scope is missing. To fix this, run `npm run
 * openapi`.
 */
export function getOperation(id: string): Operation {
  const found = Object.values(openApi.paths)
    .flatMap((path) => Object.values(path))
    .find((operation) => operation.operationId === id);
  if (found === undefined) throw new Error(`openapi.json does not describe ${id}`);
  const scopes = found['x-scopes'].map(parseScope);
  if (scopes.length === 0) throw new Error(`openapi.json names no scope for ${id}`);
  return {
    id,
    scopes,
    headers: parametersOf(found, 'header'),
    query: parametersOf(found, 'query'),
    body: bodyOf(found),
    form: formOf(found),
    returnsSecret: found['x-returns-secret'] ?? false,
  };
}

interface OpenApi {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, ObjectSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly 'x-returns-secret'?: boolean;
  readonly 'x-scopes': readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<
      Record<string, { readonly schema: Partial<ObjectSchema> & { readonly $ref?: string } }>
    >;
  };
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: JsonSchema;
}

/** The file is generated, so its shape is not checked here. A test checks that it is a valid OpenAPI document. */
function asOpenApi(json: unknown): OpenApi {
  return json as OpenApi;
}

/** @throws Error when `openapi.json` and the service have different scopes */
export function parseScope(name: string): ApiKeyScope {
  const scope = findScope(name);
  if (scope === null) throw new Error(`openapi.json names an unknown scope: ${name}`);
  return scope;
}

function parametersOf({ parameters = [] }: OpenApiOperation, location: string): ObjectSchema {
  const found = parameters.map(parameterOf).filter((parameter) => parameter.in === location);
  return {
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
  };
}

function parameterOf(parameter: Parameter | { readonly $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const found =
    openApi.components.parameters[parameter.$ref.replace('#/components/parameters/', '')];
  if (found === undefined) throw new Error(`openapi.json has no parameter ${parameter.$ref}`);
  return found;
}

function bodyOf({ requestBody }: OpenApiOperation): OperationBody {
  const json = requestBody?.content['application/json'];
  if (requestBody === undefined || (json === undefined && formType in requestBody.content)) {
    return { type: 'none' };
  }
  const schema = referredSchema(json?.schema.$ref ?? '');
  return {
    type: 'json',
    schema: { ...schema, properties: fieldsWithReferences(schema.properties) },
    isRequired: requestBody.required ?? false,
  };
}

/** Replaces references by the schemas that they refer to, at every level. Adds the defaults of the fields. */
function withReferences(schema: JsonSchema): JsonSchema {
  const found = schema.$ref === undefined ? schema : referredSchema(schema.$ref);
  const { items, properties, 'x-default': defaultValue } = found;
  return {
    ...found,
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(items !== undefined && { items: withReferences(items) }),
    ...(properties !== undefined && { properties: fieldsWithReferences(properties) }),
  };
}

function fieldsWithReferences(fields: ObjectSchema['properties']): ObjectSchema['properties'] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, withReferences(field)]),
  );
}

function referredSchema(reference: string): ObjectSchema {
  const found = openApi.components.schemas[reference.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`openapi.json has no schema ${reference}`);
  return found;
}

const formType = 'multipart/form-data';

function formOf({ requestBody }: OpenApiOperation): ObjectSchema | null {
  const properties = requestBody?.content[formType]?.schema.properties;
  if (properties === undefined) return null;
  const { file: _, ...fields } = properties;
  return { type: 'object', properties: fields };
}
