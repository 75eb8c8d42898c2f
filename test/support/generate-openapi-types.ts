import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { factory } from 'typescript';

/** Writes TypeScript types of the REST API, as clients generate them. A file is a `Blob`. */
const types = await openapiTS(
  await readFile(new URL('../../src/rest/openapi.json', import.meta.url), 'utf8'),
  {
    transform: ({ format }) =>
      format === 'binary' ? factory.createTypeReferenceNode('Blob') : undefined,
  },
);
const folder = new URL('./generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('openapi-types.d.ts', folder), astToString(types));
