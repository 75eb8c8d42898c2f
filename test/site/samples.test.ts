import { execFileSync } from 'node:child_process';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { codeSamples } from '../../src/rest/openapi/openapi-code-samples.ts';
import { operations } from '../../src/site/reference/openapi.ts';
import { sampledRequest } from '../../src/site/reference/samples.ts';

const all = operations.map((operation) => ({
  id: operation.operationId,
  samples: codeSamples(sampledRequest(operation)),
}));

test('the samples of all operations are valid in their language', () => {
  for (const { id, samples } of all) {
    const source = (label: string) =>
      samples.find((sample) => sample.label === label)?.source ?? '';
    execFileSync('bash', ['-n'], { input: source('curl') });
    const { diagnostics } = ts.transpileModule(source('TypeScript'), { reportDiagnostics: true });
    expect(diagnostics, id).toEqual([]);
  }
});

test('a sample replaces all parameters of the path and sends the method', () => {
  for (const { id, samples } of all) {
    const { method } = operations.find(({ operationId }) => operationId === id) ?? { method: '' };
    for (const { source } of samples) {
      expect(source, id).not.toMatch(/\{\w+Id\}/);
      if (!['GET', 'POST'].includes(method)) expect(source, id).toContain(method);
    }
  }
});

test('Python gets its own constants, but not inside of texts', () => {
  const body = JSON.stringify({ a: true, b: [null, false], c: 'true "null"' });
  const request = { method: 'POST', path: '/x', body, file: null };
  const python = codeSamples(request).find(({ lang }) => lang === 'Python')?.source;
  expect(python).toContain('{"a":True,"b":[None,False],"c":"true \\"null\\""}');
});
