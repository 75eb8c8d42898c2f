import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A command with its folder and settings. */
export interface Program {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs a program and returns its standard output. Calls `onFirstOutput` when the program prints for the first time.
 * @throws Error with all output, if the program fails.
 */
export async function runProgram(
  { command: [file = '', ...args], cwd, env }: Program,
  onFirstOutput: () => void,
): Promise<string> {
  const running = promisify(execFile)(file, args, {
    ...{ cwd, env: { PATH: process.env.PATH, ...env }, timeout: 60_000 },
  });
  running.child.stdout?.once('data', onFirstOutput);
  const { stdout } = await running.catch((error) => {
    throw new Error(`${file} ${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}
