import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs `npm run cli -- … --json` and returns the parsed output. If the command fails, rejects with its standard error.
 */
export async function runCli(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  // biome-ignore lint/suspicious/noExplicitAny: each command has a different output, which its test checks.
): Promise<any> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['dist/src/cli/cli.js', ...args, '--json'],
    { env: { PATH: process.env.PATH, ...settings } },
  );
  return JSON.parse(stdout);
}
