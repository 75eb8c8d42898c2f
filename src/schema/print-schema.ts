import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './schema.ts';

const path = fileURLToPath(new URL('./schema.graphql', import.meta.url));
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

// `--check` fails if the committed file differs from the schema in the code.
if (!process.argv.includes('--check')) {
  await writeFile(path, printed);
} else if ((await readFile(path, 'utf8').catch(() => '')) !== printed) {
  process.stderr.write('schema.graphql is out of date: run npm run schema\n');
  process.exitCode = 1;
}
