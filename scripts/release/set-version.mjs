import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines that contain the version of the project: a file, and the text before and after the version. */
const places = [
  ['package.json', '"version": "', '"'],
  ['package-lock.json', '"name": "grounded-chat",\n  "version": "', '"'],
  ['package-lock.json', '"name": "grounded-chat",\n      "version": "', '"'],
  ['packages/client/package.json', '"version": "', '"'],
  ['packages/react/package.json', '"version": "', '"'],
  ['packages/react/package.json', '"@grounded-chat/client": "^', '"'],
  ['packages/client/README.md', 'grounded-chat-client-', '.tgz'],
  ['packages/react/README.md', 'grounded-chat-client-', '.tgz'],
  ['packages/react/README.md', 'grounded-chat-react-', '.tgz'],
  ['clients/python/pyproject.toml', '\nversion = "', '"'],
  ['clients/python/grounded_chat/__init__.py', '__version__ = "', '"'],
  ['src/rest/openapi.json', '"version": "', '",\n    "x-api-version"'],
  ['deploy/kubernetes/kustomization.yaml', 'newTag: ', '\n'],
  ['deploy/kubernetes/api.yaml', 'image: grounded-chat:', '\n'],
  ['deploy/kubernetes/worker.yaml', 'image: grounded-chat:', '\n'],
  ['deploy/kubernetes/migrate.yaml', 'image: grounded-chat:', '\n'],
  ['docs/guides/deployment.md', '"version": "', '"'],
  ['docs/guides/production.md', '/grounded-chat:', '\n'],
  ['docs/guides/production.md', '/grounded-chat:', ' .\n'],
  ['docs/guides/supabase.md', '"version": "', '"'],
];

/** Returns the files that contain the version. @public for the tests, which import by address */
export function filesWithVersion() {
  return [...new Set(places.map(([file]) => file))];
}

/** Replaces the version everywhere below `root`. Throws if a place does not contain the old one. */
export function setVersion(root, from, to) {
  for (const [file, before, after] of places) {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    const old = `${before}${from}${after}`;
    if (!text.includes(old)) throw new Error(`${file} does not contain ${JSON.stringify(old)}`);
    writeFileSync(path, text.replaceAll(old, `${before}${to}${after}`));
  }
}

/** Returns whether a version is a newer one than another, both without suffix, such as 0.2.0. */
export function isNewer(version, than) {
  return compare(version, than) > 0;
}

function compare(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const index = left.findIndex((number, n) => number !== right[n]);
  return index === -1 ? 0 : left[index] - right[index];
}
