import openApiJson from '../../src/rest/openapi.json' with { type: 'json' };

/** The part of a schema that the tests look at. */
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
  readonly items?: OpenApiSchema;
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
  /** False where it is not always sent. */
  readonly required?: boolean;
  readonly schema: OpenApiSchema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, OpenApiHeader>>;
  /** By media type. */
  readonly content: Readonly<Record<string, OpenApiSchema>>;
}

/** One operation of the interface, with every reference on the way to its schemas followed. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  /** The template, such as `/knowledge/documents/{documentId}`. */
  readonly path: string;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly scopes: readonly string[];
  readonly parameters: readonly OpenApiParameter[];
  readonly body: OpenApiBody | null;
  /** By status, `5XX` included. */
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

export interface OpenApiBody {
  readonly mediaType: string;
  readonly isRequired: boolean;
  readonly schema: OpenApiSchema;
}

/** Every operation of the committed OpenAPI document, so that a new one joins all tests by itself. */
export const operations: readonly ApiOperation[] = readOperations();

export const schemas = asDocument(openApiJson).components.schemas;

/** What a request of this method and path below `/api/v1` is about; null where there is no such route. */
export function findOperation(method: string, path: string): ApiOperation | null {
  const matching = operations.filter(
    (operation) => operation.method === method && pathPattern(operation.path).test(path),
  );
  return matching.find((operation) => operation.path === path) ?? matching[0] ?? null;
}

/** How an operation is called in test titles, such as `POST /chat`. */
export function nameOf({ method, path }: ApiOperation): string {
  return `${method} ${path}`;
}

/** A schema without `$ref` at its root. */
export function resolveSchema(schema: OpenApiSchema): OpenApiSchema {
  return schema.$ref === undefined ? schema : resolveSchema(followed(schema.$ref));
}

function readOperations(): ApiOperation[] {
  return Object.entries(asDocument(openApiJson).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      summary: raw.summary,
      description: raw.description,
      scopes: (raw.security ?? []).flatMap(({ apiKey }) => apiKey ?? []),
      parameters: (raw.parameters ?? []).map((parameter) => followedPart(parameter)),
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
  const { description = '', headers = {}, content = {} } = followedPart(raw);
  return {
    description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, header]) => [name, followedPart(header)]),
    ),
    content: Object.fromEntries(
      Object.entries(content).map(([mediaType, { schema }]) => [mediaType, schema]),
    ),
  };
}

function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}

function followedPart<Part extends { readonly $ref?: string }>(part: Part): Part {
  return part.$ref === undefined ? part : followedPart(followed(part.$ref));
}

/** The part of the document a reference points at; which kind it is follows from where it stood. */
function followed<Part>(reference: string): Part {
  const steps = reference.replace('#/', '').split('/');
  const part = steps.reduce<unknown>(
    (place, step) =>
      typeof place === 'object' && place !== null ? Reflect.get(place, step) : null,
    openApiJson,
  );
  if (part == null) throw new Error(`openapi.json refers to what it does not hold: ${reference}`);
  return part as Part;
}

/** Our own generated file; `test/rest/openapi.test.ts` checks that it is a sound OpenAPI document. */
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
  readonly security?: readonly { readonly apiKey?: readonly string[] }[];
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
