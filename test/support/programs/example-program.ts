import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

/** A program in `examples`. It runs with the packages of this repository. */
export interface ExampleProgram {
  /** The address that the program has printed. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts an example on a free port. `name` is its folder. */
export async function startExample(
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<ExampleProgram> {
  const outfile = await bundleWithPackages(join('examples', name, 'server.mjs'), 'node');
  const child = spawn(process.execPath, [outfile], {
    env: { PATH: process.env.PATH, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const url = await readAddress(child);
  return {
    url,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/**
 * Bundles a file together with the packages of this repository, because they are not installed. Returns the path of the
 * bundle.
 */
export async function bundleWithPackages(
  entryPoint: string,
  platform: 'node' | 'browser',
): Promise<string> {
  const folder = resolve('node_modules/.cache/grounded-chat/examples');
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `${entryPoint.replaceAll(/\W/g, '-')}-${process.pid}.mjs`);
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform,
    format: 'esm',
    jsx: 'automatic',
    // Needed if the program is in a folder outside the repository.
    nodePaths: [resolve('node_modules')],
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: {
      '@grounded-chat/client': resolve('packages/client/src/index.ts'),
      '@grounded-chat/react': resolve('packages/react/src/index.ts'),
    },
    ...(platform === 'node' && { external: ['express'] }),
  });
  return outfile;
}

async function readAddress(child: ChildProcess): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new Error('no output');
  let errors = '';
  child.stderr.on('data', (bytes) => {
    errors += bytes;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    return line;
  }
  throw new Error(`The example did not start:\n${errors}`);
}
