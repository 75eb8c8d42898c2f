import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every Markdown file that readers of the project see. README.md is first. */
export const documentationPages: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'AGENTS.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'src/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .sort(),
];
