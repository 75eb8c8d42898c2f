// Fails if the Python client differs from the output of its generator, or if it cannot be compiled or imported. Needs
// only Python's standard library; modules that need httpx are imported if it is installed. Without Python, the check is
// skipped, because the service does not need Python.
import { spawnSync } from 'node:child_process';

const programs = [
  ['clients/python/scripts/generate.py', '--check'],
  ['clients/python/scripts/check.py'],
];

if (spawnSync('python3', ['--version']).status === 0) {
  const results = programs.map((args) => spawnSync('python3', args, { stdio: 'inherit' }));
  process.exitCode = results.find(({ status }) => status !== 0)?.status ?? 0;
} else {
  process.stdout.write('skipped: python3 is missing\n');
}
