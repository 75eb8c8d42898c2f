// Fails if the Python client differs from the output of its generator. Needs only Python's standard library. Without
// Python, the check is skipped, because the service does not need Python.
import { spawnSync } from 'node:child_process';

const generator = 'clients/python/scripts/generate.py';

if (spawnSync('python3', ['--version']).status === 0) {
  const { status } = spawnSync('python3', [generator, '--check'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  process.stdout.write('skipped: python3 is missing\n');
}
