// Builds each package in packages/ to its `dist` folder: a bundle for each entry point, and type declarations.
import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { withLock } from './with-lock.mjs';

/**
 * Entry points of each package, relative to its `src`. `programs` are commands for Node. The order matters: a package
 * must follow the packages that it uses.
 */
const packages = {
  client: { entryPoints: ['index.ts'], programs: [] },
  react: { entryPoints: ['index.ts'], programs: [] },
};

await withLock(join('.node', 'build-packages.lock'), console.error, async () => {
  for (const [name, files] of Object.entries(packages)) await buildPackage(name, files);
});

/** Builds into a new folder and replaces `dist` only at the end, because a program may be reading `dist`. */
async function buildPackage(name, { entryPoints, programs }) {
  const folder = join('packages', name);
  const outdir = resolve(folder, 'dist.new');
  const dist = resolve(folder, 'dist');
  rmSync(outdir, { recursive: true, force: true });
  await bundle(folder, { entryPoints, outdir, platform: 'neutral', target: 'es2022' });
  await bundle(folder, { entryPoints: programs, outdir, platform: 'node', target: 'node20' });
  for (const program of programs) chmodSync(join(outdir, program.replace(/ts$/, 'js')), 0o755);
  declare(folder, outdir);
  rmSync(dist, { recursive: true, force: true });
  renameSync(outdir, dist);
}

async function bundle(folder, { entryPoints, ...options }) {
  if (entryPoints.length === 0) return;
  await build({
    ...options,
    absWorkingDir: resolve(folder, 'src'),
    entryPoints,
    bundle: true,
    // Does not bundle the dependencies and peer dependencies of the package. They stay imports.
    packages: 'external',
    format: 'esm',
    jsx: 'automatic',
    // Ignores the paths in tsconfig.json, which would bundle the other package.
    tsconfigRaw: {},
    sourcemap: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

function declare(folder, outdir) {
  const config = join(folder, 'tsconfig.build.json');
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', config, '--outDir', outdir], { stdio: 'inherit' });
}
