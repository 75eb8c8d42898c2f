import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import openApiJson from '../openapi.json' with { type: 'json' };

/** Path of the committed Postman collection. */
export const postmanPath = fileURLToPath(
  new URL('../../../docs/reference/postman-collection.json', import.meta.url),
);

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
  readonly name?: string;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const openApi: Document = openApiJson as unknown as Document;

/**
 * Returns a Postman collection (2.1) of all operations. Each tag is a folder. The bodies contain the required fields.
 */
export function printPostman(): string {
  const { title, description } = openApi.info;
  const requests = Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
  const collection = {
    info: {
      name: title,
      description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000/api/v1' },
      { key: 'key', value: '' },
    ],
    item: openApi.tags.map((tag) => ({
      ...tag,
      item: requests
        .filter(({ operation }) => operation.tags[0] === tag.name)
        .map(({ path, method, operation }) => toItem(path, method.toUpperCase(), operation)),
    })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function toItem(path: string, method: string, operation: Operation): object {
  const { summary: name, description, parameters = [], requestBody } = operation;
  const segments = path
    .slice(1)
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/');
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const url = {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    variable: inPlace('path').map(({ name: key, description }) => ({
      key,
      value: '',
      description,
    })),
    query: inPlace('query').map(({ name: key, schema, description }) => {
      return { key, value: String(schema?.example ?? ''), description, disabled: true };
    }),
  };
  const body = requestBody === undefined ? {} : { body: toBody(requestBody.content) };
  return { name, request: { method, description, url, ...body } };
}

function toBody(content: Readonly<Record<string, { readonly schema: Schema }>>): object {
  const json = content['application/json'];
  if (json === undefined) return { mode: 'formdata', formdata: [{ key: 'file', type: 'file' }] };
  const { properties = {}, required = [] } = resolve(json.schema);
  const fields = required.map((name) => [name, exampleOf(properties[name] ?? {})]);
  const raw = JSON.stringify(Object.fromEntries(fields), null, 2);
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

function exampleOf(schema: Schema): unknown {
  const { example, properties, required = [] } = resolve(schema);
  if (example !== undefined || properties === undefined) return example ?? null;
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1) ?? '';
  return openApi.components.schemas[name] ?? schema;
}

/** `npm run postman` writes the file. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(dirname(postmanPath), { recursive: true });
  await writeFile(postmanPath, printPostman());
}
