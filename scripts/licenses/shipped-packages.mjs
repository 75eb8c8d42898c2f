import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notInImage } from '../prune-list.mjs';

/** Folders whose imports are bundled for browsers. Their packages are development dependencies of the service. */
const browserFolders = ['src/dashboard', 'src/widget'];

/**
 * Returns the packages of the lock file that an installation, an image or a browser bundle contains: production
 * dependencies, optional peers, and what the dashboard and the widget import. Sorted, each name and version once.
 * @returns {{name: string, version: string, path: string}[]} `path` is the folder in `node_modules`. For a build of one
 * platform, which is not installed on every machine, it is the folder of the package that needs it
 */
export function listShippedPackages() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const paths = new Set(Object.keys(packages).filter((path) => isInstalled(path, packages[path])));
  for (const name of browserImports()) addWithDependencies(`node_modules/${name}`);
  const shipped = new Map([...paths].map((path) => toEntry(path, packages)));
  return [...shipped].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);

  function addWithDependencies(path) {
    if (packages[path] === undefined) throw new Error(`${path} is not in package-lock.json`);
    if (paths.has(path)) return;
    paths.add(path);
    for (const name of Object.keys(packages[path].dependencies ?? {})) {
      addWithDependencies(resolve(name, path));
    }
  }

  /** Finds a dependency as Node does: in the folder of the dependent package, then in those above it. */
  function resolve(name, from) {
    const candidate = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    if (packages[candidate] !== undefined || from === '') return candidate;
    return resolve(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
  }
}

/** `npm prune --omit=dev` keeps optional peers (`devOptional`). The image removes some of them. */
function isInstalled(path, { dev, link }) {
  const [, topLevel = ''] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return path.startsWith('node_modules/') && !dev && !link && !notInImage.includes(topLevel);
}

function toEntry(path, packages) {
  const { name = nameOf(path), version, os, cpu, optional } = packages[path];
  const isForOnePlatform = optional === true && (os ?? cpu) !== undefined;
  return [
    `${name} ${version}`,
    { name, version, path: isForOnePlatform ? ownerOf(path, packages) : path },
  ];
}

function ownerOf(path, packages) {
  const name = nameOf(path);
  const owner = Object.keys(packages).find((other) => packages[other].optionalDependencies?.[name]);
  if (owner === undefined) throw new Error(`no package needs ${name}`);
  return owner;
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function browserImports() {
  const files = browserFolders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const sources = files.filter(
    (path) => /\.tsx?$/.test(path) && !/generated|vite\.config/.test(path),
  );
  const specifiers = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^(?:import|.*\bfrom) '([^'.][^']*)';$/gm)].map(
      (match) => match[1],
    ),
  );
  return new Set(specifiers.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0]));
}
