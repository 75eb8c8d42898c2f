import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        'x-scopes': z.array(z.string()),
        parameters: z.array(z.object({ $ref: z.string().optional() })).optional(),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
});

const guide = readFileSync('docs/guides/rest-api.md', 'utf8');
const { paths } = documentSchema.parse(JSON.parse(readFileSync('src/rest/openapi.json', 'utf8')));
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);

test('the tables of the REST guide have each operation once, with its scopes and statuses', () => {
  expect(operations.length).toBeGreaterThan(70);
  const expected = operations.map(({ call, 'x-scopes': scopes, responses }) =>
    rowOf(
      call,
      scopes,
      Object.keys(responses).filter((status) => status < '300'),
    ),
  );
  const rows = guide.matchAll(/^\| `([A-Z]+ \/\S*)` \| (.*?) \| (.*?) \|$/gm);
  const shown = [...rows].map(([, call = '', scopes = '', success = '']) =>
    rowOf(call, spansOf(scopes), success.match(/\b2\d\d\b/g) ?? []),
  );
  expect(shown.toSorted()).toEqual(expected.toSorted());
});

test('the section on safe retries names each operation that accepts an Idempotency-Key', () => {
  const accepting = operations.filter(({ parameters = [] }) =>
    parameters.some(({ $ref }) => $ref === '#/components/parameters/Idempotency-Key'),
  );
  expect(accepting.length).toBeGreaterThan(10);
  const section = /^## Safe retries$([\s\S]*?)^## /m.exec(guide)?.[1] ?? '';
  const named = spansOf(section).filter((span) => /^[A-Z]+ \//.test(span));
  expect(named.toSorted()).toEqual(accepting.map(({ call }) => call).toSorted());
});

function rowOf(call: string, scopes: readonly string[], statuses: readonly string[]): string {
  return [call, scopes.toSorted().join(' '), statuses.toSorted().join(' ')].join(' | ');
}

function spansOf(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}
