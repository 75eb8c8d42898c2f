import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: each kind has other fields, whose types a test checks.
export type Manifest = Readonly<Record<string, any>>;

/** Returns the documents of a YAML file. Throws if one is not valid or has a key twice. */
export function readManifests(path: string): Manifest[] {
  const documents = parseAllDocuments(readFileSync(path, 'utf8'));
  return [...documents].map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${path}: ${error.message}`);
    return document.toJS();
  });
}
