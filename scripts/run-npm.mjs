import { basename } from 'node:path';
import { runProgram, StoppedError } from './run-program.mjs';

const progressMs = 10_000;

/**
 * Runs npm quietly: progress on the way, its whole output only when it fails.
 * Throws an Error with that output, or `StoppedError`.
 */
export async function runNpm(args, { cwd, node, env, what, say, onStart }) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const progress = setInterval(() => say(`still installing ${what} … ${seconds()}`), progressMs);
  const [command, ...first] = npmCommand(node);
  try {
    const result = await runProgram(command, [...first, ...args, ...quiet], {
      cwd,
      // onnxruntime-node would download CUDA.
      env: { ...env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
      shell: process.platform === 'win32' && command === 'npm',
      collect: true,
      onStart,
    });
    if (result.stoppedBy) throw new StoppedError(result.stoppedBy);
    if (result.code !== 0) {
      throw new Error(
        `${result.output}\ngrounded-chat: npm ${args.join(' ')} failed after ${seconds()}, see above. Is the registry reachable?`,
      );
    }
  } finally {
    clearInterval(progress);
  }
  say(`installed ${what} in ${seconds()}`);
}

/** No dependency needs its install script, and most would download something. */
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];

/** The npm that started us, run by the given Node; from a shell, the npm on the path. */
function npmCommand(node) {
  const cli = process.env.npm_execpath;
  return cli && basename(cli) === 'npm-cli.js' ? [node, cli] : ['npm'];
}
