import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiPath, printOpenApi } from '../../src/rest/print-openapi.ts';
import { type RestServer, startRestServer } from '../support/rest-server.ts';

let server: RestServer;

beforeAll(async () => {
  server = await startRestServer({});
});

afterAll(() => server[Symbol.asyncDispose]());

test('the committed description is what the controllers say', async () => {
  expect(await printOpenApi()).toBe(await readFile(openApiPath, 'utf8'));
});

test('the description is sound OpenAPI 3.0.3', async () => {
  const text = await readFile(openApiPath, 'utf8');
  expect(JSON.parse(text).openapi).toBe('3.0.3');
  expect(await new Validator().validate(text)).toEqual({ valid: true });
});

test('the description shows no place on a machine', async () => {
  expect(await readFile(openApiPath, 'utf8')).not.toMatch(
    /node_modules|file:\/\/|\/home\/|\/Users\//,
  );
});

test('every operation needs a scope, describes itself and can give every shared error', async () => {
  for (const [name, operation] of operationsOf(await description())) {
    expect(operation.security?.[0]?.apiKey, name).toEqual([expect.any(String)]);
    expect(operation.summary, name).toBeTruthy();
    expect(operation.description, name).toBeTruthy();
    expect(Object.keys(operation.responses), name).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '429', '5XX']),
    );
  }
});

test('every JSON body refuses unknown fields', async () => {
  const document = await description();
  for (const [name, { requestBody }] of operationsOf(document)) {
    const reference = requestBody?.content['application/json']?.schema.$ref;
    if (reference === undefined) continue;
    const schema = document.components.schemas[reference.replace('#/components/schemas/', '')];
    expect(schema?.additionalProperties, name).toBe(false);
  }
});

test('the streamed answer is described beside the JSON one', async () => {
  const document = await description();
  expect(Object.keys(document.paths['/chat']?.post?.responses['200']?.content ?? {})).toEqual([
    'application/json',
    'text/event-stream',
  ]);
});

test('the page needs no key and loads nothing from elsewhere', async () => {
  const response = await fetch(`${server.baseUrl}/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(response.headers.get('Content-Security-Policy')).toContain("script-src 'self'");
  const html = await response.text();
  const links = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) {
    expect(link).toMatch(/^\/api\/v1\//);
    expect((await fetch(new URL(link, server.baseUrl))).status, link).toBe(200);
  }
});

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly additionalProperties?: boolean }>>;
  };
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly { readonly apiKey?: readonly string[] }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

async function description(): Promise<Description> {
  return (await fetch(`${server.baseUrl}/openapi.json`)).json();
}

function operationsOf({ paths }: Description): [string, Operation][] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
}
