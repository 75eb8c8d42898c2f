import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './run-npm.mjs';

/**
 * Returns whether `node_modules` matches `package-lock.json`. npm writes its list of installed packages last, so the
 * list is missing after an interrupted install.
 */
export function areDependenciesInstalled(root) {
  const wanted = lockedPackages(join(root, 'package-lock.json'));
  const installed = lockedPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted)
    throw new Error('package-lock.json is missing or damaged: restore it from the repository');
  if (!installed) return false;
  const own = Object.keys(wanted['']?.optionalDependencies ?? {}).map(
    (name) => `node_modules/${name}`,
  );
  return (
    own.every((path) => path in installed || !supportsPlatform(wanted[path] ?? {})) &&
    Object.entries(wanted).every(
      ([path, entry]) => path === '' || isInstalled(entry, installed[path]),
    ) &&
    Object.entries(installed).every(([path, entry]) => path in wanted && supportsPlatform(entry))
  );
}

/** Installs exactly the locked versions. Includes development tools, even if `NODE_ENV` is `production`. */
export async function installDependencies(root, context) {
  context.say('installing dependencies (once, about a minute) …');
  await runNpm(['ci', '--include=dev', '--include=optional'], {
    ...context,
    cwd: root,
    what: 'dependencies',
  });
}

function lockedPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns whether a package is installed in the locked version. A missing package may be optional: npm skips optional
 * packages that do not support the platform, and their dependencies.
 */
function isInstalled(wanted, installed) {
  if (!installed) return Boolean(wanted.optional || wanted.devOptional);
  return wanted.version === installed.version && wanted.integrity === installed.integrity;
}

/**
 * Returns whether a package supports this platform. If `node_modules` was copied from another platform, a package may
 * not.
 */
function supportsPlatform({ os, cpu }) {
  return accepts(os, process.platform) && accepts(cpu, process.arch);
}

function accepts(list, value) {
  const names = list === undefined ? [] : [list].flat();
  if (names.includes(`!${value}`)) return false;
  const positive = names.filter((name) => !name.startsWith('!'));
  return positive.length === 0 || positive.includes(value) || positive.includes('any');
}
