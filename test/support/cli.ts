import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What `npm run cli -- … --json` prints, parsed. Rejects with what it wrote to standard error. */
export async function runCli(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the command's, which the test states.
): Promise<any> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'src/cli.ts', ...args, '--json'],
    { env: { PATH: process.env.PATH, ...settings } },
  );
  return JSON.parse(stdout);
}
