// Fails if THIRD_PARTY_LICENSES.md lacks a package of the folder `node_modules` that the argument names.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder] = process.argv;
const text = readFileSync('THIRD_PARTY_LICENSES.md', 'utf8');
const packages = ['*', '@*/*', '**/node_modules/*', '**/node_modules/@*/*']
  .flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: folder }))
  .map((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')));
if (packages.length === 0) throw new Error(`${folder} contains no package`);

for (const { name, version } of packages) {
  if (text.includes(`\n| ${name} | ${version} | `)) continue;
  console.error(`${name} ${version} is in the image, and not in THIRD_PARTY_LICENSES.md`);
  process.exitCode = 1;
}
