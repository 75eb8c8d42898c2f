import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './run-npm.mjs';

/**
 * Whether `node_modules` holds what `package-lock.json` says. npm writes its record of what is installed
 * last, so an interrupted install has none.
 */
export function areDependenciesInstalled(root) {
  const wanted = lockedPackages(join(root, 'package-lock.json'));
  const installed = lockedPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted)
    throw new Error('package-lock.json is missing or damaged: restore it from the repository');
  if (!installed) return false;
  return (
    Object.entries(wanted).every(
      ([path, entry]) => path === '' || isInstalled(entry, installed[path]),
    ) && Object.entries(installed).every(([path, entry]) => path in wanted && isForHere(entry))
  );
}

/** Installs exactly the locked versions, development tools included whatever `NODE_ENV` says. */
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

/** npm leaves optional packages out where they do not fit the machine. */
function isInstalled(wanted, installed) {
  if (!installed) return Boolean(wanted.optional || wanted.devOptional);
  return wanted.version === installed.version && wanted.integrity === installed.integrity;
}

/** False for a folder that was copied from another kind of machine. */
function isForHere({ os, cpu }) {
  return accepts(os, process.platform) && accepts(cpu, process.arch);
}

function accepts(list, value) {
  const names = list === undefined ? [] : [list].flat();
  if (names.includes(`!${value}`)) return false;
  const positive = names.filter((name) => !name.startsWith('!'));
  return positive.length === 0 || positive.includes(value) || positive.includes('any');
}
