import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { supportedFormats } from '../../src/extract/file-formats.ts';

test.each([
  'README.md',
  'docs/reference/limits.md',
  'docs/guides/rest-documents.md',
  'src/rest/openapi.json',
])('%s names all supported formats', (path) => {
  const text = readFileSync(path, 'utf8').replace(/\s+|\\n/g, ' ');
  expect(text).toContain(supportedFormats);
});
