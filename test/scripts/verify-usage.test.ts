import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.each([
  [['nonsense'], 'unknown step nonsense: choose from checks, service,'],
  [['--gat'], 'unknown option --gat: choose from --gate,'],
  [['--gate', '--all'], 'choose one of --gate, --all, --checks-only, or name steps'],
  [['--gate', 'service'], 'choose one of --gate'],
])('refuses the arguments %j with exit code 2, and runs nothing', (args, message) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/verify.mjs', ...args], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
});
