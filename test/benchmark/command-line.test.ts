import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { subcommands } from './subcommands.ts';

it('benchmark help prints one line per benchmark', () => {
  const { status, stdout } = benchmark('help');
  expect(status).toBe(0);
  for (const [name, what] of Object.entries(subcommands))
    expect(stdout).toMatch(new RegExp(`^ {2}${name} +${what.replaceAll('`', '.')}`, 'm'));
});

it('refuses an unknown benchmark with exit code 2 and the list', () => {
  const { status, stdout, stderr } = benchmark('grwoth');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^unknown benchmark grwoth\n/);
  expect(stderr).toMatch(/^ {2}growth /m);
});

it.each([
  [['--rounds', 'x'], '--rounds must be a whole number of at least 1, not "x".\n'],
  [
    ['search-by-size', '--sizes', '5000,x'],
    '--sizes must be different whole numbers of at least 1 with commas between them, not "5000,x".\n',
  ],
  [
    ['search-by-size', '--seconds', '0'],
    '--seconds must be a whole number of at least 1, not "0".\n',
  ],
  [['growth', '--chunks', 'x'], '--chunks must be a whole number of at least 1, not "x".\n'],
])('refuses %j with exit code 2 before it starts anything', (args, message) => {
  expect(benchmark(...args)).toMatchObject({ status: 2, stdout: '', stderr: message });
});

function benchmark(...args: readonly string[]) {
  const { TEST_DATABASE_URL: _, ...env } = process.env;
  const command = ['--import', 'tsx', 'test/benchmark/main.ts', ...args];
  return spawnSync(process.execPath, command, { encoding: 'utf8', env });
}
