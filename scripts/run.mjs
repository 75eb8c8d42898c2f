// Entry point of the npm scripts: installs what is missing after a fresh clone, then runs the command. This file is
// plain JavaScript without dependencies, because it must run on old Node versions and before the install.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { envFileSettings } from './env-file.mjs';
import { prepareCheckout } from './prepare.mjs';
import { exitCodeOf, runProgram, StoppedError } from './run-program.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsx = ['--import', 'tsx'];

/** Arguments of `node` for each command. Those of `.env` precede them, those of the command line follow them. */
const commands = {
  start: ['--import', './scripts/stop-with-parent.mjs', 'dist/src/main.js'],
  dev: ['--watch', ...tsx, 'src/main.ts'],
  cli: ['dist/src/cli/cli.js'],
  verify: ['scripts/verify.mjs'],
  check: ['scripts/verify.mjs', '--checks-only'],
  build: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  benchmark: [...tsx, 'test/benchmark/main.ts'],
  'build-packages': ['scripts/build-packages.mjs'],
};

/** Commands whose program reads the settings in `.env`. */
const configured = ['start', 'dev', 'cli', 'benchmark'];

/** With glibc's default, each thread that compiles WebAssembly would keep unused memory, about 20 MB in total. */
const memorySettings = { MALLOC_ARENA_MAX: '2' };

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StoppedError)) process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode ?? 1;
}

async function main([name, ...args]) {
  if (name !== 'exec' && !Object.hasOwn(commands, name ?? '')) {
    throw new Error(`usage: node scripts/run.mjs ${Object.keys(commands).join('|')}|exec …`);
  }
  // If only npm is killed (SIGKILL), the service must also stop.
  if (process.env.npm_lifecycle_event) await import('./stop-with-parent.mjs');

  const withBundle = ['start', 'cli', 'build', 'benchmark'].includes(name);
  const { node, env: own } = await prepareCheckout(root, { withBundle });
  if (name === 'exec') {
    const options = { cwd: root, env: own, shell: isWindows() };
    return exitCodeOf(await runProgram(args[0], args.slice(1), options));
  }
  const file = configured.includes(name)
    ? envFileSettings(join(root, '.env'), node)
    : { args: [], env: {} };
  const env = { ...(name === 'start' && memorySettings), ...file.env, ...own };
  const result = await runProgram(node, [...file.args, ...commands[name], ...args], {
    cwd: root,
    env,
  });
  return name === 'start' && result.stoppedBy && result.signal ? 0 : exitCodeOf(result);
}

function isWindows() {
  return process.platform === 'win32';
}
