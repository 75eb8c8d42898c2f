import { basename } from 'node:path';
import { runProgram, StoppedError } from './run-program.mjs';

const progressMs = 10_000;

/**
 * Runs npm and shows progress. Shows the output of npm only if npm fails.
 * @throws Error with the output of npm, if npm fails
 * @throws StoppedError if a signal stopped npm
 */
export async function runNpm(args, { cwd, node, env, what, say, onStart }) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const progress = setInterval(() => say(`still installing ${what} … ${seconds()}`), progressMs);
  const [command, ...first] = npmCommand(node);
  try {
    const result = await runProgram(command, [...first, ...args, ...npmFlags], {
      cwd,
      // Keeps onnxruntime-node from downloading CUDA libraries.
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

/** npm options. Install scripts are off, because no dependency needs them and most of them download files. */
const npmFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];

/**
 * Returns the command that runs npm. If npm started this process, that is the same npm, run by the given Node.
 * Otherwise it is npm on the `PATH`.
 */
function npmCommand(node) {
  const cli = process.env.npm_execpath;
  return cli && basename(cli) === 'npm-cli.js' ? [node, cli] : ['npm'];
}
