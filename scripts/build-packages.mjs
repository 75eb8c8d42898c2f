// Builds the packages of packages/ to their `dist`: a bundle per entry point, and declarations.
import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { withLock } from './with-lock.mjs';

/**
 * Entry points of each package, below its `src`. `programs` are commands for Node. A package comes after those that it
 * needs.
 */
const packages = {
  client: { entryPoints: ['index.ts'], programs: [] },
  react: { entryPoints: ['index.ts'], programs: [] },
};

await withLock(join('.node', 'build-packages.lock'), console.error, async () => {
  for (const [name, files] of Object.entries(packages)) await buildPackage(name, files);
});

/** Replaces `dist` when the new one is complete, because a program may be reading it. */
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
    // Dependencies and peers of the package stay imports.
    packages: 'external',
    format: 'esm',
    jsx: 'automatic',
    // The paths of tsconfig.json would bundle the neighbour.
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
