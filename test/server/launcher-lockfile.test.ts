import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

it('the lock file contains the packages of every platform, so that npm ci works on each', () => {
  const packages = lockedPackages();
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !foldersAbove(folder).some((above) => `${above}${name}` in packages))
      .map((name) => `${name} of ${folder}`),
  );
  expect(missing).toEqual([]);
});

function lockedPackages(): Record<string, LockedPackage> {
  return JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
}

/** Returns the folders in which Node looks for a dependency of the package in `folder`. The nearest folder is first. */
function foldersAbove(folder: string): string[] {
  const parts = folder.split('/node_modules/');
  const nested = parts.map((_, index) =>
    parts.slice(0, parts.length - index).join('/node_modules/'),
  );
  return [...nested.map((path) => `${path}/node_modules/`), 'node_modules/'];
}
