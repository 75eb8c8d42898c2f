import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { postmanPath, printPostman } from '../../src/rest/openapi/print-postman.ts';
import { operations } from '../support/openapi-document.ts';
import { compileRequestValidator } from '../support/openapi-schema.ts';

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly path: readonly string[] };
    readonly body?: { readonly mode: string; readonly raw?: string };
  };
}

test('the committed Postman collection matches the OpenAPI document', async () => {
  expect(printPostman()).toBe(await readFile(postmanPath, 'utf8'));
});

test('it has every operation once, and its JSON bodies are valid', () => {
  const folders: readonly { readonly item: readonly Item[] }[] = JSON.parse(printPostman()).item;
  const requests = folders.flatMap(({ item }) => item).map(({ request }) => request);
  const title = (method: string, path: string) => `${method} ${path}`;
  const found = requests.map(({ method, url }) =>
    title(method, `/${url.path.map((part) => part.replace(/^:(.*)/, '{$1}')).join('/')}`),
  );
  const expected = operations.map(({ method, path }) => title(method, path));
  expect([...found].sort()).toEqual([...expected].sort());
  for (const [index, { body }] of requests.entries()) {
    if (body?.raw === undefined) continue;
    const operation = operations.find(({ method, path }) => title(method, path) === found[index]);
    const validate = compileRequestValidator(operation?.body?.schema ?? {});
    expect(validate(JSON.parse(body.raw)), found[index]).toEqual([]);
  }
});
