import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Names of the packages, without the prefix `@grounded-chat/`. */
const packageNames = ['client', 'react'] as const;

/** Packs each package as for publication into `folder`, and installs it in the project `site`. */
export async function installPackages(folder: string, site: string): Promise<void> {
  await run(process.execPath, ['scripts/build-packages.mjs']);
  for (const name of packageNames) {
    const packing = ['pack', '--pack-destination', folder, '--json', resolve('packages', name)];
    const { stdout } = await run('npm', packing);
    const [packed] = JSON.parse(stdout);
    const target = join(site, 'node_modules', '@grounded-chat', name);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', target]);
  }
}
