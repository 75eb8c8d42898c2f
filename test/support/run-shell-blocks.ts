import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ShellBlock } from './markdown-blocks.ts';

export interface ShellRun {
  /** Standard output of each block, up to the first block that failed. */
  readonly outputs: readonly string[];
  /** Standard error of all blocks. */
  readonly errors: string;
  readonly exitCode: number | null;
}

/**
 * Runs the blocks sequentially in one bash process and stops at the first failure. After `timeoutMs`, kills the process;
 * the exit code is null then.
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
  // A separate process group, so that background processes of a page can be killed.
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
    // The group is empty: no background process is running.
  }
}
