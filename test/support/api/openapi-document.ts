import { fileURLToPath } from 'node:url';
import openApiJson from '../../../src/rest/openapi.json' with { type: 'json' };

/** Path of the committed OpenAPI document. `npm run check:openapi` checks that it matches the controllers. */
export const openApiPath = fileURLToPath(
  new URL('../../../src/rest/openapi.json', import.meta.url),
);

/** Schema keywords that the tests use. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** What the pattern allows, in the words of the error message. */
  readonly 'x-pattern-message'?: string;
  readonly items?: OpenApiSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly anyOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: OpenApiSchema;
}

export interface OpenApiHeader {
  readonly description?: string;
  /** If true, every response has the header. */
  readonly required?: boolean;
  readonly schema: OpenApiSchema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, OpenApiHeader>>;
  /** Schemas of the content, by media type. */
  readonly content: Readonly<Record<string, OpenApiSchema>>;
}

/** One operation of the REST API. References are resolved, except those inside schemas. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  /** Path template, such as `/knowledge/documents/{documentId}`. */
  readonly path: string;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly scopes: readonly string[];
  readonly parameters: readonly OpenApiParameter[];
  readonly body: OpenApiBody | null;
  /** Responses of the operation, by status. */
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

export interface OpenApiBody {
  readonly mediaType: string;
  readonly isRequired: boolean;
  readonly schema: OpenApiSchema;
}

/** All operations of the committed OpenAPI document. All tests automatically include new operations. */
export const operations: readonly ApiOperation[] = readOperations();

export const schemas = asDocument(openApiJson).components.schemas;

/** Returns the operation with this method and with this path below `/api/v1`. Returns null if there is none. */
export function findOperation(method: string, path: string): ApiOperation | null {
  const matching = operations.filter(
    (operation) => operation.method === method && pathPatterns.get(operation.path)?.test(path),
  );
  return matching.find((operation) => operation.path === path) ?? matching[0] ?? null;
}

/** Returns the title of an operation in tests, such as `POST /chat`. */
export function operationTitle({ method, path }: ApiOperation): string {
  return `${method} ${path}`;
}

/** If the schema itself is a `$ref`, returns the schema to which it refers. */
export function resolveSchema(schema: OpenApiSchema): OpenApiSchema {
  return schema.$ref === undefined ? schema : resolveSchema(resolveReference(schema.$ref));
}

function readOperations(): ApiOperation[] {
  return Object.entries(asDocument(openApiJson).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      summary: raw.summary,
      description: raw.description,
      scopes: raw['x-scopes'] ?? [],
      parameters: (raw.parameters ?? []).map((parameter) => resolvePart(parameter)),
      body: bodyOf(raw),
      responses: Object.fromEntries(
        Object.entries(raw.responses).map(([status, response]) => [status, responseOf(response)]),
      ),
    })),
  );
}

function bodyOf({ requestBody }: RawOperation): OpenApiBody | null {
  const [first] = Object.entries(requestBody?.content ?? {});
  if (first === undefined) return null;
  const [mediaType, { schema }] = first;
  return { mediaType, isRequired: requestBody?.required ?? false, schema: resolveSchema(schema) };
}

function responseOf(raw: RawResponse): OpenApiResponse {
  const { description = '', headers = {}, content = {} } = resolvePart(raw);
  return {
    description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, header]) => [name, resolvePart(header)]),
    ),
    content: Object.fromEntries(
      Object.entries(content).map(([mediaType, { schema }]) => [mediaType, schema]),
    ),
  };
}

/** The patterns are compiled once, because every response of every test is compared with them. */
const pathPatterns = new Map(operations.map(({ path }) => [path, pathPattern(path)]));

function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}

function resolvePart<Part extends { readonly $ref?: string }>(part: Part): Part {
  return part.$ref === undefined ? part : resolvePart(resolveReference(part.$ref));
}

/** Returns the part of the document to which a reference points. The caller decides the type of the part. */
function resolveReference<Part>(reference: string): Part {
  const steps = reference.replace('#/', '').split('/');
  const part = steps.reduce<unknown>(
    (place, step) =>
      typeof place === 'object' && place !== null ? Reflect.get(place, step) : null,
    openApiJson,
  );
  if (part == null) throw new Error(`openapi.json refers to what it does not hold: ${reference}`);
  return part as Part;
}

/** Gives the generated document a type without checking it. `test/rest/openapi.test.ts` validates the document. */
function asDocument(json: unknown): RawDocument {
  return json as RawDocument;
}

interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

interface RawOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly 'x-scopes'?: readonly string[];
  readonly parameters?: readonly (OpenApiParameter & { readonly $ref?: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: RawContent };
  readonly responses: Readonly<Record<string, RawResponse>>;
}

interface RawResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader & { readonly $ref?: string }>>;
  readonly content?: RawContent;
}

type RawContent = Readonly<Record<string, { readonly schema: OpenApiSchema }>>;
