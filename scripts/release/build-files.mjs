import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkPackage } from './package-files.mjs';
import { pythonSbom } from './python-sbom.mjs';

/** Builds the packages and lists of components of a version into an empty folder, and checks what is inside. */
export function buildFiles(folder, version) {
  const python = findPython();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run(process.execPath, ['scripts/build-packages.mjs']);
  for (const name of ['client', 'react'])
    run('npm', ['pack', '--silent', '--pack-destination', folder, resolve('packages', name)]);
  run(python, ['-m', 'hatchling', 'build', '-d', resolve(folder), '-t', 'wheel', '-t', 'sdist'], {
    cwd: 'clients/python',
  });
  for (const name of readdirSync(folder)) {
    checkPackage(folder, name);
    chmodSync(join(folder, name), 0o644);
  }
  const sbom = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--omit',
    'dev',
  ];
  writeFileSync(join(folder, `grounded-chat-${version}.cdx.json`), run('npm', sbom));
  const ofClient = pythonSbom(readFileSync('clients/python/pyproject.toml', 'utf8'), version);
  writeFileSync(
    join(folder, `grounded_chat-${version}.python.cdx.json`),
    `${JSON.stringify(ofClient, null, 2)}\n`,
  );
}

/** Adds the source code of the current commit, and the checksums of all files. */
export function addSources(folder, version) {
  const name = `grounded-chat-${version}`;
  const archive = join(folder, `${name}.tar.gz`);
  run('git', ['archive', `--prefix=${name}/`, '--output', archive, 'HEAD']);
  const sums = readdirSync(folder)
    .sort()
    .map((file) => {
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex');
      return `${hash}  ${file}\n`;
    });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

/** Returns a Python that can build a package, or throws. */
function findPython() {
  const candidates = [process.env.PYTHON, 'python3', '/usr/bin/python3'].filter(Boolean);
  const found = candidates.find(
    (python) => spawnSync(python, ['-c', 'import hatchling']).status === 0,
  );
  if (found !== undefined) return found;
  throw new Error(
    'hatchling, which builds the Python package, is missing: pip install hatchling, or apt-get install python3-hatchling',
  );
}

function run(program, args, options = {}) {
  return execFileSync(program, args, {
    ...options,
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
