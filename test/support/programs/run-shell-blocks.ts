import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ShellBlock } from '../markdown-blocks.ts';

export interface ShellRun {
  /** Standard output of each block. Ends with the first block that failed. */
  readonly outputs: readonly string[];
  /** Standard error of all blocks together. */
  readonly errors: string;
  readonly exitCode: number | null;
}

/**
 * Runs the blocks one after another in one bash process and stops at the first failure. Kills the process after
 * `timeoutMs`. The exit code is then null.
 */
export async function runShellBlocks(
  blocks: readonly ShellBlock[],
  {
    env,
    timeoutMs,
  }: { readonly env: Readonly<Record<string, string>>; readonly timeoutMs: number },
): Promise<ShellRun> {
  const boundary = `--- end of block ${Math.random().toString(36).slice(2)} ---`;
  const script = blocks.map(({ code }) => `${code}\nprintf '%s' '${boundary}'\n`).join('');
  // Starts a separate process group, so that the test can also kill the background processes of a page.
  const shell = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  let errors = '';
  shell.stdout.on('data', (bytes) => {
    output += bytes;
  });
  shell.stderr.on('data', (bytes) => {
    errors += bytes;
  });
  const timer = setTimeout(() => killGroup(shell), timeoutMs);
  const [exitCode] = await once(shell, 'exit');
  clearTimeout(timer);
  killGroup(shell);
  return { outputs: output.split(boundary).slice(0, blocks.length), errors, exitCode };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is running, so there is nothing to kill.
  }
}
