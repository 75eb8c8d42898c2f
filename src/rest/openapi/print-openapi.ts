import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, generateSpec } from 'tsoa';
import type { CompilerOptions } from 'typescript';
import { apiVersion } from '../../http/api-version.ts';
import { version } from '../../platform/version.ts';
import settings from '../tsoa.json' with { type: 'json' };
import { addBodyExample } from './openapi-body-example.ts';
import { addCodeSamples } from './openapi-code-samples.ts';
import {
  errorResponseComponents,
  errorResponseNamesByStatus,
  sharedHeaderRefs,
  sharedHeaders,
} from './openapi-error-responses.ts';
import { completeFromGraphql } from './openapi-from-graphql.ts';
import {
  idempotencyKeyHeaderName,
  idempotencyKeyParameter,
  idempotentReplayedHeader,
  idempotentReplayedHeaderName,
} from './openapi-idempotency.ts';
import { completeParameters, type Parameter } from './openapi-parameters.ts';
import { makePortable, nameScopes } from './openapi-portability.ts';
import { webhookOperations, webhookSchemas } from './openapi-webhooks.ts';

/** Path of the committed OpenAPI document. */
const openApiPath = fileURLToPath(new URL('../openapi.json', import.meta.url));

/**
 * Returns the OpenAPI document: what tsoa generates from the controllers, completed with descriptions from GraphQL and
 * with what tsoa cannot express, such as errors, streams, webhooks and the refusal of unknown body fields.
 */
