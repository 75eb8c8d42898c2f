import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Folders of tests that take seconds to minutes each. All other tests run in the step `service`. */
const slowFolders = ['test/processes', 'test/dashboard'];

/** File with the commit of the last accepted submission. Changes since this commit select the tests. */
const baseFile = '.ci/base';

/** Maximum number of imports between a test and a changed file. A test that is farther away is not about the file. */
const farthestImport = 2;

/** Seconds that a file without a budget is expected to take: the median of the slow tests. */
const defaultSeconds = 20;

/**
 * Returns the slow tests that belong to the files changed since the last accepted submission. These are changed tests,
 * tests that import a changed file over few steps, and tests named after a changed file or its folder. The closest
 * tests come first. `left` are the tests that do not fit into `maxSeconds`.
 * @param {{maxSeconds: number, fileSeconds: Record<string, number>, without: string[]}} options `without` lists tests
 * that run anyway, or that need tools which the gate does not install
 * @returns {{base: string, changed: number, chosen: string[], left: string[]}}
 */
export function selectAffectedTests({ maxSeconds, fileSeconds, without }) {
  const base = readBase();
  const changed = new Set(
    git('diff', '--name-only', '--no-renames', base).split('\n').filter(Boolean),
  );
  const ranked = slowFolders
    .flatMap(testsIn)
    .filter((test) => !without.includes(test))
    .map((test) => ({ test, distance: distanceTo(changed, test) }))
    .filter(({ distance }) => distance <= farthestImport)
    .sort((a, b) => a.distance - b.distance || secondsOf(a.test) - secondsOf(b.test));

  let seconds = 0;
  const chosen = [];
  const left = [];
  for (const { test } of ranked) {
    const fits = seconds + secondsOf(test) <= maxSeconds;
    (fits ? chosen : left).push(test);
    if (fits) seconds += secondsOf(test);
  }
  return { base, changed: changed.size, chosen, left };

  function secondsOf(test) {
    return fileSeconds[test] ?? defaultSeconds;
  }
}

function testsIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  return names.map((name) => `${folder}/${name}`);
}

/** Returns the commit in `.ci/base`. If that commit is not in this history, returns the parent of the newest commit. */
function readBase() {
  const named = existsSync(baseFile) ? readFileSync(baseFile, 'utf8').trim() : '';
  return isAncestor(named) ? named : git('rev-parse', 'HEAD~1');
}

function isAncestor(commit) {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
    return true;
  } catch {
    return false; // no commit, or one of another history
  }
}

/**
 * Returns the distance between a test and the changed files: 0 for a changed test, else the least number of imports. A
 * matching name counts as one import.
 */
function distanceTo(changed, test) {
  if (changed.has(test)) return 0;
  const named = [...changed].some((file) => isNamedAfter(test, file));
  return Math.min(named ? 1 : Number.POSITIVE_INFINITY, importsToChange(changed, test));
}

/**
 * Returns whether the name of a test comes from a file or its folders. For example, `git-sources` matches
 * `src/platform/git/…`.
 */
function isNamedAfter(test, file) {
  if (file.startsWith('test/') || file.startsWith('docs/')) return false;
  const name = basename(test, '.test.ts');
  const parts = file.split('/').map((part) => part.replace(/\..*$/, ''));
  return parts.some((part) => part === name || part === name.split('-')[0] || part === `${name}s`);
}

function importsToChange(changed, test) {
  const seen = new Set([test]);
  let files = [test];
  for (let distance = 1; distance <= farthestImport; distance++) {
    files = files.flatMap(importsOf).filter((file) => !seen.has(file));
    for (const file of files) seen.add(file);
    if (files.some((file) => changed.has(file))) return distance;
  }
  return Number.POSITIVE_INFINITY;
}

const imports = new Map();

/** Returns the relative imports of a file, and the scripts and fixtures whose paths the file contains. */
function importsOf(file) {
  if (!imports.has(file)) {
    const text =
      existsSync(file) && /\.[mc]?tsx?$|\.mjs$/.test(file) ? readFileSync(file, 'utf8') : '';
    const relative = [...text.matchAll(/(?:from|import)\s*\(?['"](\.{1,2}\/[^'"]+)['"]/g)];
    imports.set(
      file,
      relative.map(([, path]) => join(dirname(file), path)),
    );
  }
  return imports.get(file);
}

function git(...args) {
  return execFileSync('git', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
