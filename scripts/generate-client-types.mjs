// Writes the types of the REST API for packages/client from the OpenAPI document. Files have the type `Blob`.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { factory } from 'typescript';

const types = await openapiTS(await readFile('src/rest/openapi.json', 'utf8'), {
  transform: ({ format }) =>
    format === 'binary' ? factory.createTypeReferenceNode('Blob') : undefined,
});
await mkdir('packages/client/src/generated', { recursive: true });
await writeFile('packages/client/src/generated/openapi-types.ts', astToString(types));
