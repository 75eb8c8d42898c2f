import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, generateSpec } from 'tsoa';
import type { CompilerOptions } from 'typescript';
import {
  sharedHeaderRefs,
  sharedHeaders,
  sharedResponseNames,
  sharedResponses,
} from './error-responses.ts';
import {
  idempotencyKey,
  idempotencyKeyParameter,
  idempotentReplayed,
  idempotentReplayedHeader,
} from './idempotent-openapi.ts';
import settings from './tsoa.json' with { type: 'json' };

/** Where the published description is committed. */
export const openApiPath = fileURLToPath(new URL('./openapi.json', import.meta.url));

/**
 * The OpenAPI document as the controllers state it. What tsoa cannot say is added here: version 3.0.3,
 * the errors that every operation can give, streams, and that unknown body fields are refused.
 */
export async function printOpenApi(): Promise<string> {
  const { info, servers, tags, paths, components } = await generate();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    describeFormats(operation);
    describeStream(operation);
    describeHeaders(operation);
    describeErrors(operation);
    describeIdempotency(operation);
    closeBody(operation, components.schemas);
  }
  leaveAnswersOpen(components.schemas);
  const { contact: _none, ...description } = info;
  const responses = sharedResponses();
  const schemas = usedSchemas(components.schemas, { paths, responses });
  const document = {
    openapi: '3.0.3',
    info: description,
    servers,
    tags,
    paths: sortedByName(paths),
    components: {
      securitySchemes: components.securitySchemes,
      headers: { ...sharedHeaders, [idempotentReplayed]: idempotentReplayedHeader },
      parameters: { [idempotencyKey]: idempotencyKeyParameter },
      responses,
      schemas: sortedByName(schemas),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

interface Generated {
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: unknown;
  readonly tags: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: unknown; readonly schemas: Schemas };
}

interface Operation {
  readonly responses: Record<string, OperationResponse>;
  readonly requestBody?: { readonly content: Content };
  parameters?: readonly Parameter[];
  'x-idempotent'?: boolean;
}

interface Parameter {
  readonly in?: string;
  readonly name?: string;
  readonly schema?: { format?: string; 'x-pattern-message'?: string };
  readonly $ref?: string;
}

interface OperationResponse {
  readonly $ref?: string;
  content?: Content;
  headers?: object;
}

type Content = Readonly<Record<string, { readonly schema: BodySchema }>>;
type BodySchema = { readonly $ref?: string; additionalProperties?: boolean };
type Schemas = Readonly<Record<string, { additionalProperties?: boolean }>>;

async function generate(): Promise<Generated> {
  const directory = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const { spec, compilerOptions, entryFile, controllerPathGlobs } = tsoaSettings();
    const where = { entryFile, controllerPathGlobs, outputDirectory: directory };
    await generateSpec(
      { ...spec, ...where, noImplicitAdditionalProperties: 'ignore' },
      compilerOptions,
    );
    return JSON.parse(await readFile(join(directory, 'openapi.json'), 'utf8'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** JSON has no literal types, so the compiler cannot see that these are tsoa's settings. */
function tsoaSettings(): Config & { readonly compilerOptions: CompilerOptions } {
  return settings as unknown as Config & { readonly compilerOptions: CompilerOptions };
}

/** tsoa leaves out the formats and extensions of parameters. Every one in a path is an id. */
function describeFormats({ parameters = [] }: Operation): void {
  for (const { in: place, name = '', schema } of parameters) {
    const format = place === 'path' ? 'uuid' : parameterFormats[name];
    const message = patternMessages[name];
    if (schema !== undefined && format !== undefined) schema.format = format;
    if (schema !== undefined && message !== undefined) schema['x-pattern-message'] = message;
  }
}

const patternMessages: Readonly<Record<string, string>> = {
  endUserId: 'must be printable characters',
};

const parameterFormats: Readonly<Record<string, string>> = {
  projectId: 'uuid',
  from: 'date-time',
  to: 'date-time',
};

/** tsoa keeps one answer per status: a controller declares its stream as 2XX, and it joins the 200 here. */
function describeStream({ responses }: Operation): void {
  const { '2XX': stream, '200': whole } = responses;
  if (stream === undefined || whole === undefined) return;
  whole.content = { ...whole.content, ...stream.content };
  delete responses['2XX'];
}

function describeHeaders({ responses }: Operation): void {
  for (const response of Object.values(responses)) {
    response.headers = { ...response.headers, ...sharedHeaderRefs() };
  }
}

function describeErrors(operation: Operation): void {
  const { responses, requestBody } = operation;
  for (const [status, name] of sharedResponseNames()) {
    if (status === '413' && requestBody === undefined) continue;
    if ((status === '409' || status === '422') && !operation['x-idempotent']) continue;
    responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
}

function describeIdempotency(operation: Operation): void {
  const { parameters = [], responses } = operation;
  if (!operation['x-idempotent']) return;
  delete operation['x-idempotent'];
  operation.parameters = [...parameters, { $ref: `#/components/parameters/${idempotencyKey}` }];
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    response.headers = {
      ...response.headers,
      [idempotentReplayed]: { $ref: `#/components/headers/${idempotentReplayed}` },
    };
  }
}

function closeBody({ requestBody }: Operation, schemas: Schemas): void {
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    const body = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
    body.additionalProperties = false;
  }
}

/** Saying nothing means the same as `true`, which would make generated clients take any field for a known one. */
function leaveAnswersOpen(schemas: Schemas): void {
  for (const schema of Object.values(schemas)) {
    if (schema.additionalProperties === true) delete schema.additionalProperties;
  }
}

/** tsoa also lists the interfaces that only group query parameters. */
function usedSchemas(schemas: Schemas, root: object): Schemas {
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

/** tsoa's order is that of the files on disk. */
function sortedByName<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `npm run openapi` writes the file, `npm run check:openapi` fails where it is not what would be written. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const printed = await printOpenApi();
  if (!process.argv.includes('--check')) {
    await writeFile(openApiPath, printed);
  } else if (printed !== (await readFile(openApiPath, 'utf8'))) {
    process.stderr.write('src/rest/openapi.json is stale: run npm run openapi\n');
    process.exitCode = 1;
  }
}