async function printOpenApi(): Promise<string> {
  const { info, servers, tags, paths, components } = await generateTsoaSpec();
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  makeProjectOptional(operations, components.schemas);
  for (const operation of operations) {
    addFormBody(operation, operations);
    describeRepeatedFields(operation);
    describeFile(operation);
    completeParameters(operation.parameters ?? []);
    mergeStreamResponse(operation);
    addSharedHeaders(operation);
    addErrorResponses(operation);
    addIdempotencyHeaders(operation);
    forbidUnknownFields(operation, components.schemas);
    nameScopes(operation);
    addBodyExample(operation, components.schemas);
  }
  addCodeSamples(paths);
  completeFromGraphql(components.schemas);
  makePortable(components.schemas);
  const { contact: _none, license, ...description } = info;
  const responses = errorResponseComponents();
  const schemas = referencedSchemas(components.schemas, { paths, responses });
  const document = {
    openapi: '3.0.3',
    info: {
      ...description,
      version,
      'x-api-version': apiVersion,
      license: { ...license, url: licenseUrl },
    },
    servers,
    tags,
    paths: sortedByName(paths),
    'x-webhooks': webhookOperations(),
    components: {
      securitySchemes: components.securitySchemes,
      headers: { ...sharedHeaders, [idempotentReplayedHeaderName]: idempotentReplayedHeader },
      parameters: { [idempotencyKeyHeaderName]: idempotencyKeyParameter },
      responses,
      schemas: sortedByName({ ...schemas, ...webhookSchemas() }),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

interface TsoaSpec {
  readonly info: Readonly<Record<string, unknown>> & { readonly license: object };
  readonly servers: unknown;
  readonly tags: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: unknown; readonly schemas: Schemas };
}

interface Operation {
  readonly responses: Record<string, OperationResponse>;
  readonly operationId: string;
  description?: string;
  readonly requestBody?: { content: Content };
  'x-form-of'?: string;
  parameters?: readonly Parameter[];
  'x-idempotent'?: boolean;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  'x-scopes'?: readonly string[];
}

interface OperationResponse {
  readonly $ref?: string;
  content?: Content;
  headers?: object;
}

type Content = Readonly<Record<string, { schema: BodySchema }>>;
type BodySchema = Schema & { readonly $ref?: string };
type Schemas = Readonly<Record<string, Schema>>;

interface Schema {
  readonly type?: string;
  readonly format?: string;
  additionalProperties?: boolean;
  properties?: Readonly<Record<string, Property>>;
  required?: readonly string[];
}

interface Property {
  readonly $ref?: string;
  readonly description?: string;
  type?: string;
  items?: object;
  readonly maxItems?: number;
}

async function generateTsoaSpec(): Promise<TsoaSpec> {
  const directory = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const { spec, compilerOptions, entryFile, controllerPathGlobs } = tsoaSettings();
    const paths = { entryFile, controllerPathGlobs, outputDirectory: directory };
    await generateSpec(
      { ...spec, ...paths, noImplicitAdditionalProperties: 'ignore' },
      compilerOptions,
    );
    return JSON.parse(await readFile(join(directory, 'openapi.json'), 'utf8'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Needs a cast, because TypeScript does not read literal types from JSON. */
function tsoaSettings(): Config & { readonly compilerOptions: CompilerOptions } {
  return settings as unknown as Config & { readonly compilerOptions: CompilerOptions };
}

/** Makes the project id optional for clients: those with a project-scoped key do not send it. Controllers always get it. */
function makeProjectOptional(operations: readonly Operation[], schemas: Schemas): void {
  for (const { parameters = [], requestBody } of operations) {
    for (const parameter of parameters) {
      if (parameter.in === 'query' && parameter.name === 'projectId') parameter.required = false;
    }
    const body = requestBody?.content['application/json']?.schema;
    const schema = schemas[body?.$ref?.split('/').at(-1) ?? ''];
    if (schema?.required === undefined) continue;
    schema.required = schema.required.filter((name) => name !== 'projectId');
    if (schema.required.length === 0) delete schema.required;
  }
}

/**
 * Adds the form data and the query parameters of another operation, because tsoa describes only one body. In form
 * requests, `projectId` is a query parameter.
 */
function addFormBody(operation: Operation, operations: readonly Operation[]): void {
  const source = operations.find(({ operationId }) => operationId === operation['x-form-of']);
  const { requestBody } = operation;
  delete operation['x-form-of'];
  const form = source?.requestBody?.content[formType];
  if (form === undefined || requestBody === undefined) return;
  requestBody.content = { ...requestBody.content, [formType]: form };
  const query = (source?.parameters ?? []).filter((parameter) => parameter.in === 'query');
  operation.parameters = [...(operation.parameters ?? []), ...query];
}

const licenseUrl = 'https://www.apache.org/licenses/LICENSE-2.0';
const formType = 'multipart/form-data';

/** Describes a file of any type as binary. tsoa describes it as base64. */
function describeFile({ responses }: Operation): void {
  const file = responses['200']?.content?.['*/*'];
  if (file !== undefined) file.schema = { type: 'string', format: 'binary' };
}

/** Describes a list in form data as repeated fields. tsoa describes it as one text. */
function describeRepeatedFields({ requestBody }: Operation): void {
  const { properties = {} } = requestBody?.content[formType]?.schema ?? {};
  for (const property of Object.values(properties)) {
    if (property.maxItems === undefined || property.type === 'array') continue;
    property.type = 'array';
    property.items = { type: 'string' };
  }
}

/**
 * Merges the stream response into the 200 response. tsoa allows one response per status, so controllers declare streams
 * as 2XX.
 */
function mergeStreamResponse({ responses }: Operation): void {
  const { '2XX': stream, '200': okResponse } = responses;
  if (stream === undefined || okResponse === undefined) return;
  okResponse.content = { ...okResponse.content, ...stream.content };
  delete responses['2XX'];
}

function addSharedHeaders({ responses }: Operation): void {
  for (const response of Object.values(responses)) {
    response.headers = { ...response.headers, ...sharedHeaderRefs() };
  }
}

function addErrorResponses(operation: Operation): void {
  const { responses, requestBody } = operation;
  for (const [status, name] of errorResponseNamesByStatus()) {
    if (status === '413' && requestBody === undefined) continue;
    if ((status === '409' || status === '422') && !operation['x-idempotent']) continue;
    responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
}

function addIdempotencyHeaders(operation: Operation): void {
  const { parameters = [], responses } = operation;
  if (!operation['x-idempotent']) return;
  delete operation['x-idempotent'];
  operation.parameters = [
    ...parameters,
    { $ref: `#/components/parameters/${idempotencyKeyHeaderName}` },
  ];
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    response.headers = {
      ...response.headers,
      [idempotentReplayedHeaderName]: {
        $ref: `#/components/headers/${idempotentReplayedHeaderName}`,
      },
    };
  }
}

function forbidUnknownFields({ requestBody }: Operation, schemas: Schemas): void {
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    const body = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
    body.additionalProperties = false;
    forbidUnknownNested(body, schemas);
  }
}

function forbidUnknownNested({ properties = {} }: Schema, schemas: Schemas): void {
  for (const { $ref = '' } of Object.values(properties)) {
    const nested = schemas[$ref.split('/').at(-1) ?? ''];
    if (nested?.properties === undefined || nested.additionalProperties === false) continue;
    nested.additionalProperties = false;
    forbidUnknownNested(nested, schemas);
  }
}

/** Returns the schemas in use. tsoa also lists interfaces that only group query parameters. */
function referencedSchemas(schemas: Schemas, root: object): Schemas {
  const used = new Set<string>();
  const collect = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      collect(schemas[name]);
    }
  };
  collect(root);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

/** Sorts by name. tsoa's own order depends on the order of files on disk. */
function sortedByName<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `npm run openapi` writes the file. `npm run check:openapi` fails if the file is stale. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const printed = await printOpenApi();
  if (!process.argv.includes('--check')) {
    await writeFile(openApiPath, printed);
  } else if (printed !== (await readFile(openApiPath, 'utf8'))) {
    process.stderr.write('src/rest/openapi.json is stale: run npm run openapi\n');
    process.exitCode = 1;
  }
}
