import { execFileSync } from 'node:child_process';

/** What a published file may contain, and must contain, by the form of its name. */
const allowed = [
  [/^grounded-chat-(client|react)-.*\.tgz$/, /^package\/dist\/[\w/.-]+\.(js|js\.map|d\.ts)$/],
  [/\.whl$/, /^grounded_chat\/[\w/]+\.(py|typed)$/],
  [/\.whl$/, /^grounded_chat-[\d.]+\.dist-info\/(METADATA|WHEEL|RECORD|licenses\/LICENSE)$/],
  [/^grounded_chat-.*\.tar\.gz$/, /^[^/]+\/grounded_chat\/[\w/]+\.(py|typed)$/],
  [/^grounded_chat-.*\.tar\.gz$/, /^[^/]+\/(PKG-INFO|pyproject\.toml|\.gitignore)$/],
  [/\.(tgz|tar\.gz)$/, /^[^/]+\/(CHANGELOG\.md|LICENSE|README\.md)$/],
  [/\.tgz$/, /^package\/package\.json$/],
  [/^grounded-chat-client-.*\.tgz$/, /^package\/bin\/grounded-chat-mcp\.mjs$/],
];
const required = [
  [/\.(tgz|tar\.gz|whl)$/, /\/LICENSE$/],
  [/\.tgz$/, /^package\/dist\/index\.js$/],
  [/\.tgz$/, /^package\/dist\/index\.d\.ts$/],
  [/\.(tar\.gz|whl)$/, /grounded_chat\/__init__\.py$/],
  [/^grounded-chat-client-.*\.tgz$/, /^package\/bin\//],
];

/** Throws if a package contains a file that it should not, or lacks one. `folder` contains the package `name`. */
export function checkPackage(folder, name) {
  const files = listFiles(folder, name);
  const of = (list) => list.filter(([kind]) => kind.test(name)).map(([, pattern]) => pattern);
  const unlisted = files.filter((file) => !of(allowed).some((pattern) => pattern.test(file)));
  if (unlisted.length > 0) throw new Error(`${name} contains ${unlisted.join(', ')}`);
  for (const pattern of of(required)) {
    if (!files.some((file) => pattern.test(file))) throw new Error(`${name} lacks ${pattern}`);
  }
}

function listFiles(folder, name) {
  const [program, ...args] = name.endsWith('.whl')
    ? ['python3', '-m', 'zipfile', '-l', name]
    : ['tar', '-tzf', name];
  const lines = execFileSync(program, args, { cwd: folder, encoding: 'utf8' }).trim().split('\n');
  const names = name.endsWith('.whl') ? lines.slice(1).map((line) => line.split(/\s/)[0]) : lines;
  return names.filter((file) => !file.endsWith('/'));
}
