import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiPath, operations } from '../support/api/openapi-document.ts';
import { type RestServer, startRestServer } from '../support/api/rest-server.ts';

let server: RestServer;

beforeAll(async () => {
  server = await startRestServer({});
});

afterAll(() => server[Symbol.asyncDispose]());

test('the document is valid OpenAPI 3.0.3', async () => {
  const text = await readFile(openApiPath, 'utf8');
  expect(JSON.parse(text).openapi).toBe('3.0.3');
  expect(await new Validator().validate(text)).toEqual({ valid: true });
});

test('every nullable schema has a type, and no reference has siblings', async () => {
  const offenders = await schemaPlaces(
    ({ nullable, type, $ref, ...others }) =>
      (nullable !== undefined && type === undefined) ||
      ($ref !== undefined && Object.keys(others).length > 0),
  );
  expect(offenders).toEqual([]);
});

test('no named schema has a default, which would make a field required in generated clients', async () => {
  expect(await schemaPlaces((schema) => 'default' in schema)).toEqual([]);
});

test('responses have exact statuses', () => {
  const statuses = operations.flatMap(({ responses }) => Object.keys(responses));
  expect(statuses.filter((status) => !/^\d{3}$/.test(status))).toEqual([]);
});

test('the document contains no file paths', async () => {
  expect(await readFile(openApiPath, 'utf8')).not.toMatch(
    /node_modules|file:\/\/|\/home\/|\/Users\//,
  );
});

test('the document is served as committed', async () => {
  const response = await fetch(`${server.baseUrl}/openapi.json`);
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual(JSON.parse(await readFile(openApiPath, 'utf8')));
});

test('the streamed response is documented beside the JSON response', () => {
  const send = operations.find(({ id }) => id === 'sendMessage');
  expect(Object.keys(send?.responses['200']?.content ?? {})).toEqual([
    'application/json',
    'text/event-stream',
  ]);
});

/** Returns the JSON pointers of all schemas below `components` for which `isOffender` returns true. */
async function schemaPlaces(
  isOffender: (schema: Readonly<Record<string, unknown>>) => boolean,
): Promise<string[]> {
  const { components } = JSON.parse(await readFile(openApiPath, 'utf8'));
  const search = (value: unknown, pointer: string): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const below = Object.entries(value).flatMap(([name, part]) =>
      search(part, `${pointer}/${name}`),
    );
    return isOffender({ ...value }) ? [pointer, ...below] : below;
  };
  return search(components.schemas, '#/components/schemas');
}
